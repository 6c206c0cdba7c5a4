"""A folder of manifests → how many are imported with proof, and where their values go.

To run it: `python -m tools.import_figures FOLDER`; with `--fix`, mistakes are mended first.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from genjob.diagnostics import Severity
from genjob.importing.one import Destination
from genjob.importing.outcome import COMMAND, import_files
from genjob.linting.files import read_named
from tools.lint_figures import lint_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.foreign.reading import ManifestFile
    from genjob.importing.outcome import Outcome

_FIX = "--fix"


@dataclass
class Figures:
    """What became of the files: by verdict, by the code of each refusal, and their values."""

    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)


def figures_of(files: Sequence[ManifestFile], *, fix: bool = False) -> Figures:
    """Return the figures of some files, each imported by itself."""
    found = Figures()
    for file in files:
        outcome = import_files([file], Destination("experiments"), fix=fix)
        found.verdicts[_verdict(outcome)] += 1
        found.reasons.update(_reasons(outcome))
        for one in outcome.experiments if not outcome.is_refused else ():
            found.values["typed"] += one.leaves.typed
            found.values["verbatim"] += one.leaves.verbatim
            found.values["overrides"] += one.leaves.overrides
    return found


def _verdict(outcome: Outcome) -> str:
    if outcome.is_equal:
        return "imported with proof"
    return "refused" if outcome.is_refused else "imported with differences"


def _reasons(outcome: Outcome) -> set[str]:
    """Return the codes of the errors of a file, each once."""
    return {each.code for each in outcome.diagnostics if each.severity is Severity.ERROR}


def lines(found: Figures) -> Iterator[str]:
    """Yield the figures as lines for people."""
    yield f"{sum(found.verdicts.values())} files"
    for verdict, count in found.verdicts.most_common():
        yield f"{count:6} {verdict}"
    yield "errors, by the files that have them"
    for code, count in found.reasons.most_common():
        yield f"{count:6} {code}"
    total = sum(found.values.values())
    yield f"{total} values of what was imported"
    meanings = {
        "typed": "in fields with a type of their own",
        "verbatim": "in fields for a piece of Kubernetes, such as init_containers",
        "overrides": "in pod_overrides and job_overrides",
    }
    for name, meaning in meanings.items():
        share = 100 * found.values[name] / total if total else 0
        yield f"{found.values[name]:6} {share:5.1f} % {meaning}"


def main(arguments: Sequence[str]) -> None:
    """Print the figures of a folder of manifests, and what lint finds in it."""
    folder = Path(next((each for each in arguments if each != _FIX), "."))
    files = [*read_named(["."], folder, COMMAND)]
    told = [*lines(figures_of(files, fix=_FIX in arguments)), "findings of lint"]
    for line in [*told, *lint_figures(folder)]:
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
