"""A resolved job → its values, each with the layers that say something of it, the winner first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from genjob.document import Plain
from genjob.manifests.images import mirrored
from genjob.manifests.pytorchjob import processes
from genjob.model.experiment import Experiment
from genjob.model.fields import field_at
from genjob.resolve.merge import ADDED_UP, REPLACED_UNDER, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from genjob.diagnostics import Location
    from genjob.document import Raw
    from genjob.jsontypes import DocPath, Json
    from genjob.resolve.job import Job
    from genjob.resolve.layers import Layer, Origin

DEFAULT: Final = "default"
"""The layer below all others: what a field is when nobody sets it."""

_NOT_VALUES: Final = frozenset({"version", "environments"})
_DEEPEST_DEFAULT: Final = 2
"""Keys of a field whose default is worth a line; those of list items and of `env` are not."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one layer says of a value; `place` is None for a table of ours."""

    layer: str
    value: Json
    place: Location | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an experiment in its environment, scalars as they were typed.

    `means` is what it comes to there, where that is something else (`auto`, the name of a queue).
    The first of `claims` wins, unless `is_set` is false: then all of them were unset.
    """

    path: DocPath
    value: Json
    means: str
    claims: tuple[Claim, ...]
    is_set: bool = True

    def effect(self, index: int) -> Literal["wins", "loses", "adds", "unset"]:
        """Return what becomes of a claim, by its index."""
        if not self.is_set:
            return "unset"
        if self.path[-1] in ADDED_UP:
            return "adds"
        return "loses" if index else "wins"


def all_values(job: Job, below: DocPath = ()) -> list[Value]:
    """Return every value that a layer sets or that is not empty by default, in the models' order.

    With `below`, only those at and under this route. What the section of a role alone sets is told
    there.
    """
    dumped = _dumped(job, below)
    paths = _paths(below, value_at(job.tree, below), dumped)
    return [value for path in paths if (value := value_of(job, path)).is_set]


def value_of(job: Job, path: DocPath) -> Value:
    """Return one value and the chain of its layers."""
    raw = value_at(job.tree, path)
    default = _default(job, path)
    claims = [] if raw is None else [_claim(job, origin) for origin in job.origins(path)]
    if raw is None:
        claims = [] if default is not None else [*_unset(job, path)]
    if default is not None:
        claims.append(Claim(DEFAULT, default))
    value = typed(raw) if raw is not None else default
    is_set = raw is not None or default is not None
    return Value(path, value, _meaning(job, path), tuple(claims), is_set)


def typed(raw: Raw) -> Json:
    """Return what was written, each scalar as the text that was typed."""
    match raw:
        case dict():
            return {key: typed(below) for key, below in raw.items()}
        case list():
            return [typed(below) for below in raw]
        case Plain():
            return raw.text
        case _:
            return raw


def _paths(path: DocPath, raw: Raw | None, dumped: Json) -> Iterator[DocPath]:
    is_variable = path[-2:-1] == (REPLACED_UNDER,)
    is_mapping = isinstance(raw, dict) or (raw is None and isinstance(dumped, dict))
    if is_mapping and not is_variable:
        yield from _of_mapping(path, raw, dumped if isinstance(dumped, dict) else {})
    elif isinstance(raw, list) and any(isinstance(item, dict) for item in raw):
        for index, item in enumerate(raw):
            yield from _paths((*path, index), item, None)
    elif raw is not None or (_is_told(path) and not _is_empty(dumped)):
        yield path


def _of_mapping(path: DocPath, raw: Raw | None, dumped: dict[str, Json]) -> Iterator[DocPath]:
    written = raw if isinstance(raw, dict) else {}
    for key in dict.fromkeys([*dumped, *written]):
        if path or key not in _NOT_VALUES:
            yield from _paths((*path, key), written.get(key), dumped.get(key))


def _is_told(path: DocPath) -> bool:
    return len(path) <= _DEEPEST_DEFAULT and path[0] != "env"


def _is_empty(value: Json) -> bool:
    return value is None or value in ([], {}, "")


def _dumped(job: Job, path: DocPath) -> Json:
    node: Json = job.experiment.model_dump()
    for key in path:
        node = node.get(str(key)) if isinstance(node, dict) else None
    return node


def _default(job: Job, path: DocPath) -> Json:
    """Return what a field is when nobody sets it, as it would be typed; None for nothing."""
    if not _is_told(path) or not isinstance(_dumped(job, path[:-1]), dict):
        return None
    field = field_at(Experiment, path)
    value = None if field is None or field.is_required() else field.get_default()
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int) else None


def _claim(job: Job, origin: Origin) -> Claim:
    document = origin.document
    if document is None:
        layer = _layer(job, origin.layer)
        return Claim(origin.layer, _typed_at(layer.tree, origin.path))
    return Claim(origin.layer, _typed_at(document.data, origin.path), document.locate(origin.path))


def _typed_at(tree: Raw, path: DocPath) -> Json:
    raw = value_at(tree, path)
    return None if raw is None else typed(raw)


def _layer(job: Job, name: str) -> Layer:
    return next(layer for layer in job.layers if layer.name == name)


def _unset(job: Job, path: DocPath) -> Iterator[Claim]:
    """Yield what layers say of a value that a higher layer has ruled out."""
    for layer in reversed(job.layers):
        if (raw := value_at(layer.tree, path)) is not None:
            document, at = layer.document, layer.document_path(path)
            place = None if document is None else document.locate(at)
            yield Claim(layer.name, typed(raw), place)


def _meaning(job: Job, path: DocPath) -> str:
    names = tuple(key for key in path if isinstance(key, str))
    means = _MEANS.get(names)
    raw = value_at(job.tree, path)
    text = means(job, str(typed(raw)) if isinstance(raw, str | Plain) else "") if means else ""
    return "" if raw is not None and text == typed(raw) else text


def _processes(job: Job, _: str) -> str:
    return str(processes(job.experiment))


def _fabric(job: Job, _: str) -> str:
    return job.fabric.name if job.fabric else ""


def _queue(job: Job, name: str) -> str:
    queues = job.environment.queues if job.environment else {}
    return queues[name].local_queue if name in queues else ""


def _image(job: Job, name: str) -> str:
    return mirrored(name, job.environment.registry.mirror if job.environment else {})


def _storage_class(job: Job, name: str) -> str:
    classes = job.environment.storage_classes if job.environment else {}
    return classes.get(name, "")


_MEANS: Final[dict[tuple[str, ...], Callable[[Job, str], str]]] = {
    ("nproc_per_node",): _processes,
    ("network", "fabric"): _fabric,
    ("scheduling", "queue"): _queue,
    ("image",): _image,
    ("storage", "pvc", "storage_class"): _storage_class,
}
"""Fields that mean something else in each environment → what they come to."""
