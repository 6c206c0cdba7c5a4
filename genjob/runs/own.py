"""An experiment → the digests of what its researcher says that reaches the pods.

They are made from the fields of the model, not from rendered objects: a newer version of this
program may render otherwise and must not start a run.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal, NamedTuple

from genjob.quantity import read_quantity
from genjob.resolve.merge import value_at
from genjob.runs.identity import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic.main import IncEx

    from genjob.document import Raw
    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.resolve.job import Job

_LABELS: Mapping[str, IncEx | bool] = {
    "version": True,
    "name": True,
    "labels": True,
    "job_labels": True,
    "annotations": True,
    "pod_labels": True,
    "run": True,
    "allow": True,
    "environments": True,
    "worker": True,  # what it comes to is the first of the two views
    "master": True,  # and this the second
}
"""Fields that name or describe a run."""

_NOT_IN_PODS: Mapping[str, IncEx | bool] = {
    **_LABELS,
    "run_policy": True,
    "scheduling": {"queue": True, "gang": True, "node_pool": True},
    "storage": {"__all__": {"pvc": {"size": True, "access_mode": True, "storage_class": True}}},
}
"""Fields that say something about a run and do not change what its pods are."""

_AMOUNTS = frozenset({"resources", "empty_dir", "pvc"})


_QUEUE: Mapping[str, IncEx | bool] = {"scheduling": {"queue": True, "gang": True}}
_POLICY: Mapping[str, IncEx | bool] = {"run_policy": True}


class Own(NamedTuple):
    """Digests of what an experiment and its override say.

    `said` is what reaches the pods, without what has its default value: writing a default down
    changes nothing. `written` is the same as it was typed, whatever the defaults are: a newer
    version of this program with other defaults changes nothing. `policy` and `queue` are when the
    run ends or waits.
    """

    said: str
    written: str
    policy: str
    queue: str


def own_part(own: Job) -> Own:
    """Return the digests of an experiment with its override, resolved without its environment."""
    files: JsonObject = {
        name: hashlib.sha256(content).hexdigest() for name, content in own.files.items()
    }
    return Own(
        digest({"roles": _views(own, left_out="defaults", exclude=_NOT_IN_PODS), "files": files}),
        digest({"roles": _views(own, left_out="unset", exclude=_NOT_IN_PODS), "files": files}),
        digest(_views(own, left_out="unset", include=_POLICY)),
        digest(_views(own, left_out="unset", include=_QUEUE)),
    )


def _views(
    own: Job,
    *,
    left_out: Literal["defaults", "unset"],
    include: Mapping[str, IncEx | bool] | None = None,
    exclude: Mapping[str, IncEx | bool] | None = None,
) -> list[Json]:
    """Return the experiment as the workers and as the Master see it."""
    roles = [own.experiment] if own.master is own.experiment else [own.experiment, own.master]
    views = [
        _alike(
            role.model_dump(
                mode="json",
                include=include,
                exclude=exclude,
                exclude_defaults=left_out == "defaults",
                exclude_unset=left_out == "unset",
            )
        )
        for role in roles
    ]
    return views if own.master is not own.experiment else views * 2


def _alike(value: Json, *, amounts: bool = False) -> Json:
    """Return the fields with equal quantities spelled alike and without what is empty."""
    if isinstance(value, dict):
        below = {
            key: _alike(each, amounts=amounts or key in _AMOUNTS) for key, each in value.items()
        }
        return {key: each for key, each in below.items() if each not in ({}, [], None)}
    if isinstance(value, list):
        return [_alike(item, amounts=amounts) for item in value]
    number = read_quantity(value) if amounts else None
    return value if number is None else str(number)


def insists(job: Job, own: Job) -> bool:
    """Return whether an experiment writes down a default where its environment says otherwise."""
    said = own.experiment.model_dump(mode="json", exclude_defaults=True)
    around = [layer.tree for layer in job.layers if layer.document is not job.inputs.experiment]
    return any(
        value_at(tree, path) not in (None, typed)
        for path, typed in _leaves(own.tree)
        if path[0] not in _LABELS and _is_default(said, path)
        for tree in around
    )


def _leaves(tree: Raw, path: DocPath = ()) -> Iterator[tuple[DocPath, Raw]]:
    if isinstance(tree, dict):
        for key, below in tree.items():
            yield from _leaves(below, (*path, key))
    else:
        yield path, tree


def _is_default(said: Json, path: DocPath) -> bool:
    for key in path:
        if not isinstance(said, dict) or key not in said:
            return True
        said = said[str(key)]
    return False
