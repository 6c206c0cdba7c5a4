"""An outcome → what a person reads of it, and one JSON object for programs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from genjob.jsontypes import dotted
from genjob.report import FORMATS, Findings
from genjob.rules.walk import as_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from genjob.importing.figures import Leaves
    from genjob.importing.one import Imported
    from genjob.importing.outcome import Outcome
    from genjob.jsontypes import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Sources:
    """The texts that findings point into, by file."""

    sources: Mapping[str, str] = field(default_factory=dict)


def summary(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each experiment, and one when nothing was written."""
    for one in outcome.experiments:
        if not outcome.is_refused:
            proof = "renders to the same objects" if one.is_equal else "renders to other objects"
            yield f"{one.name} {proof}; {_shares(one.leaves)}"
    if outcome.is_refused:
        yield "nothing was written"


def _shares(leaves: Leaves) -> str:
    said = f"{leaves.total - leaves.overrides} of {leaves.total} values in fields"
    return f"{said}, {leaves.overrides} in overrides" if leaves.overrides else said


def as_json(outcome: Outcome) -> JsonObject:
    """Return the outcome as data.

    `{"experiments": [{"name", "files", "equal", "values", "differences"}], "written",
    "diagnostics", "summary"}`; the last two are those of every report of findings. Keys may be
    added in later versions, none is removed.
    """
    findings: JsonObject = json.loads(FORMATS["json"](Findings(outcome.diagnostics)))
    experiments: list[Json] = [_experiment(one) for one in outcome.experiments]
    is_written = bool(experiments) and not outcome.is_refused
    return {"experiments": experiments, "written": is_written, **as_object(findings)}


def _experiment(one: Imported) -> JsonObject:
    leaves = one.leaves
    return {
        "name": one.name,
        "files": [*one.files],
        "equal": one.is_equal,
        "values": {
            "total": leaves.total,
            "typed": leaves.typed,
            "verbatim": leaves.verbatim,
            "overrides": leaves.overrides,
        },
        "differences": [
            {
                "object": str(each.object),
                "path": dotted(each.path),
                "rendered": each.built,
                "original": each.wanted,
            }
            for each in one.differences
        ],
    }
