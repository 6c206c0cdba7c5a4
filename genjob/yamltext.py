"""JSON values → deterministic YAML text that Go and Python read back as the same values.

No Python writer is safe here: each leaves strings plain that go-yaml reads as numbers or booleans
(`1e-4`, `08`, `y`, `no`, `1_000`), so a learning rate in `env` becomes a float. This one leaves a
string plain only when it is plainly a word, and quotes all else as JSON does.

Layout: block style, two spaces, sequences level with their key, as kubectl prints them. Keys: those
of `_FIRST` in that order, at every depth, then all others by code point; so the order of keys in
the input never reaches the output, and a reader meets `kind` and `name` before the rest.
"""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from genjob.jsontypes import DocPath, Json, JsonObject

_FIRST = (
    *("apiVersion", "kind", "metadata"),
    *("name", "namespace", "labels", "annotations"),
    *("image", "command", "args", "env", "envFrom", "resources"),  # a container
    *("key", "operator"),  # a toleration, an affinity term
)
_RANK = {key: rank for rank, key in enumerate(_FIRST)}

_WORD = re.compile(r"[A-Za-z_/][A-Za-z0-9_./@-]*(?::[A-Za-z0-9_./@-]+)*")
_NOT_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})

_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = {code: f"\\u{code:04x}" for code in (0x2028, 0x2029, 0xFEFF)}
_NOT_IN_BLOCK = re.compile("[\t\r\u2028\u2029\ufeff]| (?:\n|\\Z)")

_LARGEST_INTEGER = 2**53
"""What a float64 holds exactly: a Kustomize patch passes every number of its object through one."""

_LONGEST_SIMPLE_KEY = 1000
"""YAML allows 1024 characters for a key before its colon; a longer one needs the `?` form."""


class UnwritableError(ValueError):
    """A value that cannot be carried by YAML, or by Kustomize's way of writing it.

    `path` leads to it (to the mapping, for a key) and `problem` says what is wrong with it.
    """

    def __init__(self, path: DocPath, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{'.'.join(map(str, path)) or 'the document'}: {problem}")


def unwritable(text: str) -> str | None:
    """Describe the first character of `text` that cannot be written, or return None.

    Of the controls, tab, line feed and carriage return are fine. U+007F to U+009F, U+FFFE and
    U+FFFF make Kustomize fail, but for U+0085, which it writes raw, so that the next reader takes
    it for a line break. Source: measured with Kustomize v5.8.1.
    """
    found = _UNWRITABLE.search(text)
    if found is None:
        return None
    character = found.group()
    if "\ud800" <= character <= "\udfff":
        return f"half of a surrogate pair, U+{ord(character):04X}"
    kind = "noncharacter" if character >= "\ufffe" else "control character"
    return f"{kind} U+{ord(character):04X}"


def to_yaml(value: Json, *, header: str = "") -> str:
    """Return `value` as one YAML document that ends in a line feed.

    Each line of `header` becomes a comment above it. Raises UnwritableError, a ValueError, for what
    would not come back: a character that `unwritable` names, a key `<<` (Kustomize drops it), NaN,
    an infinity, an integer beyond 2**53 (Kustomize rounds it).
    """
    return _comment(header) + _document(value)


def refuse_unwritable(value: Json) -> None:
    """Raise UnwritableError for what `to_yaml` would raise it for."""
    try:
        _try(value)
    except _ScalarError:
        first, *_ = _problems(value, ())
        raise first from None


def _try(value: Json) -> None:
    if isinstance(value, dict):
        for key, child in value.items():
            _key(key)
            _try(child)
    elif isinstance(value, list):
        for item in value:
            _try(item)
    else:
        _scalar(value, "")


def to_yaml_documents(values: Iterable[Json], *, header: str = "") -> str:
    """Return `values` as YAML documents with `---` between them; raises as `to_yaml` does."""
    return _comment(header) + "---\n".join(map(_document, values))


def to_flow(value: Json) -> str:
    """Return `value` on one line, in flow style, keys as they come; raises as `to_yaml` does."""
    try:
        return _flow(value)
    except _ScalarError:
        first, *_ = _problems(value, ())
        raise first from None


def _flow(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)[2]}: {_flow(value[key])}" for key in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _string(value) if isinstance(value, str) else _scalar(value, "")


def _comment(header: str) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in header.splitlines())


def _document(value: Json) -> str:
    out: list[str] = []
    try:
        _write_item(value, "", "", out)
    except _ScalarError:
        first, *_ = _problems(value, ())
        raise first from None
    return "".join(out)


def _write_item(value: Json, lead: str, pad: str, out: list[str]) -> None:
    """Write a value whose first line starts with `lead` and whose others start with `pad`."""
    if isinstance(value, dict) and value:
        _write_mapping(value, lead, pad, out)
    elif isinstance(value, list) and value:
        _write_sequence(value, lead, pad, out)
    else:
        out.append(f"{lead}{_scalar(value, pad or '  ')}\n")


def _write_mapping(mapping: JsonObject, lead: str, pad: str, out: list[str]) -> None:
    inner = pad + "  "
    for _, key, text in sorted(map(_key, mapping)):
        child = mapping[key]
        simple = len(text) <= _LONGEST_SIMPLE_KEY
        out.append(f"{lead}{text}:" if simple else f"{lead}? {text}\n{pad}:")
        if isinstance(child, dict) and child:
            out.append("\n")
            _write_mapping(child, inner, inner, out)
        elif isinstance(child, list) and child:
            out.append("\n")
            _write_sequence(child, pad, pad, out)
        else:
            out.append(f" {_scalar(child, inner)}\n")
        lead = pad


def _write_sequence(items: list[Json], lead: str, pad: str, out: list[str]) -> None:
    inner = pad + "  "
    for item in items:
        _write_item(item, f"{lead}- ", inner, out)
        lead = pad


@lru_cache(maxsize=4096)
def _key(key: str) -> tuple[int, str, str]:
    """Return what keys are sorted by, and the text of this one."""
    if key == "<<":
        raise _ScalarError("a key '<<', which Kustomize takes for a merge")
    return _RANK.get(key, len(_RANK)), key, _string(key)


def _scalar(value: Json, pad: str) -> str:
    """Return a scalar or an empty container; only a block scalar has lines, which get `pad`."""
    if isinstance(value, str):
        return _block(value, pad) if "\n" in value and _is_block(value) else _string(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _float(value)
    return "{}" if isinstance(value, dict) else "[]"


@lru_cache(maxsize=4096)
def _string(text: str) -> str:
    if _WORD.fullmatch(text) and text.lower() not in _NOT_WORDS:
        return text
    _refuse_character(text)
    return json.dumps(text, ensure_ascii=False).translate(_ESCAPES)


def _is_block(text: str) -> bool:
    """Return whether a literal block gives these lines back in libyaml and in go-yaml."""
    return text[0] not in " \n" and not _NOT_IN_BLOCK.search(text)


def _block(text: str, pad: str) -> str:
    _refuse_character(text)
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    style = ("|-", "|")[ends] if ends <= 1 else "|+"
    lines = (f"{pad}{line}" if line else "" for line in body.split("\n"))
    return f"{style}\n" + "\n".join(lines) + "\n" * (ends - 1)


def _integer(value: int) -> str:
    if abs(value) > _LARGEST_INTEGER:
        raise _ScalarError(f"integer '{value}' is beyond 2**53, Kustomize would round it")
    return str(int(value))


def _float(value: float) -> str:
    """Return the shortest text, with a point, without which YAML 1.1 reads `1e-07` as a string."""
    if not math.isfinite(value):
        raise _ScalarError(f"'{value}' is not a finite number")
    text = repr(float(value))
    mantissa, exponent, power = text.partition("e")
    return text if "." in mantissa else f"{mantissa}.0{exponent}{power}"


class _ScalarError(ValueError):
    """What `_document` turns into an UnwritableError once it knows the path."""


def _refuse_character(text: str) -> None:
    problem = unwritable(text)
    if problem is not None:
        raise _ScalarError(problem)


def _problems(value: Json, path: DocPath) -> Iterator[UnwritableError]:
    """Yield what is wrong with a value that could not be written."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _problem(path, partial(_key, key))
            yield from _problems(value[key], (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _problems(item, (*path, index))
    else:
        yield from _problem(path, partial(_scalar, value, ""))


def _problem(path: DocPath, write: Callable[[], object]) -> Iterator[UnwritableError]:
    try:
        write()
    except _ScalarError as error:
        yield UnwritableError(path, str(error))
