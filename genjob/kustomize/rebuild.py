"""The files of a base and of its overlay → the objects that Kustomize builds from them.

A model of Kustomize for exactly what `overlay` writes, read from the written text. It proves each
render on the spot, in a hundredth of the time; the real binary is the proof of the model.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from genjob.kustomize.output import read_documents
from genjob.kustomize.overlay import KUSTOMIZATION
from genjob.manifest import identity, plain
from genjob.patch import PatchError, apply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.jsontypes import Json, JsonObject

_KNOWN = frozenset({"apiVersion", "kind", "namespace", "resources", "patches"})


class RebuildError(ValueError):
    """Files that this program did not write, or that Kustomize would refuse."""


def base_objects(base: Mapping[str, str], *, stem: str = "") -> list[JsonObject]:
    """Return the objects of a base, given as file name → text; `stem` begins their files' names.

    Raises RebuildError.
    """
    names = _texts(_kustomization(base), "resources")
    return _resources(base, [name for name in names if name.startswith(stem)])


def expected(
    base: Mapping[str, str], overlay: Mapping[str, str], *, stem: str = ""
) -> list[JsonObject]:
    """Return what Kustomize builds from an overlay on its base, both given as file name → text.

    With `stem`, only the objects whose files begin with it, whatever the others are like.

    Raises RebuildError where Kustomize would fail, and for directives that we never write.
    """
    kustomization = _kustomization(overlay)
    names = [name for name in _texts(kustomization, "resources") if not name.startswith("../")]
    own = [name for name in names if name.startswith(stem)]
    objects = [*base_objects(base, stem=stem), *_resources(overlay, own)]
    for entry in _list(kustomization.get("patches", []), "patches"):
        patch = _object(entry, "a patch")
        if str(patch.get("path")).startswith(stem):
            objects = _patched(objects, patch, overlay)
    namespace = kustomization.get("namespace")
    placed = [_placed(body, namespace) for body in objects]
    _refuse_twins(placed)
    return placed


def _kustomization(files: Mapping[str, str]) -> JsonObject:
    content = _object(_one(files, KUSTOMIZATION), KUSTOMIZATION)
    if unknown := sorted(content.keys() - _KNOWN):
        raise RebuildError(f"{KUSTOMIZATION} has '{unknown[0]}', which genjob never writes")
    return content


def _resources(files: Mapping[str, str], names: list[str]) -> list[JsonObject]:
    objects = [plain(_object(_one(files, name), name)) for name in names]
    _refuse_twins(objects)
    return objects


def _patched(
    objects: list[JsonObject], entry: JsonObject, files: Mapping[str, str]
) -> list[JsonObject]:
    name = str(entry.get("path"))
    patch = _one(files, name)
    if isinstance(patch, dict):
        return _without(objects, patch, name)
    operations = [_object(step, name) for step in _list(patch, name)]
    target = _object(entry.get("target"), f"the target of {name}")
    return [_applied(body, operations, name) if _hits(target, body) else body for body in objects]


def _without(objects: list[JsonObject], patch: JsonObject, name: str) -> list[JsonObject]:
    if patch.get("$patch") != "delete":
        raise RebuildError(f"{name} is a strategic merge patch, which genjob never writes")
    left = [body for body in objects if identity(body) != identity(patch)]
    if len(left) == len(objects):
        raise RebuildError(f"{name} deletes {identity(patch)}, which the base does not have")
    return left


def _hits(target: JsonObject, body: JsonObject) -> bool:
    found = identity(body)
    group, _, version = found.api_version.rpartition("/")
    parts = {"group": group, "version": version, "kind": found.kind, "name": found.name}
    return all(re.fullmatch(str(pattern), parts[key]) for key, pattern in target.items())


def _applied(body: JsonObject, operations: list[JsonObject], name: str) -> JsonObject:
    try:
        return plain(_object(apply(operations, body), name))
    except PatchError as error:
        raise RebuildError(f"{name}: {error}") from error


def _placed(body: JsonObject, namespace: Json) -> JsonObject:
    if namespace is None:
        return body
    metadata = _object(body.get("metadata", {}), "metadata")
    return body | {"metadata": metadata | {"namespace": namespace}}


def _refuse_twins(objects: list[JsonObject]) -> None:
    seen = set()
    for found in map(identity, objects):
        if found in seen:
            raise RebuildError(f"{found} is there twice")
        seen.add(found)


def _one(files: Mapping[str, str], name: str) -> Json:
    if name not in files:
        raise RebuildError(f"{name} is missing")
    try:
        documents = read_documents(files[name])
    except ValueError as error:
        raise RebuildError(f"{name}: {error}") from error
    if len(documents) != 1:
        raise RebuildError(f"{name} holds {len(documents)} documents, not one")
    return documents[0]


def _object(value: Json, where: str) -> JsonObject:
    if not isinstance(value, dict):
        raise RebuildError(f"{where} is not a mapping")
    return value


def _list(value: Json, where: str) -> list[Json]:
    if not isinstance(value, list):
        raise RebuildError(f"{where} is not a list")
    return value


def _texts(content: JsonObject, key: str) -> list[str]:
    return [str(name) for name in _list(content.get(key, []), key)]
