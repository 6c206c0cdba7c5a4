"""Base and wanted objects → the files of a Kustomize base and its overlay, and back again.

The overlay is derived, never written by hand: JSON 6902 patches for what differs, files for what
only the environment has, delete patches for what only the base has. Strategic merge is used for
deleting alone; on a CRD it loses containers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from genjob.manifest import JOB_SLOT, Manifest, identity
from genjob.patch import difference
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from genjob.jsontypes import Json, JsonObject

KUSTOMIZATION = "kustomization.yaml"
"""The file that makes a directory a base or an overlay."""


class Place(NamedTuple):
    """Where an overlay's objects go, and where it finds its base.

    `base` is a POSIX path relative to the overlay's directory: Kustomize refuses absolute ones.
    """

    namespace: str
    base: str


class _Match(NamedTuple):
    """The objects of two renderings, paired."""

    changed: tuple[tuple[Manifest, Manifest], ...]
    added: tuple[Manifest, ...]
    removed: tuple[Manifest, ...]


def base_files(manifests: Sequence[Manifest], *, header: str) -> dict[str, str]:
    """Return file name → text of a base: its kustomization and one file for each object."""
    texts = {f"{m.slot}.yaml": to_yaml(m.plain, header=header) for m in manifests}
    content = _kustomization(resources=[*sorted(texts)])
    return {KUSTOMIZATION: to_yaml(content, header=header), **texts}


def overlay_files(
    base: Sequence[Manifest], wanted: Sequence[Manifest], *, place: Place, header: str
) -> dict[str, str]:
    """Return file name → text of the overlay that turns the objects of `base` into `wanted`.

    `namespace:` of the kustomization sets the namespace of every object, so no patch repeats it.
    """
    match = _pair(_comparable(base, place), _comparable(wanted, place))
    added: dict[str, Json] = {f"{m.slot}.yaml": m.body for m in match.added}
    patches = [*_deletions(match.removed), *_changes(match.changed)]
    content = _kustomization(
        namespace=place.namespace,
        resources=[place.base, *sorted(added)],
        patches=[entry for _, entry, _ in patches],
    )
    bodies = {KUSTOMIZATION: content, **added, **{name: body for name, _, body in patches}}
    return {name: to_yaml(body, header=header) for name, body in bodies.items()}


def delete_name(stem: str) -> str:
    """Return the name of the file that deletes an object of the base."""
    return f"{stem}.delete.yaml"


def patch_name(slot: str) -> str:
    """Return the name of the file that patches an object of the base."""
    return "patch.yaml" if slot == JOB_SLOT else f"{slot}.patch.yaml"


def _kustomization(**content: Json) -> dict[str, Json]:
    head: dict[str, Json] = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
    }
    return head | {key: value for key, value in content.items() if value}


def _comparable(manifests: Iterable[Manifest], place: Place) -> list[Manifest]:
    return [Manifest(m.slot, _unplaced(m.plain, place.namespace)) for m in manifests]


def _unplaced(body: JsonObject, namespace: str) -> JsonObject:
    metadata = body.get("metadata")
    if not isinstance(metadata, dict) or "namespace" not in metadata:
        return body
    if metadata["namespace"] != namespace:
        raise ValueError(f"{identity(body)} is not meant for namespace '{namespace}'")
    return body | {"metadata": {key: it for key, it in metadata.items() if key != "namespace"}}


def _pair(base: Sequence[Manifest], wanted: Sequence[Manifest]) -> _Match:
    """Pair the objects by identity first, and what is left by kind and slot.

    The order matters: Kustomize finds the target of a patch by every name that an object has had,
    so a name that is given away must not be one that another object of the base carries.
    """
    pairs: list[tuple[Manifest, Manifest]] = []
    for key in (_by_identity, _by_slot):
        lasting = {key(m): m for m in wanted}
        found = [(m, lasting[key(m)]) for m in base if key(m) in lasting]
        pairs += found
        base = [m for m in base if all(m is not old for old, _ in found)]
        wanted = [m for m in wanted if all(m is not new for _, new in found)]
    return _Match(tuple(pairs), tuple(wanted), tuple(base))


def _by_identity(manifest: Manifest) -> tuple[str, ...]:
    return identity(manifest.body)


def _by_slot(manifest: Manifest) -> tuple[str, ...]:
    found = identity(manifest.body)
    return found.api_version, found.kind, manifest.slot


def _changes(
    pairs: Iterable[tuple[Manifest, Manifest]],
) -> Iterator[tuple[str, Json, Json]]:
    for old, new in sorted(pairs, key=lambda pair: pair[0].slot):
        operations = difference(old.body, new.body)
        if operations:
            name = patch_name(old.slot)
            yield name, {"path": name, "target": _target(old.body)}, [*operations]


def _target(body: JsonObject) -> JsonObject:
    """Return the selector of one object; Kustomize reads the name as a regular expression."""
    found = identity(body)
    group, _, version = found.api_version.rpartition("/")
    name = found.name.replace(".", "\\.")
    parts = {"group": group, "version": version, "kind": found.kind, "name": name}
    return {key: part for key, part in parts.items() if part}


def _deletions(manifests: Iterable[Manifest]) -> Iterator[tuple[str, Json, Json]]:
    for manifest in sorted(manifests, key=lambda manifest: manifest.slot):
        found = identity(manifest.body)
        name = delete_name(manifest.slot)
        body: JsonObject = {
            "$patch": "delete",
            "apiVersion": found.api_version,
            "kind": found.kind,
            "metadata": {"name": found.name},
        }
        yield name, {"path": name}, body
