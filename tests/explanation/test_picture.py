"""The picture of the pods: what a pod has, each kind of volume, and what is too much to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.explanation.network import network_view
from genjob.explanation.picture import picture
from genjob.explanation.table import WIDTH, in_columns, labelled
from genjob.manifests import manifests
from tests.written import job

if TYPE_CHECKING:
    from collections.abc import Sequence


def drawn(text: str) -> list[str]:
    """Return the lines of the picture of an experiment."""
    found = job(text)
    return picture(network_view(found, manifests(found)))


def inside(lines: Sequence[str]) -> list[str]:
    """Return what stands in the only box."""
    return [line.strip("│ ") for line in lines if line.startswith("│")]


def test_each_kind_of_volume_is_named() -> None:
    storage = ", ".join(
        f"{{name: v{index}, mount_path: /{index}, {kind}}}"
        for index, kind in enumerate(
            (
                "pvc: {claim: data}",
                "host_path: {path: /scratch}",
                "nfs: {server: files, path: /x}, read_only: true",
                "config_map: {name: c}",
                "secret: {name: s}",
                "empty_dir: {size: 5Gi}",
            )
        )
    )

    assert [
        "/0 ← claim data",
        "/1 ← the machine's /scratch",
        "/2 ← NFS files, read only",
        "/3 ← ConfigMap c",
        "/4 ← Secret s",
        "/5 ← scratch 5Gi",
    ] == inside(drawn(f"storage: [{storage}]"))[-6:]


def test_a_volume_of_another_kind_goes_by_its_kind() -> None:
    overrides = (
        "{containers: [{name: pytorch, volumeMounts: [{name: x, mountPath: /x}, "
        "{name: gone, mountPath: /y}]}], volumes: [{name: x, csi: {driver: d}}]}"
    )

    assert ["/x ← csi", "/y ← nothing"] == inside(drawn(f"pod_overrides: {overrides}\n"))[-2:]


def test_many_volumes_are_counted() -> None:
    storage = ", ".join(
        f"{{name: v{index}, mount_path: /{index}, projected: [{{secret: {{name: no}}}}]}}"
        for index in range(9)
    )

    assert ["/5 ← projected", "… and 3 more volumes"] == inside(drawn(f"storage: [{storage}]"))[-2:]


def test_many_gpus_and_long_names_are_not_drawn_out() -> None:
    long = "/a/very/long/path/that/does/not/fit/into/a/box/at/all"
    lines = drawn(
        "nodes: 2\nresources: {gpus_per_node: 72, extended: {rdma/ib: 16}}\n"
        f"storage: [{{name: a, mount_path: {long}, empty_dir: {{}}}}]\n"
    )

    assert {WIDTH} == {len(line) for line in lines if line[0] in "┌│└"}
    assert "│ GPU 72" in lines[3] or "│ GPU 72" in lines[4]
    assert any("◆" * 16 + " 16 rdma/ib" in line for line in lines)
    assert any("…" in line for line in lines)


def test_the_network_of_the_machine_is_told() -> None:
    lines = inside(drawn("network: {host_network: true}\n"))

    assert "NIC ◆ the machine's network" in lines


def test_one_pod_has_no_wire() -> None:
    assert drawn("")[-1].startswith("└")


def test_cells_are_cut_and_never_break_a_line() -> None:
    assert ["a\\nb   x", "long…  y"] == in_columns([("a\nb", "x"), ("longer", "y")], (5, 0))


def test_a_word_that_is_too_long_has_a_line_of_its_own() -> None:
    assert ["  why  a", f"       {'b' * 200}"] == labelled(
        [("why", [f"a {'b' * 200}"]), ("none", [])]
    )
