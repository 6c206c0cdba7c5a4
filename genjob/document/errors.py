"""A complaint of the YAML parser → a finding in plain words, where a person looks for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from yaml import MarkedYAMLError

from genjob.diagnostics import Diagnostic, Location
from genjob.document.source import MAX_DEPTH, Code, finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yaml.error import Mark


class _Words(NamedTuple):
    """How one complaint reads.

    `at_start` shows it where the unfinished thing starts, not where the parser gave up; with
    "another line", only when those are on different lines.
    """

    complaint: str
    message: str
    hint: str = ""
    at_start: Literal["never", "always", "another line"] = "never"
    code: Code = Code.SYNTAX_ERROR


_QUOTE_IT: Final = "put the value in quotes"
_NEVER_CLOSED: Final = "found a quote that is never closed"

# Against "context: problem" of libyaml 0.2 and of PyYAML's own parser; the first match speaks.
_WORDS: Final = (
    _Words(
        "exceeded maximum nesting depth",
        f"found more than {MAX_DEPTH} levels of nesting",
        code=Code.TOO_DEEP,
    ),
    _Words("cannot start any token", "found {character}, which cannot start a value", _QUOTE_IT),
    _Words(
        "mapping values are not allowed",
        "found a ':' inside a value",
        f"{_QUOTE_IT}, or indent the line as its neighbours",
    ),
    _Words(
        "could not find expected ':'",
        "found a line that is neither 'key: value' nor '- item'",
        "write 'key: value', with a space after the colon",
        at_start="always",
    ),
    _Words("unexpected end of stream", _NEVER_CLOSED, "close it", at_start="always"),
    _Words("unexpected document", _NEVER_CLOSED, "close it", at_start="always"),
    _Words(
        "unknown escape",
        "found a backslash that starts no escape",
        r"write '\\' for a backslash, or use single quotes",
    ),
    _Words(
        "invalid Unicode|escape sequence of|hexa?decimal",
        "found an escape that is not a character",
        "write the character itself",
    ),
    _Words(
        r"expected ',' or '\]'",
        "found a list without its ',' or ']'",
        "close the list",
        at_start="another line",
    ),
    _Words(
        "expected ',' or '}'",
        "found a mapping without its ',' or '}'",
        "close the mapping",
        at_start="another line",
    ),
    _Words("block collection", "found {found} among the items of a list", "begin each with '- '"),
    _Words(
        "expected key|expected <block end>",
        "found {found}, which belongs to no key",
        f"indent the line as its neighbours, or {_QUOTE_IT}",
    ),
    _Words(
        "node content",
        "found {found}; expected a value",
        f"{_QUOTE_IT}, or close the list or mapping before it",
    ),
    _Words(
        "sequence entries are not allowed",
        "found a list item where none can be",
        "begin the list on a line of its own",
    ),
    _Words(
        "alphabetic or numeric",
        "found '*' or '&' at the start of a value, which YAML keeps for itself",
        _QUOTE_IT,
    ),
    _Words(
        "document start", "found {found} after the end of the document", "keep one document a file"
    ),
)


# The word at a place, as messages quote it; a bracket or a colon is a word of its own.
_WORD: Final = re.compile(r"[^\s,:\[\]{}]{1,40}|\S")


def syntax_error(error: Exception, lines: Sequence[str], file: str) -> Diagnostic:
    """Return the finding of what the parser raised about a text of these lines."""
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return finding(Code.SYNTAX_ERROR, Location(file), "found text that is not YAML")
    if tab := _tab(error.problem_mark, lines, file):
        return tab
    words = _words(error)
    line, column = _place(_mark(words, error.context_mark, error.problem_mark), lines)
    word = _word(lines, line, column)
    message = words.message.replace("{found}", word).replace("{character}", f"{word[:2]}'")
    end = column + (len(word) - 2 if word.startswith("'") else 1)
    return finding(words.code, Location(file, line + 1, column + 1, end + 1), message, words.hint)


def _mark(words: _Words, start: Mark | None, problem: Mark) -> Mark:
    if start is None or words.at_start == "never":
        return problem
    if words.at_start == "another line" and start.line == problem.line:
        return problem
    return start


def _tab(mark: Mark, lines: Sequence[str], file: str) -> Diagnostic | None:
    """Return the finding of a tab at the mark or in the indentation of its line."""
    text = lines[mark.line] if mark.line < len(lines) else ""
    indent = text[: len(text) - len(text.lstrip())]
    column = mark.column if text[mark.column :].startswith("\t") else indent.find("\t")
    if column < 0:
        return None
    location = Location(file, mark.line + 1, column + 1, column + 2)
    message = "found a tab in the indentation; YAML wants spaces"
    return finding(Code.TAB_INDENTATION, location, message, "indent with spaces")


def _words(error: MarkedYAMLError) -> _Words:
    complaint = f"{error.context}: {error.problem}"
    for words in _WORDS:
        if re.search(words.complaint, complaint):
            return words
    return _Words("", f"found text that is not YAML: {error.problem}")


def _place(mark: Mark, lines: Sequence[str]) -> tuple[int, int]:
    """Return line and column from 0; past the last text, the end of the last text."""
    if mark.line < len(lines) and (lines[mark.line] or any(lines[mark.line :])):
        return mark.line, mark.column
    last = max((i for i, text in enumerate(lines) if text.strip()), default=0)
    return last, len(lines[last])


def _word(lines: Sequence[str], line: int, column: int) -> str:
    if word := _WORD.search(lines[line], column):
        return f"'{word[0]}'"
    return "the end of the line" if any(lines[line + 1 :]) else "the end of the file"
