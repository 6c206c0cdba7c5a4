"""A PyTorchJob → its nodes, the processes of each, and so its ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from genjob.prediction.defaults import counts, elastic_policy, node_bounds, nproc_per_node
from genjob.prediction.devices import gpus_of
from genjob.rules.launch import TORCHRUN, command_text, flags, is_plain_python
from genjob.rules.walk import ELASTIC, as_int, get, main_container, pod_specs
from genjob.wording import quoted

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from genjob.prediction.pods import PredictedPod

_BY_DEVICE: Final = frozenset({"auto", "gpu", "xpu"})
"""Words for one process for each device of the pod."""

_OWN_VARIABLE: Final = "PET_NPROC_PER_NODE"

_EACH_CPU: Final = "torchrun finds no GPU and starts one process for each CPU it sees"


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes of one pod and why so many; `count` is None where YAML cannot say."""

    count: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Scale:
    """The pods and the processes of each role, and how many nodes train together.

    The two bounds differ in an elastic job only, in which a Master does not count.
    """

    pods: dict[str, int]
    processes: dict[str, Processes]
    least_nodes: int
    most_nodes: int
    is_elastic: bool

    @property
    def ranks(self) -> tuple[int, int] | None:
        """The least and the most ranks; None where the processes of a pod are not known."""
        each = {role: self.processes[role].count for role in self.pods if role in self.processes}
        known = {role: count for role, count in each.items() if count is not None}
        if known.keys() != self.pods.keys():
            return None
        if self.is_elastic:
            of_worker = known.get("Worker", 0)
            return self.least_nodes * of_worker, self.most_nodes * of_worker
        total = sum(pods * known[role] for role, pods in self.pods.items())
        return total, total


def predicted_scale(job: JsonObject) -> Scale:
    """Return how many nodes train together and how many processes each of them starts."""
    pods = counts(job)
    mains = {path[2]: main_container(path, pod) for path, pod in pod_specs(job)}
    processes = {
        role: processes_of(job, main[1]) for role in pods if (main := mains.get(role)) is not None
    }
    if elastic_policy(job) is not None:
        return Scale(pods, processes, *node_bounds(job), is_elastic=True)
    nodes = sum(pods.values())
    return Scale(pods, processes, nodes, nodes, is_elastic=False)


def processes_of(job: JsonObject, container: JsonObject) -> Processes:
    """Return the processes that a training container of a job starts, torchrun's flag first.

    Source: https://github.com/pytorch/pytorch/blob/v2.5.0/torch/distributed/run.py: a flag beats
    PET_NPROC_PER_NODE, and `auto` counts the GPUs that are there, else the CPUs.
    """
    if is_plain_python(container):
        return Processes(1, "'python' starts one process")
    flag = {flag.name: flag.value for flag in flags((), container)}.get("nproc_per_node", "")
    if flag and _OWN_VARIABLE not in flag:
        return _counted(flag, container, "--nproc_per_node of the command")
    word = nproc_per_node(job)
    if word is not None:
        return _counted(word, container, "nprocPerNode")
    old = as_int(get(job, *ELASTIC, "nProcPerNode"))
    return Processes(old, f"elasticPolicy.nProcPerNode is {old}")


def _counted(word: str, container: JsonObject, where: str) -> Processes:
    if word.isascii() and word.isdecimal():
        return Processes(int(word), f"{where} is {word}")
    if word.startswith("$"):
        return Processes(None, f"{where} is {quoted(word)}, which a shell fills in")
    available = gpus_of(container)
    if word in _BY_DEVICE and available:
        plural = "GPUs" if available > 1 else "GPU"
        return Processes(available, f"{where} is '{word}' and the pod has {available} {plural}")
    if TORCHRUN.search(command_text(container)) or word == "cpu":
        return Processes(None, f"{where} is '{word}': {_EACH_CPU}")
    return Processes(1, f"{where} is '{word}' and the pod has no GPU")


def ranks_of(scale: Scale, pods: list[PredictedPod]) -> dict[str, tuple[int, int]]:
    """Return the first and last rank of the processes of each pod, by its name.

    torchrun's static back end gives ranks by node rank. Nothing is known of elastic jobs, where
    the rendezvous deals out the ranks, and without a Master, where no pod knows its place.
    """
    found: dict[str, tuple[int, int]] = {}
    first = 0
    for pod in pods:
        count = scale.processes[pod.role].count if pod.role in scale.processes else None
        is_dealt_out = scale.is_elastic or pod.node_rank is None
        if is_dealt_out or count is None or scale.ranks is None:
            return {}
        found[pod.name] = (first, first + count - 1)
        first += count
    return found
