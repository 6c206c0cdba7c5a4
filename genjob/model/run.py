"""How a run ends (the operator's runPolicy), and what its pods are allowed to do."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from genjob.model.base import Duration, Flag, Model, Natural, Word, no_items


class RunPolicy(Model):
    """When a run is retried, ends, and what is left of it."""

    restart_policy: Literal["OnFailure", "Never", "Always", "ExitCode"] = Field(
        default="OnFailure",
        description="When a container starts again. ExitCode retries only exit codes from 128 on: "
        "a Python exception (1) ends the job.",
    )
    backoff_limit: Natural | None = Field(
        default=None, description="Restarts, over all pods, after which the job fails."
    )
    active_deadline: Duration | None = Field(
        default=None,
        description="How long the job may run before it is ended.",
        examples=["72h", "90m", "1h30m"],
    )
    clean_pod_policy: Literal["Running", "All", "None"] = Field(
        default="Running",
        description="Which pods are deleted at the end. Running frees GPUs and keeps the logs of "
        "finished pods.",
    )
    ttl_seconds_after_finished: Natural | None = Field(
        default=None,
        description="Seconds after which the operator deletes the job. Under GitOps that repeats "
        "the training: Git still declares the job.",
    )
    suspend: Flag | None = Field(
        default=None, description="Create the job without pods; never together with a queue."
    )
    managed_by: Literal["kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue"] | None = (
        Field(default=None, description="The controller that runs the job.")
    )


class Security(Model):
    """The security context of the training container and its pod."""

    run_as_user: Natural | None = Field(default=None, description="User id of the processes.")
    run_as_group: Natural | None = Field(default=None, description="Group id of the processes.")
    fs_group: Natural | None = Field(default=None, description="Group id that owns the volumes.")
    run_as_non_root: Flag | None = Field(default=None, description="Refuse to run as root.")
    privileged: Flag | None = Field(default=None, description="Give all rights of the machine.")
    allow_privilege_escalation: Flag | None = Field(
        default=None, description="Whether a process may gain more rights than its parent."
    )
    read_only_root_filesystem: Flag | None = Field(
        default=None, description="Make the image's own files read-only."
    )
    capabilities: list[Word] = Field(
        default_factory=no_items,
        description="Capabilities to add, such as IPC_LOCK for RDMA.",
        examples=[["IPC_LOCK"]],
    )
    drop_capabilities: list[Word] = Field(
        default_factory=no_items,
        description="Capabilities to take away, such as ALL.",
        examples=[["ALL"]],
    )
