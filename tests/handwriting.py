"""Hypothesis strategies for YAML as people write it: block and flow, comments, quotes, indentation.

Built as text, because no writer makes what a person does. A comment's number is its name, so that
a law can tell which ones are left.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

PLAIN_KEYS = ("a", "b", "prod", "no", "08", "1e-4", "true", "é", "x y", "it's", "a#b", "-1")
QUOTED_KEYS = ("", "null", "# no comment", "? a", ": b", "- c", "{", "a, b", "[]", "<<", 'a"b')
PLAIN_VALUES = ("1", "1e-4", "true", "no", "08", "hello world", "a#b", "/opt/train.py", "-x", "~")
FLOW_BREAKS = ("", " ", "\n")
BLOCK_HEADS = ("|", "|-", "|+", ">", ">-", ">+")
BLOCK_TAILS = ("", "\n", "\n\n", "\n   \n")

_DICE = st.integers(0, 9)


def _chance(draw: DrawFn, tenths: int) -> bool:
    return draw(_DICE) < tenths


def _key(draw: DrawFn, name: str) -> str:
    if name in PLAIN_KEYS and _chance(draw, 7):
        return name
    if "'" not in name and _chance(draw, 5):
        return f"'{name}'"
    return json.dumps(name, ensure_ascii=False)


def _names(draw: DrawFn, most: int) -> list[str]:
    names = st.sampled_from(PLAIN_KEYS + QUOTED_KEYS)
    return draw(st.lists(names, min_size=1, max_size=most, unique=True))


def _comment(draw: DrawFn) -> str:
    return f"# comment {draw(st.integers(0, 99))}: {{x, 'y"


def _scalar(draw: DrawFn) -> str:
    plain = draw(st.sampled_from(PLAIN_VALUES))
    return draw(st.sampled_from((plain, f'"{plain}"', f"'{plain}'")))


def _flow(draw: DrawFn, depth: int, pad: str) -> str:
    """Return a value with brackets and commas, maybe over several lines, or a scalar."""
    kind = draw(_DICE)
    if depth == 0 or kind < 4:
        return _scalar(draw)
    if kind == 4:
        return draw(st.sampled_from(("{}", "[]", "{ }", "[\n]", f"{{ {_comment(draw)}\n{pad}}}")))
    if kind < 7:
        items = [_flow(draw, depth - 1, pad) for _ in range(draw(st.integers(1, 3)))]
        if _chance(draw, 2):
            items.append(f"single: {_scalar(draw)}")
        return _bracketed(draw, items, "[]", pad)
    entries = [_flow_entry(draw, name, depth, pad) for name in _names(draw, 3)]
    return _bracketed(draw, entries, "{}", pad)


def _flow_entry(draw: DrawFn, name: str, depth: int, pad: str) -> str:
    key = _key(draw, name)
    kind = draw(_DICE)
    if kind == 0:
        return key
    if kind == 1:
        return f"{key}: "
    if kind == 2:
        return f"? {key} : {_scalar(draw)}"
    tight = key[0] in "'\"" and _chance(draw, 3)
    return f"{key}:{'' if tight else ' '}{_flow(draw, depth - 1, pad)}"


def _bracketed(draw: DrawFn, parts: list[str], brackets: str, pad: str) -> str:
    if _chance(draw, 6):
        blank = " " if _chance(draw, 3) else ""
        comma = "," if _chance(draw, 1) else ""
        return f"{brackets[0]}{blank}{', '.join(parts)}{comma}{blank}{brackets[1]}"
    text = brackets[0] + _flow_end(draw, pad)
    for part in parts[:-1]:
        text += f"{part},{_flow_end(draw, pad)}"
    comma = "," if _chance(draw, 5) else ""
    return f"{text}{parts[-1]}{comma}{_flow_end(draw, pad)}{brackets[1]}"


def _flow_end(draw: DrawFn, pad: str) -> str:
    """Return what stands behind a comma or a bracket: most often the line ends."""
    if _chance(draw, 2):
        return ""
    comment = f" {_comment(draw)}" if _chance(draw, 3) else ""
    above = f"\n{pad}{_comment(draw)}" if _chance(draw, 2) else ""
    return f"{comment}{above}\n{pad}"


def _trailing(draw: DrawFn) -> str:
    return f"  {_comment(draw)}" if _chance(draw, 3) else ""


def _between(draw: DrawFn, indent: int) -> list[str]:
    """Return empty and comment lines before a key or an item."""
    lines = [""] if _chance(draw, 2) else []
    if _chance(draw, 3):
        other = draw(st.sampled_from((indent, indent, indent, 0, indent + 3)))
        lines.append(f"{' ' * other}{_comment(draw)}")
    return lines


def _block_scalar(draw: DrawFn, indent: int) -> str:
    head = draw(st.sampled_from(BLOCK_HEADS))
    pad = " " * (indent + draw(st.integers(1, 3)))
    body = draw(st.sampled_from(("text", "text\n\nmore", "# no comment", "key: value")))
    lines = "\n".join(f"{pad}{line}" if line else "" for line in body.split("\n"))
    return f" {head}\n{lines}{draw(st.sampled_from(BLOCK_TAILS))}"


def _value(draw: DrawFn, indent: int, depth: int) -> str:
    """Return what stands behind `key:` in block style, further lines with it."""
    kind = draw(_DICE)
    if kind == 0:
        return _trailing(draw)
    if kind == 1:
        return _block_scalar(draw, indent)
    if kind == 2:
        return f'{_trailing(draw)}\n{" " * (indent + 1)}"two\n{" " * (indent + 2)}lines"'
    if kind < 7 and depth:
        return f"{_trailing(draw)}\n{_collection(draw, indent, depth - 1)}"
    return f" {_flow(draw, 2, ' ' * (indent + 2))}{_trailing(draw)}"


def _collection(draw: DrawFn, indent: int, depth: int) -> str:
    inner = indent + draw(st.integers(1, 4))
    if _chance(draw, 7):
        return "\n".join(_mapping(draw, inner, depth))
    return "\n".join(_list(draw, draw(st.sampled_from((indent, inner))), depth))


def _mapping(draw: DrawFn, indent: int, depth: int) -> list[str]:
    lines: list[str] = []
    pad = " " * indent
    for name in _names(draw, 4):
        key = _key(draw, name)
        lines += _between(draw, indent)
        if _chance(draw, 1):
            lines.append(f"{pad}? {key}{_trailing(draw)}")
            if _chance(draw, 5):
                continue
            lines.append(f"{pad}:{_value(draw, indent, depth)}")
        else:
            lines.append(f"{pad}{key}:{_value(draw, indent, depth)}")
    return lines


def _list(draw: DrawFn, indent: int, depth: int) -> list[str]:
    lines: list[str] = []
    pad = " " * indent
    for _ in range(draw(st.integers(1, 3))):
        lines += _between(draw, indent)
        if _chance(draw, 5):
            first, *rest = [line for line in _mapping(draw, indent + 2, depth) if line.strip()]
            lines += [f"{pad}- {first.lstrip()}", *rest]
        else:
            lines.append(f"{pad}-{_value(draw, indent, depth)}")
    return lines


@st.composite
def _texts(draw: DrawFn) -> str:
    if _chance(draw, 1):
        text = _flow(draw, 3, "  ")
    else:
        lines = [*_between(draw, 0), *_mapping(draw, 0, 3), *_between(draw, 0)]
        text = "\n".join(lines)
    text += draw(st.sampled_from(("\n", "\n", "\n", "")))
    return draw(st.sampled_from(("", "", "", "---\n", "%YAML 1.2\n---\n"))) + text


def handwritten() -> SearchStrategy[str]:
    """Return texts of YAML files in all styles; a few cannot be read."""
    return _texts()
