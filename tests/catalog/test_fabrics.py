"""The table of fabric profiles: what must hold of every row, and what a site makes of it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from genjob.catalog.fabrics import FABRICS, NVLINK, Fabric, PerSite, Site, settings
from genjob.catalog.fabrics.fabric import Need
from genjob.catalog.hardware import ACCELERATORS, INSTANCE_TYPES
from genjob.catalog.sources import SOURCES
from genjob.model.environment import NodePool
from genjob.model.experiment import Experiment
from genjob.model.fields import field_at
from genjob.variables import check_field, check_text, environment_name, render_field

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

FULL = Site(
    accelerator="h100",
    nics=8,
    networks=(),
    hcas=("mlx5_0", "mlx5_3"),
    daemon_image="daemon:1",
    has_memory=True,
)
ATTACHED = Site(accelerator="gb300", nics=4, networks=("a", "b", "c", "d"), daemon_image="daemon:1")
BARE = Site()
SITES = (FULL, ATTACHED, BARE, *(Site(accelerator=name, nics=8) for name in ACCELERATORS))

every_fabric = pytest.mark.parametrize("fabric", FABRICS.values(), ids=lambda fabric: fabric.name)


def section(fabric: Fabric, site: Site, name: str) -> JsonObject:
    """Return a mapping that a profile sets at a site, as JSON has it."""
    found: JsonObject = json.loads(json.dumps(settings(fabric, site))).get(name, {})
    return found


def variables(fabric: Fabric, site: Site) -> dict[str, str]:
    """Return the environment variables that a profile sets at a site."""
    fields, env = section(fabric, site, "nccl"), section(fabric, site, "env")
    of_nccl = {environment_name(name): render_field(name, value) for name, value in fields.items()}
    return of_nccl | {name: str(value) for name, value in env.items()}


def test_a_fabric_is_found_by_its_name() -> None:
    assert [*FABRICS] == [fabric.name for fabric in FABRICS.values()]


@every_fabric
@pytest.mark.parametrize("site", SITES, ids=lambda site: f"{site.accelerator}-{site.networks}")
def test_no_variable_of_a_profile_has_a_finding(fabric: Fabric, site: Site) -> None:
    fields = section(fabric, site, "nccl")

    assert [] == [name for name, value in fields.items() if check_field(name, value)]
    assert {} == {
        name: problem
        for name, text in variables(fabric, site).items()
        if (problem := check_text(name, text))
    }


@every_fabric
def test_a_profile_sets_nothing_that_it_forbids(fabric: Fabric) -> None:
    names = {name for site in SITES for name in variables(fabric, site)}

    assert [] == [name for name in sorted(names) if fabric.reason_against(name)]


@every_fabric
def test_each_part_is_a_field_of_an_experiment_and_cites_a_source(fabric: Fabric) -> None:
    for part in fabric.parts:
        assert field_at(Experiment, part.path[:1]) is not None, part.name
        assert part.source in SOURCES
        assert {*part.only_on, *part.not_on} <= ACCELERATORS.keys()


@every_fabric
def test_each_need_is_a_field_of_a_node_pool_with_a_meaning(fabric: Fabric) -> None:
    for need in fabric.needs:
        assert need.field.split(".")[0] in NodePool.model_fields
        assert need.meaning


@every_fabric
def test_a_profile_suits_known_fabrics(fabric: Fabric) -> None:
    assert set(fabric.suits or ()) <= FABRICS.keys()
    assert fabric.works_on(fabric.name)


@every_fabric
def test_a_profile_of_verbs_lets_pods_lock_memory(fabric: Fabric) -> None:
    security = section(fabric, FULL, "security")

    assert not fabric.takes_devices or ["IPC_LOCK"] == security["capabilities"]


def test_what_a_reader_sees_of_a_value_that_depends_on_the_site_is_said() -> None:
    parts = [part for fabric in FABRICS.values() for part in fabric.parts]

    assert [] == [
        part.name for part in parts if isinstance(part.value, PerSite) and not part.value.shown
    ]


def test_every_source_is_cited_by_a_profile_or_a_machine() -> None:
    cited = {part.source for fabric in FABRICS.values() for part in fabric.parts}
    unused = SOURCES.keys() - cited - {row.source for row in INSTANCE_TYPES.values()}

    assert set() == unused


def test_nvlink_sets_nothing() -> None:
    assert {} == settings(FABRICS[NVLINK], FULL)
    assert not FABRICS[NVLINK].joins_machines


@pytest.mark.parametrize(
    ("fabric", "machine", "expected"),
    [
        ("ethernet", "aws-efa", True),
        ("infiniband", "azure-ib", True),
        ("infiniband", "aws-efa", False),
        ("gcp-tcpx", "gcp-tcpxo", False),
        ("roce", "ethernet", False),
        ("aws-efa", "aws-efa", True),
    ],
)
def test_a_profile_works_on_its_own_machines_and_on_those_it_suits(
    fabric: str, machine: str, *, expected: bool
) -> None:
    assert expected == FABRICS[fabric].works_on(machine)


@pytest.mark.parametrize(
    ("fabric", "variable", "expected"),
    [
        ("aws-efa", "NCCL_IB_HCA", "EFA is no adapter that NCCL's own verbs code knows"),
        ("aws-efa", "NCCL_BUFFSIZE", "the plugin sets it for each type of machine"),
        ("aws-efa", "NCCL_BUFFSIZE_OF_MINE", None),
        ("ethernet", "NCCL_IB_DISABLE", None),
        ("infiniband", "FI_PROVIDER", "for the plugin of AWS"),
    ],
)
def test_a_prefix_forbids_what_begins_so_and_a_name_itself(
    fabric: str, variable: str, expected: str | None
) -> None:
    assert expected == FABRICS[fabric].reason_against(variable)


@pytest.mark.parametrize(
    ("fabric", "site", "expected"),
    [
        ("aws-efa", BARE, ["nics"]),
        ("aws-efa", Site(has_devices=True), []),
        ("gcp-tcpx", Site(nics=4), ["daemon_image"]),
        ("gcp-tcpx", Site(nics=4, networks=("a",), daemon_image="d"), ["networks"]),
        ("gcp-gib", Site(nics=4, networks=tuple("abcde")), []),
        ("gcp-gib", Site(nics=4, networks=tuple("abc")), ["networks"]),
        ("oci-roce", BARE, []),
        ("oci-roce", Site(networks=("rdma-vf",)), ["nics"]),
        ("coreweave-ib", BARE, []),
    ],
)
def test_what_a_site_lacks_is_named(fabric: str, site: Site, expected: list[str]) -> None:
    assert expected == [need.field for need in FABRICS[fabric].unmet(site)]


def test_only_what_no_site_can_do_without_is_required() -> None:
    required = {
        fabric.name: [need.field for need in fabric.needs if need.is_required]
        for fabric in FABRICS.values()
    }

    assert {
        "aws-efa": ["nics"],
        "azure-ib": ["nics"],
        "gcp-tcpx": ["daemon_image"],
        "gcp-tcpxo": ["daemon_image"],
    } == {name: fields for name, fields in required.items() if fields}
    assert not Need("nccl.ib_hca", "the adapters").is_required


@pytest.mark.parametrize(("fabric", "count"), [("gcp-tcpx", 4), ("gcp-tcpxo", 8), ("gcp-gib", 8)])
def test_each_data_nic_of_google_is_an_interface_in_a_network_of_its_own(
    fabric: str, count: int
) -> None:
    annotations = section(FABRICS[fabric], FULL, "pod_annotations")
    interfaces = json.loads(str(annotations["networking.gke.io/interfaces"]))

    assert {"interfaceName": "eth0", "network": "default"} == interfaces[0]
    assert count == len({each["network"] for each in interfaces[1:]})
    numbers = [int(each["interfaceName"].removeprefix("eth")) for each in interfaces[1:]]
    assert all(after == before + 1 for before, after in pairwise(numbers))


def test_huge_pages_are_asked_for_only_beside_cpu_or_memory() -> None:
    """Kubernetes refuses huge pages alone."""
    efa = FABRICS["aws-efa"]
    with_memory, without = section(efa, FULL, "resources"), section(efa, BARE, "resources")

    assert {"hugepages_2mi", "extended"} == set(with_memory)
    assert {} == without
    assert "0" == variables(efa, BARE)["FI_EFA_USE_HUGE_PAGE"]


def test_a_later_part_for_one_accelerator_wins() -> None:
    oci = FABRICS["oci-roce"]

    assert "3" == variables(oci, FULL)["NCCL_IB_GID_INDEX"]
    assert "1" == variables(oci, Site(accelerator="mi355x"))["NCCL_IB_GID_INDEX"]
    assert "NCCL_PXN_DISABLE" not in variables(FABRICS["azure-ib"], ATTACHED)


def test_devices_that_the_pool_names_take_the_place_of_the_profile_s() -> None:
    named = Site(nics=8, has_devices=True)

    assert [] == [f.name for f in FABRICS.values() if "resources" in settings(f, named)]
