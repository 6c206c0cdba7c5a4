"""`genjob fabrics` and `genjob machines`: the tables, one row in full, and a name that is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from genjob.catalog.fabrics import FABRICS
from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.cli import fabrics, machines

if TYPE_CHECKING:
    import click

COLUMNS = 100


def ran(command: click.Command, *args: str) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of a command."""
    result = CliRunner().invoke(command, args)
    return result.exit_code, result.stdout, result.stderr


def test_every_fabric_is_listed_with_its_meaning() -> None:
    code, out, _ = ran(fabrics.command)

    assert 0 == code
    assert [*FABRICS] == [line.split()[0] for line in out.splitlines()]
    assert "roce          RDMA over converged Ethernet (RoCE v2)\n" in out


def test_one_fabric_is_shown_in_full() -> None:
    expected = """\
ethernet: TCP over the pod network; NCCL uses sockets

Sets:
  nccl.ib_disable     true  [nccl]
  nccl.socket_ifname  eth0; nothing with host_network (the pod's interface in nearly all CNIs)
                      [nccl]

Takes from the node pool:
  nccl.socket_nthreads   threads of a connection; 4 on 100 Gbit/s
  nccl.nsocks_perthread  sockets of a thread; 4 on 100 Gbit/s
"""
    code, out, err = ran(fabrics.command, "ethernet")

    assert (0, "") == (code, err)
    assert out.startswith(expected)
    assert "\nMust not be set:\n" in out
    assert "\nMachines that have it:\n  a2-highgpu-8g " in out
    assert out.endswith("\nSources:\n  nccl  NVIDIA NCCL user guide and source, 2.30.7\n")


def test_what_is_not_certain_or_only_on_some_machines_is_said() -> None:
    _, out, _ = ran(fabrics.command, "oci-roce")

    assert "3 (not certain; the vendor's documented value; NVIDIA" in out
    assert "nccl.net_plugin                       sys (only on gb200)  [oke]\n" in out
    assert "/dev/infiniband at /dev/infiniband" in out
    assert "not on gb200, gb300" in ran(fabrics.command, "azure-ib")[1]
    assert "; required\n" in ran(fabrics.command, "gcp-tcpx")[1]


@pytest.mark.parametrize("name", FABRICS)
def test_every_fabric_can_be_shown_in_both_ways(name: str) -> None:
    assert 0 == ran(fabrics.command, name)[0]
    shown = json.loads(ran(fabrics.command, name, "--format", "json")[1])

    assert (name, FABRICS[name].meaning) == (shown["name"], shown["meaning"])
    assert len(FABRICS[name].parts) == len(shown["sets"])


def test_json_has_every_fabric_with_values_of_their_own_type() -> None:
    shown = json.loads(ran(fabrics.command, "--format", "json")[1])

    assert [*FABRICS] == [each["name"] for each in shown]
    first = shown[0]["sets"][0]
    assert ("nccl.ib_disable", True, True) == (first["field"], first["value"], first["certain"])


def test_an_unknown_fabric_is_an_error_with_the_nearest() -> None:
    assert (1, "", "genjob: fabric 'efa' is not known; did you mean 'aws-efa'?\n") == ran(
        fabrics.command, "efa"
    )
    assert "known: ethernet, infiniband" in ran(fabrics.command, "zzz")[2]


def test_every_machine_is_listed_below_its_provider() -> None:
    code, out, _ = ran(machines.command)

    assert 0 == code
    assert out.startswith(
        "AWS:\n  p3dn.24xlarge       8 v100 of 32Gi; aws-efa, 1 NIC; 95 of 96 CPUs"
    )
    assert [] == [name for name in INSTANCE_TYPES if f"  {name} " not in out]
    assert "8 h100 of 80Gi; gcp-tcpx, 4 NICs; 207 of ~208 CPUs; 1721Gi of ~1872Gi" in out


def test_one_machine_is_shown_in_full() -> None:
    expected = """\
dgx-h100

provider     DGX
GPUs         8 h100 of 80Gi
fabric       infiniband, 8 NICs
adapters     mlx5_0, mlx5_3, mlx5_4, mlx5_5, mlx5_6, mlx5_9, mlx5_10, mlx5_11
CPUs         about 223 of ~224 for pods
memory       about 1884Gi of 2048Gi for pods
selected by  node_selector of the node pool
not certain  'cpus'; the node pool may say them
source       NVIDIA DGX H100/H200 user guide
"""
    assert (0, expected, "") == ran(machines.command, "dgx-h100")


def test_what_is_not_known_of_a_machine_is_said() -> None:
    _, out, _ = ran(machines.command, "Standard_NC24ads_A100_v4")

    assert "CPUs         not known: write cpu in the node pool\n" in out
    assert "fabric       ethernet\n" in out


def test_json_has_every_machine_with_numbers() -> None:
    shown = json.loads(ran(machines.command, "--format", "json")[1])

    assert [*INSTANCE_TYPES] == [each["name"] for each in shown]
    p5 = json.loads(ran(machines.command, "p5.48xlarge", "--format", "json")[1])
    assert (192, 191, 2048, 1884, 32) == tuple(
        p5[key] for key in ("cpus", "free_cpus", "memory_gib", "free_memory_gib", "nics")
    )
    assert {"node.kubernetes.io/instance-type": "p5.48xlarge"} == p5["selector"]


def test_an_unknown_machine_is_an_error_with_the_nearest() -> None:
    assert (
        1,
        "",
        "genjob: instance type 'p5.48xlrge' is not known; did you mean 'p5.48xlarge'?\n",
    ) == ran(machines.command, "p5.48xlrge")
    assert "'genjob machines' lists those that are" in ran(machines.command, "zzz")[2]


@pytest.mark.parametrize("command", [fabrics.command, machines.command])
def test_no_line_of_a_table_is_longer_than_a_terminal(command: click.Command) -> None:
    assert [] == [line for line in ran(command)[1].splitlines() if len(line) > COLUMNS]
