"""Rules on a resolved experiment beside the policy of its environment.

Each finding is where the experiment says it, and names the line of the policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.codes import Code
from genjob.diagnostics import Finding
from genjob.document import value_of
from genjob.jsontypes import dotted
from genjob.manifests.images import full_name, mirrored
from genjob.model.duration import seconds
from genjob.model.experiment import Experiment
from genjob.model.fields import field_at
from genjob.resolve.capacity import most_gpus, most_nodes
from genjob.resolve.merge import value_at
from genjob.wording import one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from genjob.document import Raw
    from genjob.jsontypes import DocPath, Json
    from genjob.model.environment import Policy
    from genjob.resolve.job import Job

_DEADLINE: Final[DocPath] = ("run_policy", "active_deadline")


def policy_place(job: Job, *path: str) -> str:
    """Return the field of an environment that demands something, with its file and line."""
    file = job.inputs.environment
    place = file.document.locate(path) if file is not None else job.locate(path)
    return f"{dotted(path)} ({place.file}:{place.line})"


def _policy(job: Job) -> Policy | None:
    return job.environment.policy if job.environment else None


def over_gpu_limit(job: Job) -> Iterator[Finding]:
    """More GPUs than the environment's policy allows for one run."""
    policy = _policy(job)
    (path, total), most = most_gpus(job), policy.max_gpus_per_run if policy else None
    if most is not None and total > most:
        where = policy_place(job, "policy", "max_gpus_per_run")
        message = f"the run takes {total} GPUs; {where} allows {most}"
        hint = "use fewer nodes or fewer GPUs per node"
        yield Finding(Code.GPU_LIMIT_EXCEEDED, path, message, hint)


def over_node_limit(job: Job) -> Iterator[Finding]:
    """More nodes than the environment's policy allows for one run."""
    policy = _policy(job)
    (path, total), most = most_nodes(job.experiment), policy.max_nodes_per_run if policy else None
    if most is not None and total > most:
        where = policy_place(job, "policy", "max_nodes_per_run")
        message = f"the run takes {total} nodes; {where} allows {most}"
        yield Finding(Code.NODE_LIMIT_EXCEEDED, path, message, f"write at most {most}")


def over_deadline(job: Job) -> Iterator[Finding]:
    """A run that may take longer than the environment's policy allows, or for ever."""
    policy, deadline = _policy(job), job.experiment.run_policy.active_deadline
    longest = policy.max_active_deadline if policy else None
    if policy is None or longest is None or (deadline and seconds(deadline) <= seconds(longest)):
        return
    if deadline is None and dotted(_DEADLINE) in policy.require:
        return  # said already
    found = f"the run may take {deadline}" if deadline else "the run has no deadline"
    message = f"{found}; {policy_place(job, 'policy', 'max_active_deadline')} allows {longest}"
    hint = f"set {dotted(_DEADLINE)} to at most {longest}"
    path = _DEADLINE if deadline else _DEADLINE[:1]
    yield Finding(Code.DEADLINE_TOO_LATE, path, message, hint)


def required_field_missing(job: Job) -> Iterator[Finding]:
    """A field that the environment's policy demands."""
    policy = _policy(job)
    for name in policy.require if policy else ():
        path = tuple(name.split("."))
        if value_at(job.tree, path) is None:
            message = f"{policy_place(job, 'policy', 'require')} demands {quoted(name)}"
            yield Finding(Code.REQUIRED_FIELD_MISSING, path[:-1], message, f"set {name}")


def forbidden_field(job: Job) -> Iterator[Finding]:
    """A field that the environment's policy forbids, and the experiment sets to something."""
    policy = _policy(job)
    for name in policy.forbid if policy else ():
        keys = tuple(name.split("."))
        for path in (*_routes(job.tree, keys), *_routes(job.tree, ("master", *keys))):
            if _is_own(job, path) and not _is_idle(job.tree, path):
                message = f"{policy_place(job, 'policy', 'forbid')} forbids {quoted(name)}"
                yield Finding(Code.FORBIDDEN_FIELD, path, message, "remove it", at_key=True)


def _routes(tree: Raw | None, keys: tuple[str, ...], so_far: DocPath = ()) -> Iterator[DocPath]:
    """Yield the routes of a tree that some keys lead to; each item of a list is entered."""
    node = value_at(tree, so_far) if tree is not None else None
    if node is None:
        return
    if not keys:
        yield so_far
    elif isinstance(node, list):
        for index in range(len(node)):
            yield from _routes(tree, keys, (*so_far, index))
    else:
        yield from _routes(tree, keys[1:], (*so_far, keys[0]))


def _is_own(job: Job, path: DocPath) -> bool:
    """Tell whether the experiment says something of a value, not its environment alone."""
    return any(origin.document is job.inputs.experiment for origin in job.origins(path))


def _is_idle(tree: Raw, path: DocPath) -> bool:
    """Tell whether a value changes nothing: it is false, empty, or what it would be without it."""
    raw = value_at(tree, path)
    value = None if raw is None else value_of(raw)
    below = path[1:] if path[0] == "master" else path
    field = field_at(Experiment, below) if below else None
    default = field.get_default(call_default_factory=True) if field else None
    return value is False or value in ([], {}, "") or value == default


def image_without_digest(job: Job) -> Iterator[Finding]:
    """An image without a digest where the environment demands one."""
    if job.environment is None or not job.environment.registry.require_digest:
        return
    for image, path in _images(job):
        if "@sha256:" not in image:
            where = policy_place(job, "registry", "require_digest")
            message = f"found {quoted(image)}; {where} demands a digest"
            hint = f"write {image}@sha256:…"
            yield Finding(Code.IMAGE_WITHOUT_DIGEST, path, message, hint)


def registry_not_allowed(job: Job) -> Iterator[Finding]:
    """An image from a registry that the environment's policy does not list."""
    policy = _policy(job)
    if policy is None or job.environment is None or not policy.registries:
        return
    for image, path in _images(job):
        pulled = full_name(mirrored(image, job.environment.registry.mirror))
        if not any(pulled.startswith(f"{place.rstrip('/')}/") for place in policy.registries):
            where = policy_place(job, "policy", "registries")
            message = f"found an image from {quoted(pulled.rpartition('/')[0])}; {where} does "
            message += "not list it"
            hint = f"take one from {one_of(policy.registries)}"
            yield Finding(Code.REGISTRY_NOT_ALLOWED, path, message, hint)


def _images(job: Job) -> Iterator[tuple[str, DocPath]]:
    """Yield the images that a person wrote, and where: those of a fabric's profile are ours."""
    for role, place in job.roles():
        for image, path in _images_of(role):
            if any(origin.document for origin in job.origins(place(path))):
                yield image, place(path)


def _images_of(role: Experiment) -> Iterator[tuple[str, DocPath]]:
    yield role.image, ("image",)
    raw: dict[DocPath, Sequence[Json]] = {
        ("init_containers",): role.init_containers,
        ("sidecars",): role.sidecars,
    }
    for key in ("initContainers", "containers"):
        listed = role.pod_overrides.get(key)
        raw["pod_overrides", key] = listed if isinstance(listed, list) else []
    for path, containers in raw.items():
        for index, container in enumerate(containers):
            image = container.get("image") if isinstance(container, dict) else None
            if isinstance(image, str):
                yield image, (*path, index, "image")


POLICY_RULES: Final[tuple[Callable[[Job], Iterator[Finding]], ...]] = (
    over_gpu_limit,
    over_node_limit,
    over_deadline,
    image_without_digest,
    registry_not_allowed,
    required_field_missing,
    forbidden_field,
)
