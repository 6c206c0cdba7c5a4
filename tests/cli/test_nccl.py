"""`genjob nccl`: the table, a search in it, one row in full."""

from __future__ import annotations

import json

from click.testing import CliRunner

from genjob.catalog.variables import REGISTRY
from genjob.cli.nccl import command

COLUMNS = 100


def ran(*args: str) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of the command."""
    result = CliRunner().invoke(command, args)
    return result.exit_code, result.stdout, result.stderr


def test_one_variable_is_shown_in_full_by_its_field() -> None:
    expected = """\
NCCL_IB_TIMEOUT: Exponent of the acknowledge timeout: 4.096 µs times 2 to this power.

write    nccl: {ib_timeout: 20}
values   an integer from 0 to 31
default  20
fabrics  infiniband, roce, azure-ib, oci-roce, coreweave-ib, gcp-gib
status   for permanent settings
note     0 waits for ever. 22 is usual on large fabrics. The default was 18 from 2.14 and 14
         before.
source   NVIDIA NCCL user guide, Environment Variables, 2.30.7
"""
    assert (0, expected, "") == ran("ib_timeout")
    assert ran("ib_timeout") == ran("NCCL_IB_TIMEOUT")


def test_a_variable_that_is_no_field_is_shown_for_env() -> None:
    _, out, _ = ran("torch_nccl_heartbeat_timeout_sec")
    assert 'env: {TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC: "480"}' in out
    assert "an integer of 1 or more, in s" in out
    assert "confidence  medium" in out


def test_what_the_operator_sets_is_said() -> None:
    assert "operator  sets it in each pod, over what you write" in ran("RANK")[1]


def test_what_is_deprecated_or_removed_says_since_when() -> None:
    assert "deprecated  since NCCL 2.17\ninstead     NCCL_MAX_CTAS" in ran("max_nchannels")[1]
    assert "removed  2.5" in ran("tree_threshold")[1]


def test_a_search_finds_names_meanings_and_values_in_any_case() -> None:
    code, out, _ = ran("--search", "GID")
    assert code == 0
    assert out.startswith("NCCL: InfiniBand and RoCE:\n  NCCL_IB_ADDR_FAMILY  ")
    assert "UCX_IB_GID_INDEX" in out
    assert "NCCL_NET_GDR_LEVEL" in ran("--search", "phb")[1]


def test_the_table_has_every_variable_and_fits_the_terminal() -> None:
    code, out, _ = ran()
    assert code == 0
    assert sorted(REGISTRY) == sorted(
        line.split()[0] for line in out.splitlines() if line[:3].strip() and line[:2] == "  "
    )
    assert max(map(len, out.splitlines())) <= COLUMNS


def test_every_variable_in_full_fits_the_terminal() -> None:
    for name in REGISTRY:
        assert max(map(len, ran(name)[1].splitlines())) <= COLUMNS, name


def test_json_has_the_same_rows() -> None:
    rows = json.loads(ran("--format", "json")[1])
    assert sorted(REGISTRY) == sorted(row["name"] for row in rows)
    one = json.loads(ran("buffsize", "--format", "json")[1])
    assert ("NCCL_BUFFSIZE", "buffsize", "size", "4194304", "bytes") == (
        *(one["name"], one["field"], one["type"], one["default"], one["unit"]),
    )
    assert json.loads(ran("RANK", "--format", "json")[1])["field"] is None


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    hint = "did you mean 'ib_disable'?"
    assert (1, "", f"genjob: variable 'ib_disabel' is not known; {hint}\n") == ran("ib_disabel")
    hint = "pass timeout= to init_process_group"
    assert (1, "", f"genjob: variable 'NCCL_TIMEOUT' is not known; {hint}\n") == ran("NCCL_TIMEOUT")
    assert (1, "", "genjob: variable '8' is not known\n") == ran("8")


def test_a_search_without_a_find_is_told() -> None:
    assert (1, "", "genjob: no variable says 'xyzzy'\n") == ran("--search", "xyzzy")


def test_a_name_and_a_search_are_not_said_together() -> None:
    code, _, err = ran("ib_hca", "--search", "gid")
    assert code == 2
    assert "say either NAME or --search" in err


def test_help_shows_an_example() -> None:
    assert "Example: genjob nccl ib_hca" in ran("--help")[1]
