"""A manifest with variables to be filled in → which ones, where, and how to fill them in.

`${NAME}`, `$NAME`, `{{ name }}` and `<NAME>` are looked for where a value has a meaning of its own:
a name, a number, an image. In commands, arguments, variables, annotations and the data of a
ConfigMap they are the text of another program.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Finding, Location
from genjob.document import Code as ReadingCode
from genjob.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from genjob.jsontypes import DocPath, Json, JsonObject, Key

SHELL, BRACES, ANGLES = "shell", "braces", "angles"

_SIGNS: Final = {
    SHELL: re.compile(r"\$\{([A-Za-z_][\w.]*)[^}]*\}|\$([A-Za-z_]\w*)"),
    BRACES: re.compile(r"\{\{[-~]?\s*(.*?)\s*[-~]?\}\}|\{%[-~]?\s*(.*?)\s*[-~]?%\}"),
    ANGLES: re.compile(r"<([A-Za-z][\w .:/-]*)>"),
}
_FREE_TEXT: Final = frozenset(
    {"annotations", "args", "binaryData", "command", "data", "status", "stringData"}
)
_TEMPLATE_LINE: Final = _SIGNS[BRACES]
_BROKEN_BY_TEMPLATE: Final = {
    ReadingCode.SYNTAX_ERROR,
    ReadingCode.KEY_NOT_TEXT,
    ReadingCode.DUPLICATE_KEY,
    ReadingCode.TAB_INDENTATION,
}
_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A value that waits to be filled in: where it is, the signs and the names in it."""

    path: DocPath
    sign: str
    names: tuple[str, ...]


def placeholders(body: JsonObject) -> list[Placeholder]:
    """Return the values of an object that wait to be filled in, in the order of the object."""
    return [*_in(body, ())]


def template_finding(found: Sequence[Placeholder], command: str) -> Finding:
    """Return the one finding about the placeholders of an object, at the first of them.

    `command` is what reads the result from standard input, such as 'genjob lint -'.
    """
    first = found[0]
    names = [*dict.fromkeys(name for each in found for name in each.names)]
    message = f"found the placeholder{'s' * (len(names) > 1)} {_names(names)}; this is a template"
    return Finding(Code.TEMPLATE, first.path, message, _hint(first.sign, command))


def is_broken_by_template(lines: Iterable[str], diagnostics: Iterable[Diagnostic]) -> bool:
    """Tell whether the signs of a template may be what keeps lines from being YAML."""
    is_broken = any(each.code in _BROKEN_BY_TEMPLATE for each in diagnostics)
    return is_broken and any(_template(line) for line in lines)


def unreadable_template(lines: Sequence[str], file: str, command: str) -> Diagnostic:
    """Return the finding about lines that are no YAML before their template is filled in."""
    hits = [(line, hit) for line, text in enumerate(lines, 1) if (hit := _template(text))]
    line, first = hits[0]
    names = [*dict.fromkeys(name for _, hit in hits for name in hit.groups() if name)]
    place = Location(file, line, first.start() + 1, first.end() + 1)
    message = f"found the template {_names(names)}; this is no manifest yet"
    return Diagnostic(Code.TEMPLATE, message, place, _hint(BRACES, command))


def _template(line: str) -> re.Match[str] | None:
    return None if line.lstrip().startswith("#") else _TEMPLATE_LINE.search(line)


def _in(value: Json, path: DocPath) -> Iterator[Placeholder]:
    if isinstance(value, str):
        yield from _in_text(value, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _in(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            if not _is_free_text(key, path):
                yield from _in_text(key, (*path, key))
                yield from _in(item, (*path, key))


def _is_free_text(key: Key, path: DocPath) -> bool:
    """Tell whether a value belongs to another program; `value` does so in `env` alone."""
    in_env = len(path) > 1 and path[-2] == "env"
    return key in _FREE_TEXT or (key == "value" and in_env)


def _in_text(text: str, path: DocPath) -> Iterator[Placeholder]:
    for sign, pattern in _SIGNS.items():
        names = [first or second for first, second in _groups(pattern, text)]
        if names:
            yield Placeholder(path, sign, tuple(names))


def _groups(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    for match in pattern.finditer(text):
        first, *more = match.groups()
        yield first or "", (more[0] if more else "") or ""


def _names(names: list[str]) -> str:
    if len(names) <= _SHOWN:
        return listed(names)
    return f"{listed(names[:_SHOWN])} and {len(names) - _SHOWN} more"


def _hint(sign: str, command: str) -> str:
    match sign:
        case "shell":
            return f"fill it in first: `envsubst < job.yaml-template | {command}`"
        case "braces":
            return f"fill it in first, as in `helm template . | {command}`"
        case _:
            return f"write the value in place of each, and give the result to `{command}`"
