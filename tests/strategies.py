"""Hypothesis strategies for JSON values, manifests and pairs of them, shared by the laws."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from genjob.jsontypes import Json, JsonObject

T = TypeVar("T")

AWKWARD_WORDS = (
    *(
        "1e-4",
        "1e3",
        "3e-05",
        "1e",
        "1E5",
        "+.5",
        ".5",
        "5.",
        "1.0",
        "1.10",
        "-1",
        "+1",
        "-0",
        "00",
    ),
    *("0o17", "08", "010", "012", "0x1F", "0b1", "1_000", "1,000", "1:30", "12:30:00", "-.inf"),
    *(".nan", "nan", "NaN", "inf", "Infinity", "y", "Y", "n", "N", "yes", "Yes", "no", "NO", "on"),
    *("off", "Off", "true", "True", "false", "~", "null", "Null", "NULL", "nil", "None", "=", "<<"),
    *(
        "-",
        "--",
        "---",
        "...",
        "?",
        ":",
        "#",
        "@",
        "`",
        "%",
        "&",
        "*",
        "!",
        "|",
        ">",
        "{}",
        "[]",
        ",",
    ),
    *(
        "- a",
        "? a",
        ": a",
        "a:",
        "a: b",
        "a #b",
        "a#b",
        "#a",
        "@a",
        "%a",
        "&a",
        "*a",
        "!a",
        "!!str",
    ),
    *("|-", ">-", "{a: b}", "[a]", "{", "}", "[", "]", "'", '"', "'a'", '"a"', "it's", "\\", "\\n"),
    *("", " ", "  ", " a", "a ", "a b", "\t", "\ta", "a\t", "a\tb", "\n", "\n\n", "a\n", "a\n\n"),
    *(
        "a\nb",
        "a\nb\n",
        "\na",
        " a\nb",
        "a\n b\n",
        "a\n\n\nb",
        "a \nb",
        "a\n\tb",
        "a\r\nb\r\n",
        "a\r",
    ),
    *(
        "# a\nb\n",
        "---\na\n",
        "...\n",
        "- a\n- b\n",
        "a: b\n",
        "%a\n",
        "a\n---\nb",
        "a\n ",
        "a\n \n",
    ),
    *("2001-01-01", "2001-01-01T00:00:00Z", "2001-01-01 00:00:00", "é", "naïve", "日本", "😀"),
    *("a\u2028b", "a\u2029\nb", "\ufeff", "a\ufeffb\n", "\u00a0", "\u00ad", "\u200b", "a\u00a0\nb"),
    *("$(A)", "${A}", "$A", "--lr=1e-4", "/data", "registry:5000/a/b:1.0", "sha256:0a", "a/b:c"),
    *(
        "_",
        "_1",
        "__",
        "e1",
        "a.b",
        "a@b",
        "/",
        "//",
        "a::b",
        "a:1",
        "10Gi",
        "1000m",
        "100%",
        "k8s",
    ),
)
"""Strings that some YAML reader or writer takes for something else."""

_CHARACTERS = st.characters(
    codec="utf-8",
    exclude_categories=("Cc", "Cs"),
    exclude_characters="\ufffe\uffff",
    include_characters="\t\n\r",
)

_NAMES = st.sampled_from(
    ("pytorch", "LR", "data", "no", "1e-4", "a/b", "~", "dshm", "08", "sidecar")
)

NEIGHBOURS: SearchStrategy[Json] = st.sampled_from(("1", 1, True, 1.5, "", 0, False, None, "no"))
"""Values that a careless comparison takes for equal."""


def by_type(value: Json) -> str:
    """Return a text that is the same for values equal by JSON type, in any order of keys.

    The laws compare by it, so that `json_equal` is on trial with the rest.
    """
    return json.dumps(value, sort_keys=True)


def words() -> SearchStrategy[str]:
    """Return every string that may be written, often an awkward one."""
    return st.sampled_from(AWKWARD_WORDS) | st.text(_CHARACTERS, max_size=12)


def keys() -> SearchStrategy[str]:
    """Return every key that may be written: Kustomize drops `<<` from a mapping."""
    return words().filter(lambda word: word != "<<")


def scalars() -> SearchStrategy[Json]:
    """Return every scalar that may be written."""
    exact = 2**53
    return (
        st.none()
        | st.booleans()
        | st.integers(-exact, exact)
        | st.floats(allow_nan=False, allow_infinity=False).map(
            lambda number: number + 0.0
        )  # no -0.0
        | words()
    )


def kubernetes_scalars() -> SearchStrategy[Json]:
    """Return scalars that Kustomize keeps by JSON type: it writes the float `1.0` as `1`."""
    return scalars().filter(lambda value: not isinstance(value, float) or not value.is_integer())


def json_values(leaves: SearchStrategy[Json]) -> SearchStrategy[Json]:
    """Return trees of mappings and lists over `leaves`."""
    return st.recursive(
        leaves,
        lambda below: st.lists(below, max_size=4) | st.dictionaries(keys(), below, max_size=4),
        max_leaves=12,
    )


def json_objects() -> SearchStrategy[JsonObject]:
    """Return mappings of any JSON below."""
    return st.dictionaries(keys(), json_values(scalars()), max_size=5)


def named_lists(values: SearchStrategy[Json]) -> SearchStrategy[list[Json]]:
    """Return lists of objects, each with a name of its own, as `env` and `containers` are."""
    fields = st.fixed_dictionaries(
        {"value": values, "image": NEIGHBOURS}, optional={"path": NEIGHBOURS}
    )
    items = st.tuples(_NAMES, fields)
    named = st.lists(items, unique_by=lambda item: item[0], min_size=1, max_size=5)
    return named.map(lambda found: [{**item, "name": name} for name, item in found])


_ENV = named_lists(kubernetes_scalars())
_CONTAINERS = named_lists(_ENV | kubernetes_scalars() | json_values(kubernetes_scalars()))
_POD = st.fixed_dictionaries({"containers": _CONTAINERS}, optional={"volumes": _ENV})
_REST = st.dictionaries(keys(), json_values(kubernetes_scalars()), max_size=2)
_SCALARS = kubernetes_scalars()
_DICE = st.integers(0, 5)


def specs() -> SearchStrategy[JsonObject]:
    """Return the content of a CRD-like `spec`: named lists in named lists beside other JSON."""
    return st.builds(lambda pod, rest: {**rest, "template": {"spec": pod}}, _POD, _REST)


@st.composite
def spec_pairs(draw: DrawFn) -> tuple[JsonObject, JsonObject]:
    """Return a base `spec` and, most often, an edited copy of it; else an unrelated one."""
    base = draw(specs())
    wanted = _edited(draw, base) if _mostly(draw) else draw(specs())
    assert isinstance(wanted, dict)
    return base, wanted


def _edited(draw: DrawFn, value: Json) -> Json:
    """Return a copy with items kept, changed, removed, inserted or in another order."""
    if isinstance(value, dict):
        kept = {key: _edited(draw, child) for key, child in value.items() if _mostly(draw)}
        return {**kept, "name": value["name"]} if "name" in value else kept
    if isinstance(value, list):
        return _edited_list(draw, value)
    return value if _mostly(draw) else draw(NEIGHBOURS if draw(st.booleans()) else _SCALARS)


def _edited_list(draw: DrawFn, items: list[Json]) -> list[Json]:
    kept = [_edited(draw, item) for item in items if _mostly(draw)]
    for new in _with_new_names(draw(_ENV), kept) if draw(st.booleans()) else []:
        kept.insert(draw(st.integers(0, len(kept))), new)
    return kept if _mostly(draw) else draw(st.permutations(kept))


def _with_new_names(items: list[Json], taken: list[Json]) -> list[Json]:
    names = [item["name"] for item in taken if isinstance(item, dict) and "name" in item]
    return [item for item in items if isinstance(item, dict) and item["name"] not in names]


def _mostly(draw: DrawFn) -> bool:
    return draw(_DICE) < 5


def sample(strategy: SearchStrategy[T], count: int) -> list[T]:
    """Return the same `count` examples each time, for a law that is checked on a batch."""
    found: list[T] = []

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(strategy)
    def collect(value: T) -> None:
        found.append(value)

    collect()
    return found
