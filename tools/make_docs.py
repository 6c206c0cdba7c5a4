"""Models, commands and rules → docs/reference/ and docs/rules.md, so that they cannot be wrong.

Usage: python -m tools.make_docs [--check]

With `--check` nothing is written; pages that differ are named and the exit code is 1.
"""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from genjob.authoring import editor
from genjob.authoring.outline import description, properties, target
from genjob.catalog.variables import GROUPS
from genjob.cli.main import COMMANDS, genjob
from genjob.variables import field_name, values
from genjob.variables.schema import described
from genjob.variables.values import is_field
from tools.catalogue_pages import fabrics_page, machines_page
from tools.rule_pages import rules_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.catalog.variables.variable import Variable
    from genjob.jsontypes import Json, JsonObject

ROOT = Path(__file__).parent.parent / "docs"
VARIABLE_HEAD = ("key", "values", "default", "meaning")
GENERATED = "<!-- Made by tools/make_docs.py; `make docs` writes it again. -->"

FILES = {
    "experiment": "`experiments/<name>/experiment.yaml`, which researchers edit.",
    "environment": "`environments/<env>.yaml`: one cluster and namespace, which platform engineers "
    "edit.",
    "workspace": "`genjob.yaml`, at the root of a workspace. The file and each of its fields may "
    "be left out.",
    "snapshot": "`environments/<env>.snapshot.yaml`, which `genjob snapshot` writes.",
}

KINDS_OF_TEXT: dict[tuple[str, ...], str] = {
    ("string", "number", "boolean"): "text as typed",
    ("string", "number"): "quantity",
    ("string", "integer"): "duration",
    ("string",): "text",
    ("integer",): "integer",
    ("number",): "number",
    ("boolean",): "true or false",
}
"""The types of a schema → what a person calls them."""

MAPPING = "mapping, see below"
RAW = "Kubernetes' own spelling"
PAGES = {
    editor.NCCL: "mapping, see [nccl](nccl.md)",
    f"{editor.PARTIAL}Experiment": "part of an experiment",
    f"{editor.PARTIAL}Pod": "part of an experiment",
}
"""Definitions that have a page of their own → what the tables of the others call them."""

PLURALS = {MAPPING: "list of mappings, see below", RAW: f"list in {RAW}"}

WORDS = """\
*Text as typed*: the value reaches the pod exactly as it stands in the file (`1e-4`, `yes`, `1.10`,
`010`); quotes are not needed. *Quantity*: as Kubernetes writes it, such as `512Gi`, `500m`, `96`.
*Duration*: such as `72h`, `90m`, `1h30m`; a bare number is seconds. *Kubernetes' own spelling*: a
piece of a manifest, checked in the rendered object."""

VARIABLES_ARE = """\
The environment variables that genjob knows. Those that begin with `NCCL_` are written under `nccl`,
in an experiment and in a node pool, by one rule: `nccl.ib_hca` is `NCCL_IB_HCA`. All of them are
also checked under `env` and `config`, and in raw containers. `genjob nccl NAME` says more of one,
with its source; `genjob nccl --search TEXT` finds those that say a word.

Under `nccl` a flag is `true` or `false`, a size is a quantity such as `8Mi`, and a list is a list,
or one text with commas. Under `env` the text is what the program reads: `1`, `8388608`, `a,b`."""

EXIT_CODES = """\
| exit code | meaning |
|---|---|
| 0 | clean, or warnings only (with `--strict` they count as errors) |
| 1 | errors, or files that are not as they would be rendered |
| 2 | the command was called wrongly |
| 3 | a tool is missing or broken, or genjob itself is at fault |"""


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` compare; return the exit code."""
    planned = pages()
    if "--check" in arguments:
        wrong = [name for name, text in planned.items() if not is_same(name, text)]
        for name in wrong:
            print(f"docs/{name} is not what tools/make_docs.py makes", file=sys.stderr)
        return 1 if wrong else 0
    for name, text in planned.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(planned)} pages")
    return 0


def pages() -> dict[str, str]:
    """Return the text of each page, by its path below docs/."""
    made = {f"{kind}.md": file_page(kind) for kind in editor.KINDS}
    made["nccl.md"] = variables_page()
    made["fabrics.md"] = fabrics_page(GENERATED, table)
    made["machines.md"] = machines_page(GENERATED, table)
    made["commands.md"] = commands_page()
    reference = {f"reference/{name}": text for name, text in made.items()}
    return reference | {"rules.md": rules_page(GENERATED, table)}


def is_same(name: str, text: str) -> bool:
    """Tell whether a page is there and holds this text."""
    return (ROOT / name).is_file() and (ROOT / name).read_bytes() == text.encode()


@dataclass(frozen=True)
class Section:
    """A mapping of a file: where it stands, what it is for, and its schema."""

    path: str
    purpose: str
    schema: JsonObject

    def key(self, name: str) -> str:
        """Return the path of a field of this section."""
        return f"{self.path}.{name}" if self.path else name


def file_page(kind: str) -> str:
    """Return the page of a file that people write: a table for each of its sections."""
    schema = editor.schema(kind)
    root = Section("", str(schema["description"]), schema)
    parts = [GENERATED, f"# {kind}", FILES[kind], WORDS]
    for section in [root, *below(schema, root)]:
        title = f"## {section.path}" if section.path else "## The fields"
        parts += [title, section.purpose, section_table(schema, section)]
    return "\n\n".join(parts) + "\n"


def below(schema: JsonObject, section: Section) -> Iterator[Section]:
    """Yield the sections of a section, each followed by its own."""
    for name, field in properties(section.schema).items():
        held = target(schema, field)
        if held and not editor.is_listed_elsewhere(field):
            path = section.key(name) + place_of_items(field)
            found = Section(path, str(held.get("description", "")), held)
            yield found
            yield from below(schema, found)


def place_of_items(field: JsonObject) -> str:
    """Return what stands between a field and the keys of its items."""
    if "items" in field:
        return "[]"
    return ".<name>" if isinstance(field.get("additionalProperties"), dict) else ""


def section_table(schema: JsonObject, section: Section) -> str:
    """Return the table of the fields of a section."""
    required = section.schema.get("required")
    names = required if isinstance(required, list) else []
    rows = [
        (
            f"`{section.key(name)}`",
            kind_of(field),
            "**required**" if name in names else default_of(field),
            description(schema, field),
        )
        for name, field in properties(section.schema).items()
    ]
    return table(("key", "type", "default", "meaning"), rows)


def kind_of(field: Json) -> str:
    """Return the type of a field in words."""
    if not isinstance(field, dict):
        return "anything"
    for choice in ("anyOf", "oneOf"):
        if isinstance(parts := field.get(choice), list):
            return " or ".join(kind_of(part) for part in parts)
    if "const" in field:
        return f"`{field['const']}`"
    if isinstance(choices := field.get("enum"), list):
        return " · ".join(f"`{each}`" for each in choices)
    if "$ref" in field:
        return PAGES.get(next(editor.references(field)), MAPPING)
    return compound(field)


def compound(field: JsonObject) -> str:
    """Return the type of a list, a mapping or a scalar in words."""
    if field.get("type") == "array":
        return PLURALS.get(items := kind_of(field.get("items")), f"list of {items}")
    if field.get("type") == "object":
        values = field.get("additionalProperties")
        return f"name → {kind_of(values)}" if isinstance(values, dict) else RAW
    types = field.get("type")
    names = tuple(map(str, types)) if isinstance(types, list) else (str(types),)
    return KINDS_OF_TEXT[names] + bounds(field)


def bounds(field: JsonObject) -> str:
    """Return the limits of a number in words."""
    least, most = field.get("minimum"), field.get("maximum")
    if least is not None and most is not None:
        return f", {least} to {most}"
    return f", at least {least}" if least is not None else ""


def default_of(field: JsonObject) -> str:
    """Return a default as it would be written."""
    if "default" not in field:
        return ""
    text = json.dumps(field["default"], ensure_ascii=False)
    return f"`{text if field['default'] == '' else text.strip(chr(34))}`"


def variables_page() -> str:
    """Return the page of the environment variables: a table for each group of the catalogue."""
    parts = [GENERATED, "# NCCL", VARIABLES_ARE]
    for title, rows in GROUPS.items():
        parts += [f"## {title}", table(VARIABLE_HEAD, [variable_row(row) for row in rows])]
    return "\n\n".join(parts) + "\n"


def variable_row(variable: Variable) -> tuple[str, ...]:
    """Return the row of a variable, named as it is written in an experiment."""
    path = f"nccl.{field_name(variable.name)}" if is_field(variable) else f"env.{variable.name}"
    default = values.default_of(variable)
    text = described(variable).removeprefix(f"{variable.name}: ")
    without_default = text.replace(f" Default: {default}.", "", 1)
    shown = f"`{default}`" if default else ""
    return f"`{path}`", values.accepted(variable), shown, without_default


def commands_page() -> str:
    """Return the page of the commands: what `--help` of each prints."""
    parts = [GENERATED, "# Commands", EXIT_CODES, "## genjob", help_block(genjob, "genjob")]
    for verb, (module, _) in COMMANDS.items():
        parts += command_parts(importlib.import_module(module).command, f"genjob {verb}")
    return "\n\n".join(parts) + "\n"


def command_parts(command: click.Command, name: str) -> list[str]:
    """Return the headings and help of a command and of those below it."""
    parts = [f"## {name}", help_block(command, name)]
    if isinstance(command, click.Group):
        for verb, inner in command.commands.items():
            parts += command_parts(inner, f"{name} {verb}")
    return parts


def help_block(command: click.Command, name: str) -> str:
    """Return the help of a command as it appears on a terminal of 88 columns."""
    context = click.Context(
        command,
        info_name=name,
        terminal_width=88,
        help_option_names=["-h", "--help"],
    )
    return f"```text\n{command.get_help(context).rstrip()}\n```"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *([cell(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(text: str) -> str:
    """Return a text as a table may hold it: on one line, without bars."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
