"""A text with a grammar of its own → whether its reader understands it, and so the problem."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.variable import Grammar
from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.variables.problem import Problem
from genjob.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from genjob.catalog.variables.variable import Variable

_OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_IPV4_SUBNET: Final = rf"{_OCTET}(?:\.{_OCTET}){{3}}/(?:3[0-2]|[12]?[0-9])"
_IPV6_SUBNET: Final = r"[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])"
_POLICY: Final = "(?:DEFAULT|EFFICIENCY|ZERO)"
_SHAPES: Final = {
    Grammar.ADDRESS: r"(?:\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[^\s:\[\]]+):[0-9]{1,5}",
    Grammar.NICS_PER_GPU: r"(?i:AUTO|ALL|MAX:[0-9]+)",
    Grammar.NIC_GROUPS: r"[^,;\s]+(?:,[^,;\s]+)*(?:;[^,;\s]+(?:,[^,;\s]+)*)*",
    Grammar.NODES: r"[0-9]+(?::[0-9]+)?",
    Grammar.POLICIES: rf"(?i:[012]|{_POLICY}(?:\|{_POLICY})*)",
    Grammar.PROCESSES: r"[0-9]+|auto|gpu|cpu|xpu",
    Grammar.SUBNET: rf"{_IPV4_SUBNET}|{_IPV6_SUBNET}",
}
"""Grammar → its shape; compiled when it is asked for, because every command imports this."""

_BOOLEANS: Final = frozenset(
    {
        "expandable_segments",
        "graph_capture_record_stream_reuse",
        "pinned_use_background_threads",
        "pinned_use_cuda_host_register",
        "release_lock_on_cudamalloc",
        "throw_on_cudamalloc_oom",
    }
)
_BACKENDS: Final = ("native", "cudaMallocAsync")
_OPTION: Final = r"([^:,\[\]]+):(\[[^\[\]]*\]|[^:,\[\]]+)"


def check_shape(variable: Variable, text: str) -> Problem | None:
    """Return the problem of a text that is not of its grammar's shape, or None."""
    shape = _SHAPES[variable.grammar or Grammar.ADDRESS]
    return None if re.fullmatch(shape, text) else _unlike(variable, text)


def check_path(variable: Variable, text: str) -> Problem | None:
    """Return the problem of a path that nobody expands, or None."""
    if not text.startswith("~") or text == variable.default:
        return None
    message = f"{variable.name} {quoted(text)} begins with '~', which only a shell expands"
    return Problem(Code.MALFORMED_LIST, message, "write the whole path")


def check_allocator(variable: Variable, text: str) -> Problem | None:
    """Return the problem of the options of PyTorch's allocator, or None.

    The allocator drops blanks, and stops on an option that it does not know.
    Source: PyTorch 2.14.1, c10/core/AllocatorConfig.h.
    """
    rest = "".join(text.split())
    while rest:
        option = re.match(_OPTION, rest)
        if option is None or rest[option.end() : option.end() + 1] not in ("", ","):
            return _unlike(variable, text)
        if fault := _option(variable, *option.groups()):
            return fault
        rest = rest[option.end() + 1 :]
    return None


def _option(variable: Variable, key: str, value: str) -> Problem | None:
    if key not in variable.choices:
        hint = did_you_mean(key, variable.choices)
        message = f"{variable.name} has no option {quoted(key)}"
        severity = Severity.ERROR if hint else Severity.WARNING
        return Problem(Code.UNKNOWN_WORD, message, hint, severity)
    known = ("True", "False") if key in _BOOLEANS else _BACKENDS if key == "backend" else ()
    if not known or value in known:
        return None
    message = f"{variable.name} has {quoted(value)} for {key}"
    alike = next((word for word in known if word.casefold() == value.casefold()), None)
    hint = f"write {key}:{alike}" if alike else f"write {key}:{known[0]} or {key}:{known[1]}"
    return Problem(Code.UNKNOWN_WORD, message, hint)


def _unlike(variable: Variable, text: str) -> Problem:
    grammar = variable.grammar.value if variable.grammar else ""
    message = f"{variable.name} {quoted(text)} is not understood"
    return Problem(Code.MALFORMED_LIST, message, f"write {grammar}")
