"""YAML as Kustomize and this program print it → JSON values.

Both quote every string that YAML 1.1 or 1.2 would read as something else, so what stands plain
and looks like a JSON scalar is one, and all else that stands plain is text: `=`, `<<`, `0o8`,
`infinity` and `1,000` too, which PyYAML's own resolver stumbles over.
Source: measured with Kustomize v5.8.1 on the strings of tests/test_kubeyaml.py.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, cast

import yaml

if TYPE_CHECKING:
    from genjob.jsontypes import Json

_PLAIN = (
    ("null", r"(?:null|~|)\Z", ["n", "~", ""]),
    ("bool", r"(?:true|false)\Z", ["t", "f"]),
    ("int", r"-?(?:0|[1-9][0-9]*)\Z", list("-0123456789")),
    ("float", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z", list("-0123456789")),
)


class _Loader(yaml.CSafeLoader):
    """PyYAML's fast loader, with nothing but JSON's own scalars resolved."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML fills it per class, just below


for _tag, _pattern, _first in _PLAIN:
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _first)


def _float(_: _Loader, node: yaml.ScalarNode) -> float | str:
    """Return a number, or the text of one that no float64 holds: Go reads `1e1000` as text."""
    number = float(node.value)
    return number if math.isfinite(number) else str(node.value)


_Loader.add_constructor("tag:yaml.org,2002:float", _float)


def read_documents(text: str) -> list[Json]:
    """Return the documents of a YAML stream, the empty ones left out.

    Raises ValueError with one line for text that is not YAML.
    """
    try:
        documents = list(yaml.load_all(text, Loader=_Loader))
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    return cast("list[Json]", [found for found in documents if found is not None])
