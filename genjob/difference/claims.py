"""The claims of a run before and after a change → what becomes of the data.

A claim outlives its run when its annotations say so, and the API server lets it change in nothing
but its size, upwards. Sources: those of `runs.claims` and of `manifests.labels.KEPT`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.difference.effect import Effect, Verdict
from genjob.manifest import identity
from genjob.manifests.labels import KEPT
from genjob.manifests.trace import value_in
from genjob.patch import json_equal
from genjob.quantity import read_quantity
from genjob.rules.walk import as_object, as_str, get
from genjob.runs.claims import CLAIM, FIXED, SIZE, unchangeable
from genjob.wording import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from genjob.jsontypes import JsonObject
    from genjob.manifest import Identity

_ANNOTATIONS: Final = {
    "argocd": "argocd.argoproj.io/sync-options",
    "flux": "kustomize.toolkit.fluxcd.io/prune",
}
"""Engine → the annotation by which it lets an object be."""


def fate_of_claims(
    before: Iterable[JsonObject], after: Iterable[JsonObject], *, engine: str
) -> Iterator[Effect]:
    """Yield what becomes of the claims of a run."""
    old, new = _claims(before), _claims(after)
    for name, body in old.items():
        if name in new:
            yield from _changed(body, new[name])
        else:
            yield _left(body, engine)
    if old or new:
        for name in new.keys() - old.keys():
            yield Effect(Verdict.METADATA, f"claim {quoted(name.name)} is new and empty")


def _claims(objects: Iterable[JsonObject]) -> Mapping[Identity, JsonObject]:
    return {identity(body): body for body in objects if identity(body).kind == CLAIM}


def _changed(old: JsonObject, new: JsonObject) -> Iterator[Effect]:
    name = quoted(identity(new).name)
    if kept := unchangeable(new, old):
        what = listed(FIXED[path] for path in kept)
        yield Effect(Verdict.REFUSED, f"claim {name} cannot change its {what}")
    elif read_quantity(value_in(old, SIZE)) != read_quantity(value_in(new, SIZE)):
        grown = f"from {value_in(old, SIZE)} to {value_in(new, SIZE)}"
        sentence = f"claim {name} grows {grown}, where its storage class lets it"
        yield Effect(Verdict.METADATA, sentence)
    elif not json_equal(old, new):
        yield Effect(Verdict.METADATA)


def _left(body: JsonObject, engine: str) -> Effect:
    name = quoted(identity(body).name)
    if _is_kept(body, engine):
        sentence = f"claim {name} stays with its data; Git has it no longer"
        return Effect(Verdict.METADATA, sentence, identity(body))
    sentence = f"claim {name} is deleted with its data: it lacks the annotations that keep it"
    return Effect(Verdict.DELETES_DATA, sentence, identity(body))


def _is_kept(body: JsonObject, engine: str) -> bool:
    """Return whether an engine leaves an object alone that Git no longer has.

    Of a workspace that names no engine, each may apply it.
    """
    there = as_object(get(body, "metadata", "annotations"))
    needed = [_ANNOTATIONS[engine]] if engine in _ANNOTATIONS else [*_ANNOTATIONS.values()]
    return all(
        {*KEPT[key].split(",")} <= {*(as_str(there.get(key)) or "").replace(" ", "").split(",")}
        for key in needed
    )
