"""How a run restarts and ends → what the operator does otherwise than it looks.

Source: https://github.com/kubeflow/trainer/blob/v1.9.0/pkg/controller.v1/common/job.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.rules.launch import TORCHRUN, command_text
from genjob.rules.rule import Hit
from genjob.rules.walk import REPLICA_SPECS, as_int, as_object, as_str, get, replica_specs
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.rules.network import Network, Role

RUN_POLICY: Final = ("spec", "runPolicy")
AGENT_SHUTDOWN_S: Final = 30
"""How long torchrun waits for its processes to end. Source: PyTorch 2.14, elastic agent."""

GRACE_S: Final = 30
"""What Kubernetes gives a pod to end when it does not say."""


def workers_kept_after_success(network: Network) -> Iterator[Hit]:
    """Workers that still run when the Master is done are left running.

    Symptom: the job Succeeded, and its Workers hold their GPUs.
    Source: https://github.com/kubeflow/trainer/issues/1579
    """
    policy = get(network.job, *RUN_POLICY, "cleanPodPolicy")
    roles = {role.name for role in network.roles if role.gpus}
    if policy in (None, "None") and {"Master", "Worker"} <= roles:
        at = (*RUN_POLICY, "cleanPodPolicy")
        message = "Workers that still run when the Master is done keep their GPUs"
        yield Hit(at, message, "write 'cleanPodPolicy: Running'")


def exit_code_never_retries(network: Network) -> Iterator[Hit]:
    """The restart policy ExitCode retries exit codes from 128 on, and torchrun ends with 1.

    Symptom: the job fails at the first error; its backoffLimit is not counted.
    Source: https://github.com/kubeflow/trainer/issues/2045
    """
    for role in network.roles:
        if _restart_policy(network, role) == "ExitCode" and TORCHRUN.search(_command(role)):
            message = "torchrun ends with exit code 1, which ExitCode does not retry"
            at = (*REPLICA_SPECS, role.name, "restartPolicy")
            yield Hit(at, message, "write 'OnFailure', and a backoffLimit")


def restarts_without_end(network: Network) -> Iterator[Hit]:
    """Containers start again after each failure, without a limit.

    Symptom: a job that fails at once holds its GPUs in CrashLoopBackOff until somebody looks.
    Source: https://github.com/kubeflow/trainer/issues/1638
    """
    policy = as_object(get(network.job, *RUN_POLICY))
    ends = policy.get("backoffLimit") is not None or policy.get("activeDeadlineSeconds") is not None
    policies = {_restart_policy(network, role) for role in network.roles if role.gpus}
    endless = policies & {"OnFailure", "Always"}
    if endless and not ends:
        message = f"restartPolicy {quoted(min(endless))} without a backoffLimit restarts for ever"
        yield Hit(RUN_POLICY, message, "write a backoffLimit, or activeDeadlineSeconds")


def gang_needs_operator_flag(network: Network) -> Iterator[Hit]:
    """A gang is described, which works only with a flag of the operator.

    Symptom: no PodGroup; pods start one by one, unless the operator runs with
    --gang-scheduler-name.
    Source: https://github.com/kubeflow/trainer/issues/2325
    """
    at = (*RUN_POLICY, "schedulingPolicy")
    if get(network.job, *at):
        message = "schedulingPolicy has no effect unless the operator has --gang-scheduler-name"
        yield Hit(at, message, "ask who runs the operator", at_key=True)


def grace_period_too_short(network: Network) -> Iterator[Hit]:
    """Kubernetes kills the pod before torchrun has ended its processes.

    Symptom: the checkpoint at the end of a preempted pod is cut off.
    Source: https://docs.pytorch.org/docs/2.9/elastic/agent.html
    """
    name = "TORCH_ELASTIC_SHUTDOWN_TIMEOUT"
    for role in network.roles:
        given, own = as_int(role.pod.get("terminationGracePeriodSeconds")), role.number(name)
        needs = AGENT_SHUTDOWN_S if own is None else own
        is_said = given is not None or own is not None
        if is_said and TORCHRUN.search(_command(role)) and (given or GRACE_S) <= needs:
            message = f"the pod has {given or GRACE_S} s to end, torchrun takes up to {needs} s"
            field = (*role.pod_path, "terminationGracePeriodSeconds")
            at = field if given is not None else role.env[name].path
            yield Hit(at, message, f"write a terminationGracePeriodSeconds above {needs}")


def image_tag_moves(network: Network) -> Iterator[Hit]:
    """The tag of the image may be another image tomorrow, and in another pod.

    Symptom: ranks with different versions after a restart; a run that cannot be repeated.
    Source: https://kubernetes.io/docs/concepts/containers/images/
    """
    for role in network.across(lambda _: True):
        image = as_str(role.container.get("image")) or ""
        if "$" not in image and "<" not in image and _moves(image):
            message = f"{quoted(image)} has no tag that stays"
            yield Hit((*role.path, "image"), message, "write a version, or a digest")


def _moves(image: str) -> bool:
    name = image.rpartition("/")[2]
    return bool(name) and "@" not in name and (":" not in name or name.endswith(":latest"))


def _restart_policy(network: Network, role: Role) -> str:
    return as_str(replica_specs(network.job)[role.name].get("restartPolicy")) or "OnFailure"


def _command(role: Role) -> str:
    return command_text(role.container)
