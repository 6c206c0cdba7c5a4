"""pydantic's errors → findings in our own words, one for each mistake."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from genjob.codes import Code
from genjob.diagnostics import Finding
from genjob.document import Plain, value_of
from genjob.model.fields import field_at, home_of, known_keys
from genjob.wording import did_you_mean, found, nearest, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pydantic import BaseModel, ValidationError
    from pydantic_core import ErrorDetails

    from genjob.document import Raw
    from genjob.jsontypes import DocPath

FEW = 16
"""Keys that a hint lists when none of them is near the unknown one."""

_VARIABLE = re.compile(r"\$\{?\w+\}?|\{\{.*\}\}|<[A-Z_]+>")

_EXPECTED: dict[str, Callable[[dict[str, Any]], str]] = {
    "int_type": lambda _: "an integer",
    "int_from_float": lambda _: "an integer",
    "float_type": lambda _: "a number",
    "float_parsing": lambda _: "a number",
    "bool_type": lambda _: "true or false",
    "string_type": lambda _: "a text",
    "list_type": lambda _: "a list",
    "dict_type": lambda _: "a mapping",
    "model_type": lambda _: "a mapping",
    "model_attributes_type": lambda _: "a mapping",
    "literal_error": lambda ctx: one_of(_choices(ctx)),
    "greater_than_equal": lambda ctx: f"at least {ctx['ge']}",
    "less_than_equal": lambda ctx: f"at most {ctx['le']}",
    "too_short": lambda ctx: f"at least {ctx['min_length']} item",
    "string_too_short": lambda _: "a text that is not empty",
    "refused": lambda ctx: str(ctx["expected"]),
}
"""Type of a pydantic error → what was expected instead."""


def findings(error: ValidationError, model: type[BaseModel], raw: Raw) -> list[Finding]:
    """Return a finding for each mistake that pydantic saw in `raw`; paths lead into `raw`."""
    grouped: dict[DocPath, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        grouped.setdefault(_document_path(detail, raw), []).append(detail)
    made = [_finding(path, details, model) for path, details in grouped.items()]
    return _without_echoes(made, grouped)


def _document_path(detail: ErrorDetails, raw: Raw) -> DocPath:
    """Return the route of keys that the document has: pydantic puts tags of unions between."""
    path: list[str | int] = []
    node: Raw | None = raw
    *inner, last = detail["loc"] or ("",)
    for key in inner:
        child = _child(node, key)
        if child is not None:
            path.append(key)
            node = child
    if detail["type"] == "missing" or _child(node, last) is not None:
        path.append(last)
    return tuple(path)


def _child(node: Raw | None, key: str | int) -> Raw | None:
    if isinstance(node, dict) and isinstance(key, str):
        return node.get(key)
    if isinstance(node, list) and isinstance(key, int) and key < len(node):
        return node[key]
    return None


def _finding(path: DocPath, details: Sequence[ErrorDetails], model: type[BaseModel]) -> Finding:
    first = details[0]
    match first["type"]:
        case "extra_forbidden":
            return unknown_key(path, known_keys(model, path[:-1]), model)
        case "missing":
            message = f"{quoted(str(path[-1]))} is missing"
            return Finding(Code.MISSING_KEY, path[:-1], message, _what_to_add(model, path))
        case "exactly_one":
            return Finding(Code.NOT_EXACTLY_ONE, path, first["msg"])
        case kind if kind in _EXPECTED:
            return _unexpected(path, details)
        case _:
            return Finding(Code.WRONG_VALUE, path, first["msg"])


def _without_echoes(made: list[Finding], grouped: Iterable[DocPath]) -> list[Finding]:
    """Drop the missing keys of which a misspelling is there."""
    unknown = [finding.path for finding in made if finding.code == Code.UNKNOWN_KEY]
    return [
        finding
        for finding, path in zip(made, grouped, strict=True)
        if finding.code != Code.MISSING_KEY
        or not any(
            other[:-1] == path[:-1] and nearest(str(other[-1]), [str(path[-1])])
            for other in unknown
        )
    ]


def _what_to_add(model: type[BaseModel], path: DocPath) -> str:
    field = field_at(model, path)
    meaning = (field.description if field else None) or ""
    only = get_args(field.annotation) if field and get_origin(field.annotation) is Literal else ()
    if len(only) == 1:
        return f"write '{path[-1]}: {only[0]}'"
    return f"write '{path[-1]}: …': {meaning[:1].lower()}{meaning[1:].rstrip('.')}"


def unknown_key(
    path: DocPath, known: Iterable[str], model: type[BaseModel] | None = None
) -> Finding:
    """Return the finding for a key that no model has: the nearest that it has, or its home."""
    names, key = sorted(known), str(path[-1])
    listed = f"known here: {', '.join(names)}"
    if len(names) > FEW and model is not None:
        listed = f"`genjob schema show {model.__name__.lower()}` prints all that there are"
    home = home_of(model, path) if model is not None else ""
    hint = home or did_you_mean(key, names) or listed
    return Finding(Code.UNKNOWN_KEY, path, f"unknown key {quoted(key)}", hint, at_key=True)


def _unexpected(path: DocPath, details: Sequence[ErrorDetails]) -> Finding:
    value = _plain(details[0]["input"])
    kinds = [(each["type"], each.get("ctx", {})) for each in details]
    expected = [_EXPECTED[kind](context) for kind, context in kinds if kind in _EXPECTED]
    message = f"found {found(value)}; expected {' or '.join(dict.fromkeys(expected))}"
    return Finding(Code.WRONG_VALUE, path, message, _hint(value, details))


def _hint(value: Any, details: Sequence[ErrorDetails]) -> str:  # noqa: ANN401 # whatever was written
    kind, context = details[0]["type"], details[0].get("ctx", {})
    if isinstance(value, str) and _VARIABLE.search(value):
        return "variables are not substituted in this file; write the value"
    if context.get("hint"):
        return str(context["hint"])
    if kind == "list_type" and isinstance(value, str) and re.match(r"-.* - ", value):
        return "begin each item with '- ', with the space"
    if kind == "list_type" and isinstance(value, str | int | float):
        return f"write [{value}]"
    if not isinstance(value, str):
        return ""
    choices = [word for d in details for word in _choices(d.get("ctx", {}))]
    return _unquoted(value, kind) or did_you_mean(value, choices)


def _unquoted(value: str, kind: str) -> str:
    """Return the hint for a number or a boolean that arrived as text."""
    word = value.lower()
    if kind == "bool_type" and word in {"yes", "on", "y", "no", "off", "n"}:
        return f"write {'true' if word in {'yes', 'on', 'y'} else 'false'}"
    if kind == "bool_type" and word in {"true", "false"}:
        return f"write {word} without quotes"
    if kind == "int_type" and value.isdecimal():
        return f"write {int(value)} without quotes or leading zeros"
    return ""


def _choices(context: dict[str, Any]) -> list[str]:
    """Return the words that a literal may be; pydantic gives them as `'a', 'b' or 'c'`."""
    words: list[str] = re.findall(r"'((?:[^'\\]|\\.)*)'", str(context.get("expected", "")))
    return words


def _plain(value: Any) -> Any:  # noqa: ANN401 # what pydantic was given
    return value_of(value) if isinstance(value, Plain | dict | list) else value
