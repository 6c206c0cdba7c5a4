"""A row of the tables → how a person reads and writes its values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.catalog.variables.variable import PREFIX, Grammar, ValueType
from genjob.quantity import binary_text
from genjob.variables.names import field_name
from genjob.variables.numbers import expected
from genjob.wording import one_of

if TYPE_CHECKING:
    from genjob.catalog.variables.variable import Variable

_PLAIN: Final = re.compile(r"\[[=\w]+, \w+\]|[-/.\w]+")
"""Values that YAML takes as they stand, between braces too."""

FLAGS: Final = (ValueType.FLAG01, ValueType.FLAG_WORD)

_EXAMPLES: Final[dict[Grammar, str]] = {
    Grammar.INTERFACES: "eth0",
    Grammar.HCAS: "[=mlx5_0, mlx5_1]",
    Grammar.EXACT_NAMES: "[eth1, eth2]",
    Grammar.SIGNED_WORDS: "[INIT, NET]",
    Grammar.NICS_PER_GPU: "MAX:2",
    Grammar.NIC_GROUPS: "mlx5_0,mlx5_1;mlx5_2,mlx5_3",
    Grammar.POLICIES: "EFFICIENCY",
    Grammar.ALLOCATOR: "expandable_segments:True",
    Grammar.SUBNET: "10.0.0.0/8",
    Grammar.ADDRESS: "localhost:28028",
    Grammar.PATH: "/path/in/the/container",
    Grammar.NODES: "2:8",
    Grammar.PROCESSES: "auto",
}
_OTHER_EXAMPLES: Final[dict[str, str]] = {
    "NCCL_ALGO": "[Ring, Tree]",
    "NCCL_DEBUG": "WARN",
    "NCCL_DEBUG_TIMESTAMP_LEVELS": "[WARN, INFO]",
    "NCCL_NET": "Socket",
    "NCCL_NET_GDR_LEVEL": "PHB",
    "NCCL_P2P_LEVEL": "NVL",
    "NCCL_PROTO": "Simple",
}
"""Variables whose grammar's example would not be theirs."""


def is_field(variable: Variable) -> bool:
    """Tell whether a variable may stand under `nccl:`."""
    return variable.name.startswith(PREFIX)


def accepted(variable: Variable) -> str:
    """Return what a variable may be, in words: `0 or 1`, `an integer from 0 to 31`, `bytes …`."""
    words = one_of(variable.newer_choices or variable.choices).replace("'", "")
    unit = f", in {variable.unit}" if variable.unit else ""
    match variable.type:
        case ValueType.FLAG01 | ValueType.FLAG_WORD:
            return "true or false" if is_field(variable) else "0 or 1"
        case ValueType.INTEGER | ValueType.CODE:
            besides = f", or {words}" if variable.type is ValueType.INTEGER and words else ""
            return f"{expected(variable)}{unit}{besides}"
        case ValueType.SIZE:
            power = ", a power of two" if variable.power_of_two else ""
            return f"bytes, such as 8Mi{power}" if is_field(variable) else f"bytes{power}"
        case ValueType.CHOICE:
            return words
        case _:  # a list or a text
            what = variable.grammar.value if variable.grammar else variable.type.value
            return f"{what}; known: {words}" if words else what


def default_of(variable: Variable) -> str | None:
    """Return the default as a person writes the value, None where it is chosen at run time."""
    default = variable.default
    if default is None or not is_field(variable):
        return default
    if variable.type in FLAGS:
        return "true" if default in {"1", "true"} else "false"
    if variable.type is ValueType.SIZE and int(default) > 0:
        return binary_text(int(default))
    return default


def example(variable: Variable) -> str:
    """Return a line of experiment.yaml that sets a variable."""
    value = _OTHER_EXAMPLES.get(variable.name) or _example_value(variable)
    if not is_field(variable):
        text = value.strip("[]").replace(", ", ",")
        return f'env: {{{variable.name}: "{text}"}}'
    written = value if _PLAIN.fullmatch(value) else f'"{value}"'
    return f"nccl: {{{field_name(variable.name)}: {written}}}"


def _example_value(variable: Variable) -> str:
    if variable.grammar in _EXAMPLES:
        return _EXAMPLES[variable.grammar]
    match variable.type:
        case ValueType.FLAG01 | ValueType.FLAG_WORD:
            is_on = variable.default in {"1", "true"}
            return str(not is_on).lower() if is_field(variable) else str(int(not is_on))
        case ValueType.INTEGER:
            return variable.default or str(variable.minimum or 1)
        case ValueType.CODE | ValueType.CHOICE:
            return variable.default or variable.choices[0]
        case ValueType.SIZE:
            return default_of(variable) or "8Mi"
        case _:  # a list or a text
            return variable.default or "…"
