"""Diagnostics → the text of one of the formats that people, editors and CI systems read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.report.findings import Findings
from genjob.report.text import to_text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FORMATS", "Findings"]


def _to_json(findings: Findings) -> str:
    from genjob.report.json_report import to_json  # noqa: PLC0415 # few ask for it

    return to_json(findings)


def _to_github(findings: Findings) -> str:
    from genjob.report.github import to_github  # noqa: PLC0415 # few ask for it

    return to_github(findings)


def _to_junit(findings: Findings) -> str:
    from genjob.report.junit import to_junit  # noqa: PLC0415 # it needs all rules, for their names

    return to_junit(findings)


def _to_sarif(findings: Findings) -> str:
    from genjob.report.sarif import to_sarif  # noqa: PLC0415 # see above

    return to_sarif(findings)


FORMATS: Final[dict[str, Callable[[Findings], str]]] = {
    "text": to_text,
    "json": _to_json,
    "github": _to_github,
    "sarif": _to_sarif,
    "junit": _to_junit,
}
"""Every format by the name that `--format` takes. Each text is empty or ends in a line feed."""
