"""The fields of an experiment → the text of its experiment.yaml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.authoring.scaffold import reference
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import JsonObject

_NOWHERE: Final = (
    "# It runs nowhere yet: name environments here, such as {dev: {}, prod: {nodes: 16}}.\n"
)


def experiment_text(fields: JsonObject, *, path: str, comments: Sequence[str]) -> str:
    """Return the text of an experiment that will be at `path`, below the comments of its manifest.

    Raises UnwritableError for a text that no YAML holds.
    """
    head = [reference("experiment", path), *_kept(comments)]
    parts = [to_yaml({key: value}) for key, value in fields.items()]
    where = "" if fields.get("environments") else _NOWHERE
    return "".join([*head, *parts[:-1], where, parts[-1]])


def _kept(comments: Sequence[str]) -> list[str]:
    """Return the comments as lines of their own, and one that parts them from the fields."""
    lines = [line if line.startswith("#") or not line else f"# {line}" for line in comments]
    own = [line for line in lines if "yaml-language-server" not in line]
    return [f"{line}\n" for line in [*own, ""]] if any(own) else []
