"""A PyTorchJob → what its webhook lets through and the operator then ignores or fails on.

Source: https://github.com/kubeflow/trainer/tree/v1.9.0/pkg/controller.v1/pytorch
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules import names
from genjob.rules.launch import has_own_rendezvous
from genjob.rules.rule import Hit
from genjob.rules.topology import has_only_known_roles, is_elastic, node_range, replicas, total_pods
from genjob.rules.walk import (
    ELASTIC,
    REPLICA_SPECS,
    as_int,
    as_str,
    get,
    main_container,
    pod_specs,
    replica_specs,
)
from genjob.wording import did_you_mean, one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject

RUN_POLICY = ("spec", "runPolicy")
RESTART_POLICIES = ("Always", "OnFailure", "Never", "ExitCode")
CLEAN_POD_POLICIES = ("Running", "All", "None")
NPROC_WORDS = ("auto", "gpu", "cpu", "xpu")


def pod_name_too_long(job: JsonObject) -> Iterator[Hit]:
    """The operator names each pod and its Service '<job>-<role>-<index>', at most 63 characters.

    Symptom: the job is created and has no state: its Services cannot be created.
    """
    name = as_str(get(job, "metadata", "name")) or ""
    longest = max(_last_pod_names(job, name), key=len, default="")
    excess = len(longest) - names.LABEL_LENGTH
    if excess > 0 and not names.dns_1035_label(name):
        message = (
            f"the pod {quoted(longest)} and its Service would have {len(longest)} characters, "
            f"{names.LABEL_LENGTH} are allowed"
        )
        yield Hit(("metadata", "name"), message, f"shorten the name by {_characters(excess)}")


def workers_without_rendezvous(job: JsonObject) -> Iterator[Hit]:
    """Workers without a Master and without elasticPolicy are told neither a rank nor an address.

    The operator sets MASTER_ADDR, RANK and PET_NODE_RANK only when there is a Master.

    Symptom: every pod trains alone, or `MASTER_ADDR expected, but not set`.
    """
    count = replicas(job, "Worker") or 0
    if "Master" in replica_specs(job) or is_elastic(job) or not has_only_known_roles(job):
        return
    if count > 1 and not has_own_rendezvous(job):
        message = (
            f"{count} workers without a Master and without elasticPolicy cannot find each other"
        )
        hint = f"write a Master with 1 replica and {count - 1} workers, or add elasticPolicy"
        yield Hit((*REPLICA_SPECS, "Worker"), message, hint, at_key=True)


def master_with_elastic_policy(job: JsonObject) -> Iterator[Hit]:
    """The operator does not count the Master in an elastic job, yet its pod joins the training.

    Symptom: one agent more than the rendezvous takes: it waits, or all of them do.
    """
    if is_elastic(job) and {"Master", "Worker"} <= replica_specs(job).keys():
        message = "a Master beside elasticPolicy: the operator counts the workers alone"
        hint = "make the Master one more replica of the Worker"
        yield Hit((*REPLICA_SPECS, "Master"), message, hint, at_key=True)


def elastic_bounds_crossed(job: JsonObject) -> Iterator[Hit]:
    """The least number of pods of an elastic job is above the greatest.

    Symptom: torchrun ends at once: the least is above the most.
    """
    bounds = node_range(job)
    if bounds and bounds[0] > bounds[1]:
        message = f"minReplicas {bounds[0]} is above maxReplicas {bounds[1]}"
        yield Hit((*ELASTIC, "minReplicas"), message, "write minReplicas <= maxReplicas")


def replicas_outside_elastic_bounds(job: JsonObject) -> Iterator[Hit]:
    """The number of workers at the start is outside minReplicas..maxReplicas of elasticPolicy.

    Symptom: the rendezvous waits for pods that never come, or turns some away.
    """
    bounds, count = node_range(job), replicas(job, "Worker")
    if is_elastic(job) and bounds and count and bounds[0] <= bounds[1]:
        low, high = bounds
        if not low <= count <= high:
            message = f"{count} workers at the start, elasticPolicy allows {low} to {high}"
            hint = f"write replicas from {low} to {high}, or change elasticPolicy"
            yield Hit((*REPLICA_SPECS, "Worker", "replicas"), message, hint)


def empty_rdzv_conf(job: JsonObject) -> Iterator[Hit]:
    """An empty rdzvConf ends the operator with a panic: it slices the text to a length of -1.

    Symptom: the operator restarts again and again, and no job of the cluster goes on.
    Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/pytorch/elastic.go
    """
    if get(job, *ELASTIC, "rdzvConf") == []:
        message = "an empty rdzvConf ends the operator with a panic"
        yield Hit((*ELASTIC, "rdzvConf"), message, "remove rdzvConf", at_key=True)


def standalone_elastic(job: JsonObject) -> Iterator[Hit]:
    """The operator passes standalone on as an empty PET_STANDALONE, which torchrun cannot read.

    Symptom: `ValueError: invalid literal for int()` from torchrun, in each pod.
    Source: https://github.com/pytorch/pytorch/blob/v2.5.0/torch/distributed/argparse_util.py
    """
    if get(job, *ELASTIC, "standalone") is True:
        message = "torchrun cannot read the empty PET_STANDALONE that the operator makes of it"
        yield Hit((*ELASTIC, "standalone"), message, "remove standalone")


def unknown_restart_policy(job: JsonObject) -> Iterator[Hit]:
    """The restart policy of a replica spec is one of four words; the CRD takes any text.

    Symptom: the API server refuses the pods.
    """
    for role, spec in replica_specs(job).items():
        policy = as_str(spec.get("restartPolicy"))
        if policy and policy not in RESTART_POLICIES:
            message = f"restartPolicy is {quoted(policy)}, expected {one_of(RESTART_POLICIES)}"
            hint = did_you_mean(policy, RESTART_POLICIES)
            yield Hit((*REPLICA_SPECS, role, "restartPolicy"), message, hint)


def unknown_clean_pod_policy(job: JsonObject) -> Iterator[Hit]:
    """A cleanPodPolicy that is none of three words acts as 'All': the logs go with the pods.

    Symptom: all pods are deleted at the end, and their logs with them.
    Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/common/job.go
    """
    policy = as_str(get(job, *RUN_POLICY, "cleanPodPolicy"))
    if policy is not None and policy not in CLEAN_POD_POLICIES:
        message = f"cleanPodPolicy is {quoted(policy)}, expected {one_of(CLEAN_POD_POLICIES)}"
        hint = did_you_mean(policy, CLEAN_POD_POLICIES)
        yield Hit((*RUN_POLICY, "cleanPodPolicy"), message, hint)


def unknown_nproc_per_node(job: JsonObject) -> Iterator[Hit]:
    """Torchrun reads nprocPerNode: a positive number, or what to count on the machine.

    Symptom: `ValueError: Unsupported nproc_per_node value` from torchrun.
    Source: https://github.com/pytorch/pytorch/blob/v2.5.0/torch/distributed/run.py
    """
    text = as_str(get(job, "spec", "nprocPerNode"))
    if text is None or text in NPROC_WORDS:
        return
    if not (text.isascii() and text.isdecimal() and text.strip("0")):
        expected = f"expected a positive number, {one_of(NPROC_WORDS)}"
        message = f"nprocPerNode is {quoted(text)}, {expected}"
        yield Hit(
            ("spec", "nprocPerNode"), message, did_you_mean(text, NPROC_WORDS) or "write 'auto'"
        )


def min_available_above_pods(job: JsonObject) -> Iterator[Hit]:
    """A gang that needs more pods than the job has is never scheduled.

    Symptom: all pods stay Pending.
    """
    needed, total = (
        as_int(get(job, *RUN_POLICY, "schedulingPolicy", "minAvailable")),
        total_pods(job),
    )
    if needed is not None and total is not None and needed > total:
        message = f"minAvailable {needed} is above the {total} pods of the job; it never starts"
        path = (*RUN_POLICY, "schedulingPolicy", "minAvailable")
        yield Hit(path, message, f"write at most {total}, or leave it out")


def ttl_repeats_training(job: JsonObject) -> Iterator[Hit]:
    """A job that its TTL deletes is still declared in Git, so it is created and trains again.

    Symptom: a finished training starts again at the next sync.
    Source: https://github.com/argoproj/argo-cd/issues/13851
    """
    if as_int(get(job, *RUN_POLICY, "ttlSecondsAfterFinished")) is not None:
        message = "the operator deletes the finished job, and GitOps then trains it again"
        hint = "remove it, and write 'cleanPodPolicy: Running' to free the machines"
        yield Hit((*RUN_POLICY, "ttlSecondsAfterFinished"), message, hint, at_key=True)


def readiness_probe_on_master(job: JsonObject) -> Iterator[Hit]:
    """The name of the Master is not resolved before it is ready, and the workers wait for it.

    Symptom: the workers stay in `Init`, because the name of the Master is not found.
    """
    for path, pod in pod_specs(job):
        main = main_container(path, pod)
        if "Master" in path and main and main[1].get("readinessProbe") is not None:
            message = "the workers cannot resolve the Master before this probe succeeds"
            yield Hit((*main[0], "readinessProbe"), message, "remove it", at_key=True)


def _last_pod_names(job: JsonObject, name: str) -> Iterator[str]:
    bounds = node_range(job) or (0, 0)
    for role in replica_specs(job):
        count = replicas(job, role) or 0
        most = max(count, bounds[1]) if is_elastic(job) and role == "Worker" else count
        if most > 0:
            yield f"{name}-{role.lower()}-{most - 1}"


def _characters(count: int) -> str:
    return f"{count} character{'s' if count > 1 else ''}"
