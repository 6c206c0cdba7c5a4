"""Fields of `nccl:`: the one way to write each value, and the text that NCCL is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema
import pytest
import yaml

from genjob.catalog.variables import FIELDS, REGISTRY
from genjob.diagnostics import Severity
from genjob.variables import check_field, render_field
from genjob.variables.schema import json_schema
from genjob.variables.values import example, is_field

if TYPE_CHECKING:
    from genjob.jsontypes import Json

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
LEVELS = "'LOC', 'NVL', 'NVB', 'C2C', 'PIX', 'PXB', 'P2C', 'PXN', 'PHB' or 'SYS'"
INSIDE = "inside: ^ and = stand once, in this order, before the first name"
VALIDATOR = jsonschema.Draft202012Validator(json_schema())


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("ib_disable", True, "1"),
        ("ib_disable", False, "0"),
        ("warn_enable_debug_info", True, "1"),
        ("ib_timeout", 22, "22"),
        ("ib_gid_index", -1, "-1"),
        ("nvls_enable", 2, "2"),
        ("cumem_enable", -2, "-2"),
        ("socket_magic", 0x1234, "4660"),
        ("buffsize", "8Mi", "8388608"),
        ("buffsize", 4194304, "4194304"),
        ("ib_ar_threshold", "0.5Ki", "512"),
        ("debug", "WARN", "WARN"),
        ("p2p_level", "NVB", "NVB"),
        ("ib_hca", ["=mlx5_0", "mlx5_1"], "=mlx5_0,mlx5_1"),
        ("ib_hca", "^mlx5_3", "^mlx5_3"),
        ("socket_ifname", ["^lo", "docker"], "^lo,docker"),
        ("thread_thresholds", [8, 16], "8 16"),
        ("algo", ["Ring", "Tree"], "Ring,Tree"),
        ("algo", "allreduce:tree;broadcast:ring", "allreduce:tree;broadcast:ring"),
        ("topo_file", "/etc/topo.xml", "/etc/topo.xml"),
        ("proxy_cpuset", 3, "3"),
        ("gin_ib_tc", 3, "3"),
    ],
)
def test_a_value_is_rendered_as_its_reader_takes_it(field: str, value: Json, expected: str) -> None:
    assert check_field(field, value) is None
    assert expected == render_field(field, value)


@pytest.mark.parametrize(
    ("field", "value", "found", "hint"),
    [
        ("ib_disable", 1, "1 (integer); expected true or false", "write true"),
        ("ib_disable", "0", "'0' (string); expected true or false", "write false"),
        ("ib_disable", "yes", "'yes' (string); expected true or false", "write true"),
        ("ib_disable", None, "null; expected true or false", ""),
        ("cross_nic", True, "true (boolean); expected 0, 1 or 2", "write 1"),
        (
            "ib_timeout",
            "022",
            "'022' (string); expected an integer from 0 to 31",
            "write 22 without quotes or leading zeros",
        ),
        ("ib_timeout", 22.0, "22.0 (number); expected an integer from 0 to 31", ""),
        (
            "buffsize",
            "8MB",
            "'8MB' (string); expected a whole number of bytes such as 8Mi or 8388608",
            "write 8Mi",
        ),
        (
            "buffsize",
            "1000 GB",
            "'1000 GB' (string); expected a whole number of bytes such as 8Mi or 8388608",
            "write 1000Gi",
        ),
        (
            "buffsize",
            1.5,
            "1.5 (number); expected a whole number of bytes such as 8Mi or 8388608",
            "",
        ),
        (
            "buffsize",
            "100m",
            "'100m' (string); expected a whole number of bytes such as 8Mi or 8388608",
            "",
        ),
        ("p2p_level", 4, f"4 (integer); expected {LEVELS}", ""),
        ("ib_hca", [], "an empty list; expected a list or a text", ""),
        ("ib_hca", ["mlx5_0", None], "null; expected a text", ""),
        ("ib_hca", {"=": "mlx5_0"}, "a mapping; expected a list or a text", ""),
        ("topo_file", True, "true (boolean); expected a text", "write it in quotes"),
        ("topo_file", ["a"], "a list of 1; expected a text", ""),
        ("topo_file", "", "an empty string; expected a text", ""),
    ],
)
def test_a_value_of_another_type_is_refused(field: str, value: Json, found: str, hint: str) -> None:
    problem = check_field(field, value)
    assert problem is not None
    assert ("GJ203", ERROR, f"found {found}", hint, False) == (
        problem.code,
        problem.severity,
        problem.message,
        problem.hint,
        problem.at_key,
    )


@pytest.mark.parametrize(
    "row",
    [
        (
            "debug",
            "warn",
            "GJ205",
            ERROR,
            "found 'warn' (string); expected 'VERSION', 'WARN', 'INFO', 'ABORT' or 'TRACE'",
            "did you mean 'WARN'?",
        ),
        (
            "p2p_level",
            "phb",
            "GJ205",
            ERROR,
            f"found 'phb' (string); expected {LEVELS}",
            "did you mean 'PHB'?",
        ),
        (
            "ib_timeout",
            1800,
            "GJ204",
            ERROR,
            "NCCL_IB_TIMEOUT 1800 is out of range",
            "write an integer from 0 to 31",
        ),
        (
            "buffsize",
            "8M",
            "GJ204",
            WARNING,
            "NCCL_BUFFSIZE 8000000 is not a power of two",
            "write 4194304 or 8388608",
        ),
        (
            "ib_hca",
            ["=mlx5_0", "=mlx5_1"],
            "GJ206",
            ERROR,
            f"NCCL_IB_HCA '=mlx5_0,=mlx5_1' has '=' {INSIDE}",
            "write '=mlx5_0,mlx5_1'",
        ),
        (
            "max_nchannels",
            4,
            "GJ207",
            INFO,
            "'max_nchannels' is deprecated since NCCL 2.17",
            "write max_ctas, from NCCL 2.17 on",
        ),
        (
            "blocking_wait",
            True,
            "GJ207",
            WARNING,
            "'blocking_wait' is deprecated since PyTorch 2.2",
            "write TORCH_NCCL_BLOCKING_WAIT under env",
        ),
        (
            "tree_threshold",
            {},
            "GJ208",
            WARNING,
            "'tree_threshold' does nothing since NCCL 2.5",
            "remove it: it was 0 to say rings only; algo: Ring says that",
        ),
        (
            "ib_disabel",
            True,
            "GJ202",
            ERROR,
            "unknown key 'ib_disabel'",
            "did you mean 'ib_disable'?",
        ),
        (
            "min_channels",
            2,
            "GJ202",
            ERROR,
            "unknown key 'min_channels'",
            "write min_ctas, or min_nchannels before NCCL 2.17",
        ),
        ("xyzzy", 2, "GJ202", ERROR, "unknown key 'xyzzy'", ""),
    ],
)
def test_a_value_or_a_name_that_nccl_would_not_take_is_told(
    row: tuple[str, Json, str, Severity, str, str],
) -> None:
    field, value, *expected = row
    problem = check_field(field, value)
    assert problem is not None
    assert expected == [problem.code, problem.severity, problem.message, problem.hint]
    assert problem.at_key == (problem.code in {"GJ202", "GJ207", "GJ208"})


def test_the_schema_has_every_field_and_describes_it() -> None:
    properties = json_schema()["properties"]
    assert isinstance(properties, dict)
    assert sorted(FIELDS) == list(properties)
    assert properties["ib_timeout"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 31,
        "description": (
            "NCCL_IB_TIMEOUT: Exponent of the acknowledge timeout: 4.096 µs times 2 to this power. "
            "Default: 20. 0 waits for ever. 22 is usual on large fabrics. The default was 18 from "
            "2.14 and 14 before."
        ),
    }
    assert properties["max_nchannels"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 64,
        "deprecated": True,
        "description": (
            "NCCL_MAX_NCHANNELS: Most channels, which also bounds the CUDA blocks. Since NCCL "
            "2.5.0. Deprecated since NCCL 2.17. Write max_ctas instead."
        ),
    }


def test_the_schema_is_valid_and_refuses_what_is_no_field() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert not VALIDATOR.is_valid({"ib_disabel": True})
    assert not VALIDATOR.is_valid({"ib_disable": 1})


def test_an_example_can_be_pasted_and_passes_its_check() -> None:
    current = [row for row in REGISTRY.values() if not row.removed and not row.deprecated]
    for row in current:
        read = yaml.load(example(row), Loader=yaml.CSafeLoader)
        section, name = ("nccl", row.name[5:].lower()) if is_field(row) else ("env", row.name)
        assert [name] == list(read[section]), row.name
        if section == "nccl":
            assert check_field(name, read[section][name]) is None, row.name
