"""One row of the tables of environment variables: what a variable is, what it may be, who says so.

Plain values and no checks: `genjob.variables` reads them. Importing all tables takes a few
milliseconds, so that every command can afford them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

PREFIX: Final = "NCCL_"
"""What every variable that may stand under `nccl:` begins with."""

LEVELS: Final = ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS")
"""How far apart two devices may be, nearest first; NCCL compares these letter by letter."""

OLD_LEVELS: Final = ("LOC", "PIX", "PXB", "PHB", "SYS")
"""What the numbers 0 to 4 meant as levels; a larger number meant SYS."""

VERBS: Final = ("infiniband", "roce", "azure-ib", "oci-roce", "coreweave-ib", "gcp-gib")
ROCE: Final = ("roce", "oci-roce", "coreweave-ib", "gcp-gib")
SHARP: Final = ("infiniband", "azure-ib", "coreweave-ib")
TCP: Final = ("ethernet", "gcp-tcpx")
EFA: Final = ("aws-efa",)
TCPX: Final = ("gcp-tcpx",)
TCPXO: Final = ("gcp-tcpxo",)
GOOGLE_TCP: Final = ("gcp-tcpx", "gcp-tcpxo")
GOOGLE_SHIM: Final = ("gcp-tcpxo", "gcp-gib")
"""Fabric profiles on which a variable means anything; an empty tuple means all of them."""


class ValueType(StrEnum):
    """How the program that reads a variable takes its text."""

    FLAG01 = "0 or 1"
    FLAG_WORD = "flag"  # takes words too: true, yes, no …
    INTEGER = "integer"
    CODE = "number"  # an integer of a few
    CHOICE = "word"  # a word of a few
    LIST = "list"
    SIZE = "size"  # bytes, without a unit
    TEXT = "text"


FLAG01, FLAG_WORD = ValueType.FLAG01, ValueType.FLAG_WORD
INTEGER, CODE, CHOICE = ValueType.INTEGER, ValueType.CODE, ValueType.CHOICE
LIST, SIZE, TEXT = ValueType.LIST, ValueType.SIZE, ValueType.TEXT


class Grammar(StrEnum):
    """How a list or a text is built, beyond its type."""

    INTERFACES = "names with commas between; ^ and = once, in this order, before the first"
    HCAS = "name:port:rail:plane with commas between; ^ and = once, before the first"
    EXACT_NAMES = "names with commas between"
    SIGNED_WORDS = "words with commas between; ^ excludes"
    PER_COLLECTIVE = "words with commas between; ^ excludes; or collective:words;collective:words"
    NICS_PER_GPU = "AUTO, ALL or MAX:N"
    NIC_GROUPS = "names with commas between, groups with semicolons between"
    POLICIES = "0 to 2, or words with bars between"
    ALLOCATOR = "key:value with commas between"
    SUBNET = "an address and the length of its prefix, such as 10.0.0.0/8"
    ADDRESS = "host:port, IPv6 in brackets"
    PATH = "a path in the container"
    NODES = "a number, or least:most"
    PROCESSES = "a number, auto, gpu, cpu or xpu"
    THREADS = "a number, or one for each level of nesting with commas between"


class Section(StrEnum):
    """What NVIDIA says of keeping a variable: the two halves of its chapter, or not a word."""

    SYSTEM = "for permanent settings"
    DEBUGGING = "for debugging; NVIDIA advises against keeping it"
    UNDOCUMENTED = "in the source only; may change"


class Variable(NamedTuple):
    """One environment variable; a named tuple, because four hundred of them are made at import.

    `default` is None where it is chosen at run time. `minimum` and `maximum` are inclusive, in
    `unit`. `choices` are words as the reader spells them (of an integer: words it takes besides);
    `newer_choices` are words that only recent releases know. `case_sensitive` is None where nobody
    says. `since`, `deprecated` and `removed` name releases of the program that reads the variable.
    `obsolete` marks a deprecated name that newer releases warn about or no longer read.
    `source` is a key of `SOURCES`. `fabrics` are profiles; empty means all.
    """

    name: str
    type: ValueType
    meaning: str
    source: str
    default: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    newer_choices: tuple[str, ...] = ()
    case_sensitive: bool | None = None
    unit: str = ""
    separator: str = ","
    grammar: Grammar | None = None
    max_items: int | None = None
    power_of_two: bool = False
    since: str = ""
    deprecated: str = ""
    removed: str = ""
    replaced_by: str = ""
    obsolete: bool = False
    fabrics: tuple[str, ...] = ()
    operator_sets: bool = False
    section: Section | None = None
    confidence: str = "high"
    note: str = ""
