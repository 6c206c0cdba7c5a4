"""`genjob nccl`: prints the table of variables, what a search finds in it, or one row in full."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final, NoReturn

import click

from genjob.catalog.variables import FIELDS, GROUPS, REGISTRY, lookup
from genjob.catalog.variables.misnomers import MISNOMERS
from genjob.catalog.variables.sources import SOURCES
from genjob.catalog.variables.variable import PREFIX, ValueType
from genjob.variables.values import accepted, default_of, example
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from genjob.catalog.variables.variable import Variable
    from genjob.jsontypes import JsonObject

EXIT_NOTHING = 1
WIDTH: Final = 100
"""Columns of the output, on a terminal and in a pipe alike."""

_NAME_COLUMNS: Final = 36


@click.command("nccl")
@click.argument("name", required=False)
@click.option("--search", metavar="TEXT", help="Only rows that say TEXT, in any case.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How rows are printed.",
)
def command(name: str | None, search: str | None, output_format: str) -> None:
    """Print the environment variables of NCCL, PyTorch and the fabrics, or explain one.

    NAME is a variable or a field of `nccl:`. Those that begin with NCCL_ may stand there.

    Example: genjob nccl ib_hca; genjob nccl --search gid
    """
    if name is not None and search is not None:
        raise click.UsageError("say either NAME or --search")
    if name is not None:
        _print_one(_known(name), output_format)
        return
    found = _found(search or "")
    if not found:
        _stop(f"no variable says {quoted(search or '')}")
    _print_all(found, output_format)


def _known(name: str) -> Variable:
    variable = lookup(name)
    if variable is None:
        names = FIELDS if name.islower() else REGISTRY
        advice = MISNOMERS.get(name.upper()) or did_you_mean(name, names)
        _stop(f"variable {quoted(name)} is not known{f'; {advice}' if advice else ''}")
    return variable


def _stop(message: str) -> NoReturn:
    click.echo(f"genjob: {message}", err=True)
    sys.exit(EXIT_NOTHING)


def _found(search: str) -> dict[str, list[Variable]]:
    word = search.casefold()
    found = {title: [row for row in rows if _says(row, word)] for title, rows in GROUPS.items()}
    return {title: rows for title, rows in found.items() if rows}


def _says(variable: Variable, word: str) -> bool:
    texts = (variable.name, variable.meaning, variable.note, *variable.choices)
    return any(word in text.casefold() for text in texts)


def _print_all(found: Mapping[str, Iterable[Variable]], output_format: str) -> None:
    if output_format == "json":
        _print_json([_as_json(row) for rows in found.values() for row in rows])
        return
    formatter = click.HelpFormatter(width=WIDTH)
    for title, rows in found.items():
        with formatter.section(title):
            formatter.write_dl([(row.name, _line(row)) for row in rows], col_max=_NAME_COLUMNS)
    click.echo(formatter.getvalue().lstrip("\n"), nl=False)


def _line(variable: Variable) -> str:
    default = default_of(variable)
    return f"{variable.meaning}{f'  [{default}]' if default is not None else ''}"


def _print_one(variable: Variable, output_format: str) -> None:
    if output_format == "json":
        _print_json(_as_json(variable))
        return
    formatter = click.HelpFormatter(width=WIDTH)
    formatter.write_text(f"{variable.name}: {variable.meaning}")
    formatter.write_paragraph()
    formatter.write_dl([(label, text) for label, text in _facts(variable).items() if text])
    click.echo(formatter.getvalue(), nl=False)


def _facts(variable: Variable) -> dict[str, str]:
    default = default_of(variable)
    return {
        "write": example(variable),
        "values": accepted(variable),
        "default": "chosen at run time, or unset" if default is None else default,
        "since": variable.since,
        "deprecated": variable.deprecated,
        "removed": variable.removed,
        "instead": variable.replaced_by,
        "fabrics": ", ".join(variable.fabrics) or "all",
        "operator": "sets it in each pod, over what you write" if variable.operator_sets else "",
        "status": variable.section.value if variable.section else "",
        "note": variable.note,
        "source": str(SOURCES[variable.source]),
        "confidence": "" if variable.confidence == "high" else variable.confidence,
    }


def _as_json(variable: Variable) -> JsonObject:
    is_field = variable.name.startswith(PREFIX)
    return {
        "name": variable.name,
        "field": variable.name.removeprefix(PREFIX).lower() if is_field else None,
        "type": variable.type.value,
        "meaning": variable.meaning,
        "default": variable.default,
        "minimum": variable.minimum,
        "maximum": variable.maximum,
        "choices": [*(variable.newer_choices or variable.choices)],
        "unit": "bytes" if variable.type is ValueType.SIZE else variable.unit,
        "grammar": variable.grammar.value if variable.grammar else "",
        "since": variable.since,
        "deprecated": variable.deprecated,
        "removed": variable.removed,
        "replaced_by": variable.replaced_by,
        "fabrics": [*variable.fabrics],
        "operator_sets": variable.operator_sets,
        "status": variable.section.value if variable.section else "",
        "confidence": variable.confidence,
        "note": variable.note,
        "source": str(SOURCES[variable.source]),
    }


def _print_json(value: JsonObject | list[JsonObject]) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
