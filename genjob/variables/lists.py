"""The text of a list → whether its reader splits it as it was meant, and so the problem.

NCCL splits at commas, takes blanks literally, and looks for ^ and = once, before the first name.
Source: NVIDIA/nccl 2.30.7, src/misc/socket.cc and src/transport/net_ib; the user guide's chapter
Environment Variables for the grammar of NCCL_ALGO.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.variable import Grammar
from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.variables.problem import Problem
from genjob.variables.words import check_word
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from genjob.catalog.variables.variable import Variable

COLLECTIVES: Final = ("broadcast", "reduce", "allgather", "reducescatter", "allreduce")

_INTERFACE: Final = r"[A-Za-z0-9_.:@-]+"
_HCA: Final = r"[A-Za-z0-9_.-]+(?::[0-9]*(?::(?:-?[0-9]+)?(?::(?:-?[0-9]+)?)?)?)?"
_ITEMS: Final = {
    Grammar.INTERFACES: (_INTERFACE, "the name of an interface"),
    Grammar.EXACT_NAMES: (_INTERFACE, "the name of an interface"),
    Grammar.HCAS: (_HCA, "a device as name:port:rail:plane"),
}
_OLD_ALGORITHM: Final = "collnet"


def check_names(variable: Variable, text: str) -> Problem | None:
    """Return the problem of a list of interfaces or RDMA devices, or None."""
    takes_signs = variable.grammar is not Grammar.EXACT_NAMES
    if takes_signs and len(text) == 1:
        return _malformed(variable, text, "is ignored: NCCL takes no name of one letter")
    names = re.sub(r"\A\^?=?", "", text) if takes_signs else text
    return (
        _blank(variable, text)
        or _signs(variable, text, names, takes_signs=takes_signs)
        or _items(variable, text, names.split(","))
    )


def check_signed_words(variable: Variable, text: str) -> Problem | None:
    """Return the problem of a list of words with ^ before those to leave out, or None."""
    if fault := _blank(variable, text):
        return fault
    words = [word.removeprefix("^") for word in text.split(",")]
    return next(filter(None, (check_word(variable, word) for word in words)), None)


def check_per_collective(variable: Variable, text: str) -> Problem | None:
    """Return the problem of a list of algorithms or protocols, or None.

    From NCCL 2.24 on an unknown word stops the start, and blanks belong to the word.
    """
    if fault := _blank(variable, text):
        return fault
    for index, entry in enumerate(text.split(";")):
        collective, colon, words = entry.rpartition(":")
        if fault := _collective(variable, text, collective, is_named=bool(colon) or not index):
            return fault
        for word in words.removeprefix("^").split(","):
            if fault := _token(variable, text, word, is_all=not colon):
                return fault
    return None


def _blank(variable: Variable, text: str) -> Problem | None:
    if not any(letter.isspace() for letter in text):
        return None
    fault = _malformed(variable, text, "has a blank, which becomes part of a name")
    tight = re.sub(r"\s*([,;:^=])\s*", r"\1", text.strip())
    hint = "remove it" if any(map(str.isspace, tight)) else f"write {quoted(tight)}"
    return Problem(fault.code, fault.message, hint)


def _signs(variable: Variable, text: str, names: str, *, takes_signs: bool) -> Problem | None:
    sign = next((sign for sign in "^=" if sign in names), "")
    if not sign:
        return None
    bare = re.sub("[\\^=]", "", names)
    if not takes_signs:
        reason = f"has {quoted(sign)}, which is taken as part of a name: names stand alone here"
        hint = "write the names to use" if "^" in text else f"write {quoted(bare)}"
        return _malformed(variable, text, reason, hint)
    reason = f"has {quoted(sign)} inside: ^ and = stand once, in this order, before the first name"
    if "^" in names and not text.startswith(("^", "=^")):
        hint = "write only the names to use, or ^ and only those to leave out"
        return _malformed(variable, text, reason, hint)
    ahead = "".join(sign for sign in "^=" if sign in text)
    return _malformed(variable, text, reason, f"write {quoted(ahead + bare)}")


def _items(variable: Variable, text: str, names: list[str]) -> Problem | None:
    pattern, what = _ITEMS[variable.grammar or Grammar.INTERFACES]
    if variable.max_items is not None and len(names) > variable.max_items:
        reason = f"names {len(names)} of them, NCCL takes {variable.max_items}"
        return _malformed(variable, text, reason, "name fewer, by a prefix that they share")
    if "" in names:
        fault = _malformed(variable, text, "has an empty name")
        return Problem(fault.code, fault.message, "remove a comma", Severity.WARNING)
    wrong = next((name for name in names if not re.fullmatch(pattern, name)), None)
    if wrong is None:
        return None
    return _malformed(variable, text, f"has {quoted(wrong)}, expected {what}")


def _collective(variable: Variable, text: str, name: str, *, is_named: bool) -> Problem | None:
    if not is_named:
        reason = "does not name the collective of an entry behind a semicolon"
        return _malformed(variable, text, reason, f"write {Grammar.PER_COLLECTIVE.value}")
    if not name or name.casefold() in COLLECTIVES:
        return None
    hint = did_you_mean(name, COLLECTIVES) or f"write {one_of(COLLECTIVES)}"
    return _malformed(variable, text, f"names the collective {quoted(name)}", hint)


def _token(variable: Variable, text: str, word: str, *, is_all: bool) -> Problem | None:
    if not word:
        return _malformed(variable, text, "has an empty word", "remove a comma")
    if word.casefold() == _OLD_ALGORITHM and "CollnetChain" in variable.choices:
        message = f"{variable.name} does not know {quoted(word)} since NCCL 2.14"
        return Problem(Code.UNKNOWN_WORD, message, "write 'CollnetDirect', 'CollnetChain' or both")
    if is_all and word.casefold() in COLLECTIVES:
        hint = f"write {quoted(f'{word}:{variable.choices[0]}')}"
        return _malformed(variable, text, f"names {quoted(word)} without a word for it", hint)
    return check_word(variable, word)


def _malformed(variable: Variable, text: str, reason: str, hint: str = "") -> Problem:
    message = f"{variable.name} {quoted(text)} {reason}"
    return Problem(Code.MALFORMED_LIST, message, hint)
