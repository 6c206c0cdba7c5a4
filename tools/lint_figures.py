"""A folder of manifests → how many findings of each code `genjob lint` has for them.

To run it: `python -m tools.lint_figures FOLDER`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from genjob.allowances import code_of
from genjob.crd.library import SchemaSet
from genjob.linting.conditions import Conditions, newest
from genjob.linting.files import read_named
from genjob.linting.linting import lint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.linting.linting import Linting


def lint_figures(folder: Path) -> Iterator[str]:
    """Yield the lines of a table: what was checked, then weight, code, name and number."""
    conditions = Conditions(newest(SchemaSet()))
    linting = lint(read_named(["."], folder, conditions.command), conditions)
    checked = ", ".join(f"{count} {kind}" for kind, count in linting.checked.most_common())
    yield f"checked {checked or 'nothing'}; {linting.others} other documents"
    yield from _by_code(linting)


def _by_code(linting: Linting) -> Iterator[str]:
    names = {code: name for name, code in code_of().items() if name != code}
    found = Counter((each.severity.value, each.code) for each in linting.diagnostics)
    files = Counter(
        pair
        for pair, _ in {((d.severity.value, d.code), d.location.file) for d in linting.diagnostics}
    )
    for (severity, code), count in sorted(found.items()):
        in_files = files[severity, code]
        name = names.get(code, "")
        yield f"{severity:8}{code} {count:4} in {in_files:3} files  {name}"


if __name__ == "__main__":
    for line in lint_figures(Path(sys.argv[1] if len(sys.argv) > 1 else ".")):
        print(line)
