"""The codes of findings, the rules and their examples → docs/rules.md."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from genjob import codes, document
from genjob.diagnostics import Severity
from genjob.rules import RULES
from genjob.variables.problem import CODES as CODES_OF_VARIABLES
from tools.rule_examples import COMPLETE, REPLICA, examples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from genjob.diagnostics import Finding
    from genjob.jsontypes import JsonObject
    from genjob.rules import Rule
    from genjob.rules.network import Network

WEIGHTS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

TITLES = {
    "GJ2": "NCCL and fabrics",
    "GJ3": "Resources",
    "GJ4": "Storage",
    "GJ5": "Placement",
    "GJ6": "The job and its pods",
}
"""Beginning of a code → what its rules are about."""

FINDINGS_ARE = """\
A finding names a code; a code never changes its meaning. An *error* is for what will certainly fail
or be ignored, a *warning* for what probably is not meant, and a *note* for what is worth knowing:
`genjob validate` counts notes, and shows them with `--verbose`."""

ALLOWED = """\
An experiment leaves a finding out by its code or its name, with the reason. Every warning and note
can be; an error only where the cluster takes the job all the same, which the rules below say. An
allowance that allows nothing is itself a finding (GJ115), so that none outlives its reason.

```text
allow:
  GJ265: Tree alone is faster on our 64 nodes, and the job only all-reduces
  images-differ-between-roles: the Master has the evaluation code too
```"""

RULES_ARE = """\
Each rule has one example that it finds, with what it says of it, and one that it passes. Both are
run by the tests. `container` is the training container of Master and Worker, `pod` their pod spec,
`template` their pod template, `master` and `worker` one replica spec, and `job` the whole object;
the rest of the job is below. Some of what the rules say depends on the fabric: a rendered job has
that of its node pool, any other the one that a device, a side-car or a label tells."""


def rules_page(
    generated: str, table: Callable[[Sequence[str], Sequence[Sequence[str]]], str]
) -> str:
    """Return the page: how findings are allowed, all codes, and each rule with its examples."""
    reading = [(code.value, f"`{code.slug}`", code.meaning) for code in document.Code]
    ours = [(code.value, f"`{code.slug}`", code.meaning) for code in codes.Code]
    return (
        "\n\n".join(
            [
                generated,
                "# Findings",
                FINDINGS_ARE,
                "## Allowing one",
                ALLOWED,
                "## Reading a file",
                table(("code", "name", "meaning"), reading),
                "## The files, the resolved experiment, the schemas and the rendered tree",
                table(("code", "name", "meaning"), ours),
                f"Of these, errors of {_listed(sorted(CODES_OF_VARIABLES))} can be allowed.",
                "## Rules on objects",
                RULES_ARE,
                f"```yaml\n{COMPLETE}# and for Master and Worker:\n{REPLICA}```",
                *(part for family in _families() for part in family),
            ]
        )
        + "\n"
    )


def _families() -> list[list[str]]:
    in_order = sorted(RULES, key=lambda rule: rule.code)
    return [
        [f"## {TITLES[beginning]}", *(_section(rule) for rule in rules)]
        for beginning, rules in groupby(in_order, key=lambda rule: rule.code[:3])
    ]


def _section(rule: Rule[JsonObject] | Rule[Network]) -> str:
    bad, good = examples(rule)
    finding = next(each for each in bad.findings() if each.code == rule.code)
    allowable = ", can be allowed" if rule.is_allowable else ""
    return "\n".join(
        [
            f"### {rule.code} {rule.name}",
            "",
            f"{rule.summary} ({WEIGHTS[rule.severity]}{allowable})",
            "",
            f"Symptom: {_capital(rule.symptom)}",
            "",
            f"```yaml\n# fails\n{bad.text}\n```",
            "",
            f"```text\n{_said(finding)}\n```",
            "",
            f"```yaml\n# passes\n{good.text}\n```",
            "",
            f"Source: {_linked(rule.source)}",
        ]
    )


def _said(finding: Finding) -> str:
    hint = f"\n  hint: {finding.hint}" if finding.hint else ""
    return f"{finding.severity.value}: {finding.message} [{finding.code}]{hint}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _linked(source: str) -> str:
    """Return a source with its addresses as links."""
    return re.sub(r"https://[^\s,;()]+[^\s,;().]", lambda found: f"<{found[0]}>", source)
