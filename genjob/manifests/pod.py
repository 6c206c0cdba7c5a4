"""A role of a job → its pod template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.manifests.environment import env, env_from
from genjob.manifests.images import mirrored
from genjob.manifests.labels import pod_labels, text_map
from genjob.manifests.placement import placement
from genjob.manifests.resources import resources
from genjob.manifests.trace import Traced, fields, lay_over, traced
from genjob.manifests.volumes import mounts, volumes

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json
    from genjob.model.experiment import Experiment
    from genjob.resolve.job import Job

CONTAINER = "pytorch"
"""The name by which the operator finds its container. Source: training-operator 1.9."""

MASTER_PORT = "pytorchjob-port"
"""The name of the port that the operator reads MASTER_PORT from. Source: the same."""

_LAUNCHERS: dict[str, tuple[str, ...]] = {"torchrun": ("torchrun",), "python": ("python",)}


def template(job: Job, role: Experiment) -> Traced:
    """Return the pod template of a role."""
    metadata = fields(
        ("labels", pod_labels(job, role), ("pod_labels",)),
        ("annotations", _annotations(role), ("pod_annotations",)),
    )
    return Traced(("metadata", metadata, ("pod_labels",)), ("spec", spec(job, role), ()))


def _annotations(role: Experiment) -> Traced:
    annotations = text_map(role.pod_annotations, ("pod_annotations",))
    topology = role.scheduling.topology
    for level in ("required", "preferred"):
        label = getattr(topology, level, None)
        if label is not None:
            key = f"kueue.x-k8s.io/podset-{level}-topology"
            annotations.put(key, label, ("scheduling", "topology", level))
    return annotations


def spec(job: Job, role: Experiment) -> Traced:
    """Return the pod spec of a role, with `pod_overrides` laid over it."""
    network = role.network
    dns_policy = network.dns_policy or ("ClusterFirstWithHostNet" if network.host_network else None)
    made = fields(
        ("initContainers", _beside(role), ("init_containers",)),
        ("containers", [container(job, role)], ()),
        ("volumes", volumes(job, role), ("storage",)),
        *placement(job, role),
        ("hostNetwork", network.host_network or None, ("network", "host_network")),
        ("dnsPolicy", dns_policy, ("network", "dns_policy")),
        ("hostIPC", network.host_ipc or None, ("network", "host_ipc")),
        ("securityContext", _pod_security(role), ("security",)),
        ("imagePullSecrets", _pull_secrets(role), ("image_pull_secrets",)),
    )
    overrides = traced(role.pod_overrides, ("pod_overrides",))
    result = lay_over(made, overrides) if isinstance(overrides, Traced) else made
    return _from_mirror(job, result)


def container(job: Job, role: Experiment) -> Traced:
    """Return the training container of a role."""
    command, source = program(role)
    return fields(
        ("name", CONTAINER, ()),
        ("image", role.image, ("image",)),
        ("imagePullPolicy", role.image_pull_policy, ("image_pull_policy",)),
        ("command", [*command], source),
        ("args", [*role.args], ("args",)),
        ("workingDir", role.working_dir, ("working_dir",)),
        ("ports", _ports(role), ("ports",)),
        ("env", env(role), ("env",)),
        ("envFrom", env_from(job, role), ("env_from",)),
        ("resources", resources(job, role), ("resources",)),
        ("volumeMounts", mounts(role), ("storage",)),
        ("securityContext", _security(role), ("security",)),
    )


def program(role: Experiment) -> tuple[list[str], DocPath]:
    """Return the command of the container and the field that it came from."""
    if role.command is not None:
        return role.command, ("command",)
    launcher = [*_LAUNCHERS[role.launcher], *role.launcher_args]
    if role.module is not None:
        return [*launcher, "-m", role.module], ("module",)
    return [*launcher, str(role.script)], ("script",)


def _ports(role: Experiment) -> list[Json]:
    own: list[Json] = [
        fields(
            ("name", port.name, ("ports", index, "name")),
            ("containerPort", port.port, ("ports", index, "port")),
            (
                "protocol",
                None if port.protocol == "TCP" else port.protocol,
                ("ports", index, "protocol"),
            ),
            ("hostPort", port.host_port, ("ports", index, "host_port")),
        )
        for index, port in enumerate(role.ports)
    ]
    source: DocPath = ("network", "master_port")
    rendezvous = role.network.master_port
    if rendezvous is None:
        return own
    named = Traced(("name", MASTER_PORT, source), ("containerPort", rendezvous, source))
    return [named, *own]


def _beside(role: Experiment) -> list[Json]:
    """Return init containers, then side-cars as native ones: they end when the training does."""
    before = traced([*role.init_containers], ("init_containers",))
    sidecars = traced([*role.sidecars], ("sidecars",))
    for index, sidecar in enumerate(sidecars if isinstance(sidecars, list) else []):
        if isinstance(sidecar, Traced) and "restartPolicy" not in sidecar:
            sidecar.put("restartPolicy", "Always", ("sidecars", index))
    return [
        *(before if isinstance(before, list) else []),
        *(sidecars if isinstance(sidecars, list) else []),
    ]


def _security(role: Experiment) -> Traced:
    own = role.security
    capabilities = fields(
        ("add", [*own.capabilities], ("security", "capabilities")),
        ("drop", [*own.drop_capabilities], ("security", "drop_capabilities")),
    )
    return fields(
        ("capabilities", capabilities, ("security", "capabilities")),
        *(
            (key, getattr(own, field), ("security", field))
            for key, field in _SECURITY_FIELDS.items()
        ),
    )


_SECURITY_FIELDS = {
    "privileged": "privileged",
    "allowPrivilegeEscalation": "allow_privilege_escalation",
    "readOnlyRootFilesystem": "read_only_root_filesystem",
    "runAsUser": "run_as_user",
    "runAsGroup": "run_as_group",
    "runAsNonRoot": "run_as_non_root",
}


def _pod_security(role: Experiment) -> Traced:
    return fields(("fsGroup", role.security.fs_group, ("security", "fs_group")))


def _pull_secrets(role: Experiment) -> list[Json]:
    return [
        Traced(("name", name, ("image_pull_secrets", index)))
        for index, name in enumerate(role.image_pull_secrets)
    ]


def _from_mirror(job: Job, pod_spec: Traced) -> Traced:
    mirror = job.environment.registry.mirror if job.environment else {}
    for group in ("initContainers", "containers") if mirror else ():
        containers = pod_spec.get(group)
        for each in containers if isinstance(containers, list) else []:
            if isinstance(each, dict) and isinstance(image := each.get("image"), str):
                each["image"] = mirrored(image, mirror)
    return pod_spec
