"""A PersistentVolumeClaim or a ConfigMap → what the API server refuses; and objects that collide.

Symptom: the API server refuses the object.
Source: https://github.com/kubernetes/kubernetes/blob/v1.31.4/pkg/apis/core/validation/validation.go
"""

from __future__ import annotations

import json
from base64 import b64decode
from typing import TYPE_CHECKING

from genjob.quantity import read_quantity
from genjob.rules import names
from genjob.rules.metadata import annotations_too_large
from genjob.rules.rule import Hit
from genjob.rules.walk import as_object, as_str, get, parts, texts
from genjob.wording import did_you_mean, found, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject

ACCESS_MODES = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
VOLUME_MODES = ("Filesystem", "Block")
STORAGE = ("spec", "resources", "requests", "storage")
LARGE_OBJECT_BYTES = 200_000
CONFIG_MAP_BYTES = 1024 * 1024


def object_name_invalid(body: JsonObject) -> Iterator[Hit]:
    """The name of a claim or a ConfigMap is a DNS subdomain of at most 253 characters."""
    name = as_str(get(body, "metadata", "name"))
    if name and (fault := names.dns_subdomain(name)):
        hint = f"write {quoted(names.label_suggestion(name))}"
        yield Hit(("metadata", "name"), f"name {quoted(name)} {fault}", hint)


def access_modes_missing(claim: JsonObject) -> Iterator[Hit]:
    """A claim has at least one access mode."""
    if not as_object(claim.get("spec")).get("accessModes"):
        message = "the claim has no access mode"
        yield Hit(("spec", "accessModes"), message, f"write {one_of(ACCESS_MODES)}")


def access_mode_unknown(claim: JsonObject) -> Iterator[Hit]:
    """The access modes of a claim are four words."""
    for path, mode in texts(("spec", "accessModes"), get(claim, "spec", "accessModes")):
        if mode not in ACCESS_MODES:
            message = f"access mode is {quoted(mode)}, expected {one_of(ACCESS_MODES)}"
            yield Hit(path, message, did_you_mean(mode, ACCESS_MODES))


def access_modes_exclusive(claim: JsonObject) -> Iterator[Hit]:
    """ReadWriteOncePod is the only access mode of its claim."""
    listed = texts(("spec", "accessModes"), get(claim, "spec", "accessModes"))
    modes = {mode: path for path, mode in listed}
    if "ReadWriteOncePod" in modes and modes.keys() & set(ACCESS_MODES[:-1]):
        message = "'ReadWriteOncePod' goes with no other access mode"
        yield Hit(modes["ReadWriteOncePod"], message, "keep one of the two")


def storage_missing(claim: JsonObject) -> Iterator[Hit]:
    """A claim says how much storage it needs."""
    if get(claim, *STORAGE) is None:
        message = "the claim asks for no amount of storage"
        yield Hit(STORAGE, message, "write 'spec.resources.requests.storage', such as '500Gi'")


def storage_invalid(claim: JsonObject) -> Iterator[Hit]:
    """The storage that a claim asks for is a quantity above 0."""
    size = get(claim, *STORAGE)
    amount = read_quantity(size)
    if isinstance(size, str | int | float) and (amount is None or amount <= 0):
        message = f"storage is {found(size)}, expected a quantity above 0"
        yield Hit(STORAGE, message, "write a size such as '500Gi'")


def volume_mode_unknown(claim: JsonObject) -> Iterator[Hit]:
    """The mode of a claim's volume is one of two words."""
    mode = as_str(get(claim, "spec", "volumeMode"))
    if mode is not None and mode not in VOLUME_MODES:
        message = f"volumeMode is {quoted(mode)}, expected {one_of(VOLUME_MODES)}"
        yield Hit(("spec", "volumeMode"), message, did_you_mean(mode, VOLUME_MODES))


def storage_class_invalid(claim: JsonObject) -> Iterator[Hit]:
    """The storage class of a claim is named as objects are; an empty name means none."""
    name = as_str(get(claim, "spec", "storageClassName"))
    if name and (fault := names.dns_subdomain(name)):
        message = f"storageClassName {quoted(name)} {fault}"
        yield Hit(("spec", "storageClassName"), message, "write the name of a StorageClass")


def config_key_invalid(config: JsonObject) -> Iterator[Hit]:
    """A key has at most 253 letters, digits, '-', '_' and '.', and does not begin with '..'."""
    for field in ("data", "binaryData"):
        for key in as_object(config.get(field)):
            if fault := names.config_key(key):
                message = f"key {quoted(key)} {fault}"
                hint = "write letters, digits, '-', '_' and '.'"
                yield Hit((field, key), message, hint, at_key=True)


def config_key_twice(config: JsonObject) -> Iterator[Hit]:
    """A key is in data or in binaryData, not in both."""
    text, binary = as_object(config.get("data")), as_object(config.get("binaryData"))
    for key in sorted(text.keys() & binary.keys()):
        message = f"key {quoted(key)} is in 'data' too"
        yield Hit(("binaryData", key), message, "remove one of the two", at_key=True)


def binary_data_not_base64(config: JsonObject) -> Iterator[Hit]:
    """A value of binaryData is base64, with its padding."""
    for path, text in texts(("binaryData",), config.get("binaryData")):
        if _decoded_bytes(text) is None:
            message = f"the value of {quoted(str(path[-1]))} is not base64"
            yield Hit(path, message, "write the output of 'base64', or write the text under 'data'")


def config_map_too_large(config: JsonObject) -> Iterator[Hit]:
    """A ConfigMap has at most 1 MiB of values."""
    size = sum(
        len(text.encode(errors="surrogatepass")) for _, text in texts((), config.get("data"))
    )
    size += sum(_decoded_bytes(text) or 0 for _, text in texts((), config.get("binaryData")))
    if size > CONFIG_MAP_BYTES:
        message = f"the ConfigMap has {size} bytes of values, {CONFIG_MAP_BYTES} are allowed"
        yield Hit(("metadata", "name"), message, "keep large files in a volume or in the image")


def object_too_large(body: JsonObject) -> Iterator[Hit]:
    """A client-side apply writes the object into one of its annotations, of at most 256 KiB.

    Symptom: `metadata.annotations: Too long` from `kubectl apply`.
    Source: https://github.com/kubernetes/kubectl/issues/712
    """
    size = len(
        json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")
    )
    if size <= LARGE_OBJECT_BYTES:
        return
    if not any(annotations_too_large(body)) and not any(config_map_too_large(body)):
        message = f"the object has {size} bytes; a client-side apply fails at about 256 KiB"
        yield Hit(("metadata", "name"), message, "keep the text in a file, or apply server-side")


def duplicate_object(listed: JsonObject) -> Iterator[Hit]:
    """Two objects of a List have one kind, namespace and name; the later replaces the earlier.

    Symptom: one of the two overwrites the other, or Kustomize refuses both.
    """
    seen: set[tuple[str, ...]] = set()
    for path, body in parts(("items",), listed.get("items")):
        key = (
            as_str(body.get("apiVersion")) or "",
            as_str(body.get("kind")) or "",
            as_str(get(body, "metadata", "namespace")) or "",
            as_str(get(body, "metadata", "name")) or "",
        )
        if key[-1] and key in seen:
            message = f"another {key[1] or 'object'} is named {quoted(key[-1])} too"
            yield Hit((*path, "metadata", "name"), message, "give each object its own name")
        seen.add(key)


def _decoded_bytes(text: str) -> int | None:
    """Return the length of what base64 stands for; Go, too, passes over line breaks in it."""
    try:
        return len(b64decode(text.replace("\n", "").replace("\r", ""), validate=True))
    except ValueError:
        return None
