"""Bytes of a YAML file → its text, or what keeps it from being parsed, in plain words.

Nothing here knows of data, only of bytes, lines and characters.
"""

from __future__ import annotations

import re
import stat
from typing import TYPE_CHECKING, Final

from genjob.codes import CodeTable
from genjob.diagnostics import Diagnostic, Location

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_BYTES: Final = 1024 * 1024
MAX_DEPTH: Final = 64
BYTE_ORDER_MARK: Final = "\ufeff"


class Code(CodeTable):
    """The findings of reading a file."""

    SYNTAX_ERROR = "GJ001", "A text that is not YAML."
    DUPLICATE_KEY = "GJ002", "A key that stands twice in one mapping."
    UNREADABLE_FILE = "GJ003", "A file that cannot be read, or that is none."
    TOO_LARGE = "GJ004", "A file that is too large to be read."
    NOT_UTF_8 = "GJ005", "A file that is not UTF-8 text."
    BYTE_ORDER_MARK = "GJ006", "An invisible mark before the text."
    CARRIAGE_RETURN = "GJ007", "Line ends of Windows."
    UNWRITABLE_CHARACTER = "GJ008", "A character that a YAML reader drops, or cannot read back."
    CONFLICT_MARKER = "GJ009", "A merge of Git that was not finished."
    TAB_INDENTATION = "GJ010", "A tab where YAML takes only spaces."
    EMPTY_FILE = "GJ011", "A file that says nothing."
    SEVERAL_DOCUMENTS = "GJ012", "More than one document in a file."
    ROOT_NOT_MAPPING = "GJ013", "A file that is no mapping of keys to values."
    ANCHOR_OR_ALIAS = "GJ014", "An anchor, an alias or a merge key, which a review cannot follow."
    EXPLICIT_TAG = "GJ015", "A tag, which changes the type of a value."
    KEY_NOT_TEXT = "GJ016", "A key that is not a text."
    TOO_DEEP = "GJ017", "More nesting than any of our files needs."


# Kustomize (go-yaml) cannot read these back, not even from an escape that it wrote itself.
UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# As they are, these also end a line or vanish for YAML 1.1 readers; an escape in quotes is fine.
_INVISIBLE: Final = "\u2028\u2029\ufeff"
_REFUSED: Final = re.compile(f"{UNWRITABLE.pattern}|[{_INVISIBLE}]")
_CONFLICT: Final = re.compile(r"^(?:<{7}|>{7}|\|{7})(?= |$)|^={7}$", re.MULTILINE)
_SHOWN_AT_MOST: Final = 20


def finding(code: Code, location: Location, message: str, hint: str = "") -> Diagnostic:
    """Return the diagnostic of one problem of reading."""
    return Diagnostic(code.value, message, location, hint)


def read_bytes(path: Path, file: str, max_bytes: int = MAX_BYTES) -> bytes | Diagnostic:
    """Return the bytes of a regular file of at most `max_bytes`, or why not. Raises nothing.

    A larger file is not read; a pipe or a device is not opened, because that may block for ever.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return _not_a_file(status.st_mode, file)
        if status.st_size > max_bytes:
            return _too_large(status.st_size, file, max_bytes)
        with path.open("rb") as stream:
            return stream.read(max_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL or a lone surrogate in the path
        reason = getattr(error, "strerror", None) or str(error)
        return finding(
            Code.UNREADABLE_FILE, Location(file), f"cannot read the file: {reason.lower()}"
        )


def decode(
    source: bytes, file: str, max_bytes: int = MAX_BYTES
) -> tuple[str | None, list[Diagnostic]]:
    r"""Return the text with `\n` line ends and without byte order mark, beside the findings.

    The text is None when parsing it would only repeat what was found.
    """
    if len(source) > max_bytes:
        return None, [_too_large(len(source), file, max_bytes)]
    try:
        text = source.decode()
    except UnicodeDecodeError as error:
        return None, [_not_utf_8(error, file)]
    found = [*_byte_order_mark(text, file), *_carriage_return(text, file)]
    text = text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    fatal = [*_conflict_marker(text, file), *_refused_characters(text, file)]
    return (None if fatal else text), found + fatal


def _not_a_file(mode: int, file: str) -> Diagnostic:
    kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"
    return finding(Code.UNREADABLE_FILE, Location(file), f"found {kind}; expected a file")


def _too_large(size_bytes: int, file: str, max_bytes: int) -> Diagnostic:
    limit = f"{max_bytes} ({max_bytes // MAX_BYTES} MiB)"
    message = f"found {size_bytes} bytes; expected at most {limit}"
    return finding(Code.TOO_LARGE, Location(file), message, "keep data in files of its own")


def _not_utf_8(error: UnicodeDecodeError, file: str) -> Diagnostic:
    before = error.object[: error.start].decode().removeprefix(BYTE_ORDER_MARK)
    message = f"found the byte 0x{error.object[error.start]:02x}, which is not UTF-8"
    hint = "save the file as UTF-8"
    return finding(Code.NOT_UTF_8, _at_offset(file, before, len(before)), message, hint)


def _byte_order_mark(text: str, file: str) -> Iterator[Diagnostic]:
    if text.startswith(BYTE_ORDER_MARK):
        message = "found a byte order mark at the start of the file"
        hint = "save the file as UTF-8 without BOM"
        yield finding(Code.BYTE_ORDER_MARK, _at_offset(file, text, 0), message, hint)


def _carriage_return(text: str, file: str) -> Iterator[Diagnostic]:
    text = text.removeprefix(BYTE_ORDER_MARK)
    offset = text.find("\r")
    if offset >= 0:
        name = "CRLF" if text.startswith("\r\n", offset) else "CR"
        message = f"found a line that ends in {name}; expected LF"
        hint = "save the file with LF line ends; '*.yaml text eol=lf' in .gitattributes keeps them"
        yield finding(Code.CARRIAGE_RETURN, _at_offset(file, text, offset), message, hint)


def _conflict_marker(text: str, file: str) -> Iterator[Diagnostic]:
    if marker := _CONFLICT.search(text):
        location = _at_offset(file, text, marker.start(), width=7)
        message = "found a Git conflict marker"
        yield finding(Code.CONFLICT_MARKER, location, message, "resolve the merge")


def _refused_characters(text: str, file: str) -> Iterator[Diagnostic]:
    for count, match in enumerate(_REFUSED.finditer(text)):
        if count == _SHOWN_AT_MOST:
            return
        location = _at_offset(file, text, match.start())
        yield unwritable_character(match[0], location)


def unwritable_character(character: str, location: Location) -> Diagnostic:
    """Return the finding of a character that cannot stand in a YAML file as it is."""
    number = f"{ord(character):04X}"
    message = f"found the character U+{number}, which YAML files cannot hold"
    escape = f'remove it, or write it as "\\u{number.lower()}" in double quotes'
    hint = escape if character in _INVISIBLE else "remove it"
    return finding(Code.UNWRITABLE_CHARACTER, location, message, hint)


def _at_offset(file: str, text: str, offset: int, *, width: int = 1) -> Location:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return Location(file, line, column, column + width)
