"""The `nccl:` section: any field of the catalogue, each mistake at its own key or value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.diagnostics import Severity
from genjob.model.environment import Environment
from genjob.model.experiment import Experiment
from genjob.model.nccl import environment
from genjob.model.validation import validated
from tests.written import HEAD, PROD, raw

if TYPE_CHECKING:
    from genjob.model.base import Model


def told(text: str, model: type[Model] = Experiment) -> tuple[bool, list[tuple[str, str, bool]]]:
    """Return whether there is a model, and code, place and at_key of each finding."""
    head = HEAD if model is Experiment else PROD
    made, found = validated(model, raw(head + text))
    return made is not None, [
        (each.code, ".".join(map(str, each.path)), each.at_key) for each in found
    ]


@pytest.mark.parametrize(
    ("written", "variable", "text"),
    [
        ("ib_disable: true", "NCCL_IB_DISABLE", "1"),
        ("p2p_disable: false", "NCCL_P2P_DISABLE", "0"),
        ("ib_hca: [mlx5_0, mlx5_1]", "NCCL_IB_HCA", "mlx5_0,mlx5_1"),
        ("ib_hca: [010, 1.10, no]", "NCCL_IB_HCA", "010,1.10,no"),
        ("socket_ifname: ^lo", "NCCL_SOCKET_IFNAME", "^lo"),
        ("thread_thresholds: [8, 16]", "NCCL_THREAD_THRESHOLDS", "8 16"),
        ("buffsize: 8Mi", "NCCL_BUFFSIZE", "8388608"),
        ("buffsize: 4194304", "NCCL_BUFFSIZE", "4194304"),
        ("socket_sndbuf: 1e6", "NCCL_SOCKET_SNDBUF", "1000000"),
        ("ib_timeout: 22", "NCCL_IB_TIMEOUT", "22"),
        ("debug: INFO", "NCCL_DEBUG", "INFO"),
        ("topo_file: 1.10", "NCCL_TOPO_FILE", "1.10"),
        ("topo_file: 1e-4", "NCCL_TOPO_FILE", "1e-4"),
        ("net_plugin: true", "NCCL_NET_PLUGIN", "true"),
    ],
)
def test_a_setting_becomes_the_text_that_nccl_reads(written: str, variable: str, text: str) -> None:
    made, found = validated(Experiment, raw(f"{HEAD}nccl: {{{written}}}\n"))

    assert [] == found
    assert made is not None
    assert {variable: text} == environment(made.nccl)


def test_an_experiment_without_the_section_has_no_settings() -> None:
    made, _ = validated(Experiment, raw(HEAD))

    assert made is not None
    assert {} == environment(made.nccl)


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("{ib_disabel: true}", [("GJ202", "nccl.ib_disabel", True)]),
        (
            "{buffsize: 8MB, debug: warn}",
            [("GJ203", "nccl.buffsize", False), ("GJ205", "nccl.debug", False)],
        ),
        (
            "{ib_timeout: 1800, zebra: 1}",
            [("GJ204", "nccl.ib_timeout", False), ("GJ202", "nccl.zebra", True)],
        ),
        (
            "{ib_hca: 'a, b', nodes: 2}",
            [("GJ206", "nccl.ib_hca", False), ("GJ202", "nccl.nodes", True)],
        ),
        ("[ib_hca]", [("GJ103", "nccl", False)]),
        ("null", [("GJ103", "nccl", False)]),
    ],
)
def test_each_mistake_is_told_once_and_leaves_no_model(
    section: str, expected: list[tuple[str, str, bool]]
) -> None:
    assert (False, expected) == told(f"nccl: {section}\n")


def test_a_warning_leaves_the_model_usable() -> None:
    text = "nccl: {blocking_wait: true, tree_threshold: 0}\n"

    assert (
        True,
        [("GJ207", "nccl.blocking_wait", True), ("GJ208", "nccl.tree_threshold", True)],
    ) == told(text)
    assert {Severity.WARNING} == {
        each.severity for each in validated(Experiment, raw(HEAD + text))[1]
    }


def test_mistakes_of_the_section_stand_beside_those_of_the_other_fields() -> None:
    _, found = told("nodes: two\nnccl: {ib_disabel: true}\n")

    assert [("GJ103", "nodes", False), ("GJ202", "nccl.ib_disabel", True)] == found


def test_the_section_of_each_node_pool_is_checked() -> None:
    pools = "node_pools: [{name: a, nccl: {debug: INFO}}, {name: b, nccl: {debug: info}}]\n"

    assert (False, [("GJ205", "node_pools.1.nccl.debug", False)]) == told(pools, Environment)


def test_a_section_where_none_may_stand_is_told_as_that_alone() -> None:
    assert (False, [("GJ101", "nccl", True)]) == told("nccl: {ib_disabel: true}\n", Environment)


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ("ib_disabel", "did you mean 'ib_disable'?"),
        ("NCCL_IB_HCA", "did you mean 'ib_hca'?"),
        ("fi_provider", "it belongs under 'env', as FI_PROVIDER"),
        ("nodes", "it belongs outside of 'nccl'"),
        ("queue", "it belongs under 'scheduling'"),
        ("zebra", "`genjob nccl` lists all that there are"),
    ],
)
def test_an_unknown_field_is_sent_where_it_belongs(field: str, hint: str) -> None:
    _, found = validated(Experiment, raw(f"{HEAD}nccl: {{{field}: 1}}\n"))

    assert [hint] == [each.hint for each in found]
