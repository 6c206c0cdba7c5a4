"""A resolved job → a PyTorchJob of the Kubeflow training operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.manifest import JOB_SLOT, Manifest
from genjob.manifests.labels import metadata, run_labels, text_map
from genjob.manifests.pod import template
from genjob.manifests.resources import gpus
from genjob.manifests.trace import Traced, fields, lay_over, traced
from genjob.model.duration import seconds

if TYPE_CHECKING:
    from genjob.jsontypes import Json
    from genjob.model.experiment import Experiment
    from genjob.model.network import Elastic
    from genjob.resolve.job import Job

QUEUE_LABEL = "kueue.x-k8s.io/queue-name"


def pytorchjob(job: Job) -> Manifest:
    """Return the PyTorchJob of a job."""
    experiment = job.experiment
    spec = fields(
        ("nprocPerNode", _processes(experiment), ("nproc_per_node",)),
        ("elasticPolicy", _elastic(experiment.elastic), ("elastic",)),
        ("runPolicy", _run_policy(experiment), ("run_policy",)),
        ("pytorchReplicaSpecs", _replicas(job), ("nodes",)),
    )
    overrides = traced(experiment.job_overrides, ("job_overrides",))
    if isinstance(overrides, Traced):
        spec = lay_over(spec, overrides)
    body = Traced(
        ("apiVersion", "kubeflow.org/v1", ()),
        ("kind", "PyTorchJob", ()),
        ("metadata", _metadata(job), ("name",)),
        ("spec", spec, ()),
    )
    return Manifest(JOB_SLOT, body)


def _processes(experiment: Experiment) -> str | None:
    """Return what the operator is told of the processes of each pod; nothing for `detect`.

    It then tells torchrun `auto`. Source: training-operator 1.9, pytorch_defaults.go.
    """
    wanted = experiment.nproc_per_node
    if isinstance(wanted, int) or wanted == "auto":
        return str(processes(experiment))
    return None if wanted == "detect" else wanted


def processes(experiment: Experiment) -> int:
    """Return the processes of each pod, as far as they are known before it runs.

    One for each GPU under torchrun; without it the pod is one process, and the operator would
    otherwise count ranks that nobody starts. Source: training-operator 1.9, envvar.go.
    """
    if isinstance(experiment.nproc_per_node, int):
        return experiment.nproc_per_node
    if experiment.command is None and experiment.launcher != "torchrun":
        return 1
    return gpus(experiment) or 1


def replica_counts(experiment: Experiment) -> dict[str, int]:
    """Return the pods of each role: the Master is one of the nodes, where there is one."""
    if not has_master(experiment):
        return {"Worker": experiment.nodes}
    workers = experiment.nodes - 1
    return {"Master": 1, **({"Worker": workers} if workers else {})}


def has_master(experiment: Experiment) -> bool:
    """Return whether one of the nodes is the Master: not in an elastic job, unless it is said."""
    wanted = experiment.with_master
    return experiment.elastic is None if wanted is None else wanted


def _metadata(job: Job) -> Traced:
    made = metadata(job, job.run_name)
    labels, queue = run_labels(job), _queue(job)
    for key, text in job.experiment.job_labels.items():
        labels.put(key, text, ("job_labels", key))
    if queue is not None:
        labels.put(QUEUE_LABEL, queue, ("scheduling", "queue"))
    made.put("labels", labels, ("labels",))
    annotations = text_map(job.experiment.annotations, ("annotations",))
    if annotations:
        made.put("annotations", annotations, ("annotations",))
    return made


def _queue(job: Job) -> str | None:
    """Return the LocalQueue; the name that an experiment uses means something per environment."""
    wanted = job.experiment.scheduling.queue
    known = job.environment.queues if job.environment else {}
    return known[wanted].local_queue if wanted in known else wanted


def _replicas(job: Job) -> Traced:
    """Return the replica specs; roles that do not differ share one template."""
    experiment = job.experiment
    counts, of_role = replica_counts(experiment), {"Master": job.master, "Worker": experiment}
    distinct = {id(of_role[name]): of_role[name] for name in counts}
    made = {key: template(job, role) for key, role in distinct.items()}
    return Traced(
        *(
            (name, _replica(of_role[name], count, made[id(of_role[name])]), ("nodes",))
            for name, count in counts.items()
        )
    )


def _replica(role: Experiment, count: int, made: Traced) -> Traced:
    return Traced(
        ("replicas", count, ("nodes",)),
        ("restartPolicy", role.run_policy.restart_policy, ("run_policy", "restart_policy")),
        ("template", made, ()),
    )


def _elastic(elastic: Elastic | None) -> Json:
    if elastic is None:
        return None
    conf: list[Json] = [
        Traced(
            ("key", key, ("elastic", "rdzv_conf", key)),
            ("value", text, ("elastic", "rdzv_conf", key)),
        )
        for key, text in sorted(elastic.rdzv_conf.items())
    ]
    return fields(
        ("minReplicas", elastic.min_nodes, ("elastic", "min_nodes")),
        ("maxReplicas", elastic.max_nodes, ("elastic", "max_nodes")),
        ("maxRestarts", elastic.max_restarts, ("elastic", "max_restarts")),
        ("rdzvBackend", elastic.rdzv_backend, ("elastic", "rdzv_backend")),
        ("rdzvHost", elastic.rdzv_host, ("elastic", "rdzv_host")),
        ("rdzvPort", elastic.rdzv_port, ("elastic", "rdzv_port")),
        ("rdzvId", elastic.rdzv_id, ("elastic", "rdzv_id")),
        ("rdzvConf", conf, ("elastic", "rdzv_conf")),
        ("metrics", traced([*elastic.metrics], ("elastic", "metrics")), ("elastic", "metrics")),
    )


def _run_policy(experiment: Experiment) -> Traced:
    policy = experiment.run_policy
    deadline = policy.active_deadline
    return fields(
        ("cleanPodPolicy", policy.clean_pod_policy, ("run_policy", "clean_pod_policy")),
        ("backoffLimit", policy.backoff_limit, ("run_policy", "backoff_limit")),
        (
            "activeDeadlineSeconds",
            None if deadline is None else seconds(deadline),
            ("run_policy", "active_deadline"),
        ),
        (
            "ttlSecondsAfterFinished",
            policy.ttl_seconds_after_finished,
            ("run_policy", "ttl_seconds_after_finished"),
        ),
        ("suspend", policy.suspend, ("run_policy", "suspend")),
        ("managedBy", policy.managed_by, ("run_policy", "managed_by")),
        ("schedulingPolicy", _gang(experiment), ("scheduling", "gang")),
    )


def _gang(experiment: Experiment) -> Json:
    gang = experiment.scheduling.gang
    if gang is None:
        return None
    here = ("scheduling", "gang")
    timeout = gang.schedule_timeout
    resources = Traced(
        *(
            (name, amount, (*here, "min_resources", name))
            for name, amount in sorted(gang.min_resources.items())
        )
    )
    return fields(
        ("minAvailable", gang.min_available, (*here, "min_available")),
        ("queue", gang.queue, (*here, "queue")),
        ("priorityClass", gang.priority_class, (*here, "priority_class")),
        ("minResources", resources, (*here, "min_resources")),
        (
            "scheduleTimeoutSeconds",
            None if timeout is None else seconds(timeout),
            (*here, "schedule_timeout"),
        ),
    )
