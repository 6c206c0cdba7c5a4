"""One row of the tables of machines, and what its system leaves of it to pods."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

GIB: Final = 2**30
INSTANCE_TYPE_LABEL: Final = "node.kubernetes.io/instance-type"


@dataclass(frozen=True, slots=True)
class InstanceType:
    """A type of machine.

    `nics` are those that carry training: as many as a pod asks for of the fabric's devices. `hcas`
    are their names where the machine has others too. `cpus` are logical ones, as Kubernetes counts
    them. `gpu_memory_gib` is of one GPU. None is not known. `uncertain` names the fields that
    nobody looked up; they are taken for defaults, and never to refuse a request. `selector` are
    labels that the machine certainly has; `labels` are others that it usually has.
    """

    name: str
    provider: str
    accelerator: str
    gpus: int
    gpu_memory_gib: int | None
    fabric: str
    nics: int | None
    cpus: int | None
    memory_gib: int | None
    source: str
    uncertain: frozenset[str]
    selector: Mapping[str, str]
    labels: Mapping[str, str]
    hcas: tuple[str, ...] = ()

    @property
    def sizes_are_certain(self) -> bool:
        """Whether `cpus` and `memory_gib` were looked up."""
        return not self.uncertain & {"cpus", "memory_gib"}


@cache
def allocatable_cpus(cpus: int) -> Fraction:
    """Return the CPUs that pods may have of a machine's, estimated.

    The kubelet keeps 6 % of the first, 1 % of the second, 0.5 % of the next two and 0.25 % of the
    rest. That gives 191 of 192, as Karpenter's reference says for p5.48xlarge, and 95 of 96.
    Source: general knowledge of EKS and GKE; aws/karpenter-provider-aws, instance types.
    """
    steps = ((1, Fraction(6, 100)), (1, Fraction(1, 100)), (2, Fraction(5, 1000)))
    kept, left = Fraction(0), cpus
    for count, share in steps:
        kept += min(left, count) * share
        left = max(0, left - count)
    return cpus - kept - left * Fraction(25, 10000)


@cache
def allocatable_memory(memory_gib: int) -> Fraction:
    """Return the bytes of memory that pods may have of a machine's, estimated.

    The hypervisor keeps up to 7.5 %, the system and the kubelet up to 10 GiB. That gives 1884 of
    2048 GiB where Karpenter's reference says 1893 for p5.48xlarge, and 1055 of 1152 where it says
    1057 for p4d.24xlarge. Vendors who say GB may mean GiB or not; 7.5 % covers that too.
    Source: aws/karpenter-provider-aws, instance types and vmMemoryOverheadPercent.
    """
    return max(Fraction(0), (memory_gib * Fraction(925, 1000) - 10) * GIB)


def row(  # noqa: PLR0913 # a row has as many columns as its table
    name: str,
    *,
    provider: str,
    gpus: tuple[int, str, int | None],
    network: tuple[str, int | None],
    size: tuple[int | None, int | None],
    source: str,
    uncertain: str = "",
    selector: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    hcas: tuple[str, ...] = (),
) -> InstanceType:
    """Return a row.

    `gpus` are their count, kind and GiB of one; `network` is the fabric and the count of NICs;
    `size` is CPUs and GiB; `uncertain` are names of fields with blanks between.
    """
    (count, accelerator, gpu_memory_gib), (fabric, nics), (cpus, memory_gib) = gpus, network, size
    return InstanceType(
        name=name,
        provider=provider,
        accelerator=accelerator,
        gpus=count,
        gpu_memory_gib=gpu_memory_gib,
        fabric=fabric,
        nics=nics,
        cpus=cpus,
        memory_gib=memory_gib,
        source=source,
        uncertain=frozenset(uncertain.split()),
        selector={INSTANCE_TYPE_LABEL: name} if selector is None else selector,
        labels=labels or {},
        hcas=hcas,
    )
