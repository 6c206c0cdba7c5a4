"""A PersistentVolumeClaim beside a job → the `pvc` of a storage that makes the same claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.importing.rest import below, drop_if_empty, present, take_text, take_word
from genjob.importing.settled import settled
from genjob.quantity import read_quantity
from genjob.rules.walk import as_list, get

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

_MODES: Final = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
_USUAL: Final = "ReadWriteMany"


def claim_of(body: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return the fields of a claim, and what is left of its spec: then it has no fields."""
    spec = below(settled(body), "spec")
    modes, asked = as_list(spec.get("accessModes")), below(below(spec, "resources"), "requests")
    mode = take_word({"mode": modes[0]}, "mode", _MODES) if len(modes) == 1 else None
    if mode is not None:
        del spec["accessModes"]
    size = asked.pop("storage", None) if read_quantity(asked.get("storage")) is not None else None
    drop_if_empty(below(spec, "resources"), "requests")
    drop_if_empty(spec, "resources")
    made = present(
        size=size,
        name=get(body, "metadata", "name"),
        access_mode=None if mode == _USUAL else mode,
        storage_class=take_text(spec, "storageClassName"),
    )
    return made, spec
