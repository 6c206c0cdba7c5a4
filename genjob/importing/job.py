"""A PyTorchJob → the fields of an experiment.

Each function that makes a part of a job has its inverse in this room. What the inverses do not take
goes to `pod_overrides` of its role, or to `job_overrides`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

from genjob.importing.labels import without
from genjob.importing.policy import policy
from genjob.importing.rest import below, drop_if_empty, present, take_text, take_text_map
from genjob.importing.role import NCCL, Context, Role, backend, role
from genjob.importing.sections import Sections, sections
from genjob.importing.topology import topology
from genjob.manifests.pytorchjob import QUEUE_LABEL
from genjob.model.experiment import VERSION, Experiment
from genjob.rules.walk import as_object, as_str, get, replica_specs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from genjob.importing.beside import Beside
    from genjob.jsontypes import JsonObject

_FIRST = (
    *("version", "name", "labels", "job_labels", "annotations"),
    *("image", "image_pull_policy", "image_pull_secrets"),
    *("script", "module", "command", "launcher", "launcher_args", "args", "working_dir"),
    *("nodes", "with_master", "nproc_per_node", "elastic"),
)
_LAST = ("pod_overrides", "master", "worker", "job_overrides", "environments")
_ORDER = (
    *_FIRST,
    *(name for name in Experiment.model_fields if name not in {*_FIRST, *_LAST}),
    *_LAST,
)
"""The fields in the order in which a person reads them: what it is, what it runs, the rest."""

_ROLES = ("Worker", "Master")
"""The roles, the one first whose values stand in the shared fields."""


class Taken(NamedTuple):
    """The fields of an experiment, in the order of the model, and those of each of its roles."""

    fields: JsonObject
    roles: list[JsonObject]


def experiment_of(job: JsonObject, others: Beside, environments: Sequence[str]) -> Taken:
    """Return the experiment of a settled job; `others` is what its other objects become."""
    rest = deepcopy(job)
    spec, metadata = below(rest, "spec"), below(rest, "metadata")
    name = as_str(get(job, "metadata", "name")) or ""
    config_name, config = others.config or ("", {})
    context = Context(name, backend(job), others.storages, config_name)
    queue = take_text(below(metadata, "labels"), QUEUE_LABEL)
    specs = replica_specs(job)
    roles = {each: _taken(spec, each, context) for each in _ROLES if each in specs}
    own_labels = without(take_text_map(metadata, "labels"), others.labels, name)
    parted = _parted(roles, others.labels, name)
    ends = policy(spec, _in_order(spec, roles))
    made: JsonObject = {
        "version": VERSION,
        "name": name,
        **present(labels=others.labels, job_labels=own_labels),
        **present(annotations=take_text_map(metadata, "annotations")),
        **parted.shared,
        **topology(job, spec),
        **present(config=config),
        **present(run_policy=ends.run_policy, master=parted.master, worker=parted.worker),
        **present(job_overrides=_overrides(spec)),
        "environments": {each: {} for each in environments},
    }
    _add(made, "network", {} if context.backend == NCCL else {"backend": context.backend})
    _add(made, "scheduling", {} if ends.gang is None else {"gang": ends.gang})
    _add(made, "scheduling", {} if queue is None else {"queue": queue})
    ordered = {key: made[key] for key in _ORDER if key in made}
    return Taken(ordered, [each.fields for each in roles.values()])


def _taken(spec: JsonObject, name: str, context: Context) -> Role:
    """Take the template of a role out of what is left of a spec."""
    replica = below(below(spec, "pytorchReplicaSpecs"), name)
    made = role(as_object(replica.pop("template", None)), context)
    if made.template:
        replica["template"] = made.template
    return made


def _in_order(spec: JsonObject, roles: Mapping[str, Role]) -> JsonObject:
    replicas = below(spec, "pytorchReplicaSpecs")
    return {name: replicas[name] for name in roles}


def _parted(roles: Mapping[str, Role], shared: JsonObject, name: str) -> Sections:
    """Return the fields of the roles as sections; a role alone needs none."""
    fields = [
        {**role.fields, **present(pod_labels=without(role.labels, shared, name))}
        for role in roles.values()
    ]
    return sections(fields[0], fields[-1])


def _add(made: JsonObject, section: str, fields: JsonObject) -> None:
    if fields:
        made[section] = {**as_object(made.get(section)), **fields}


def _overrides(spec: JsonObject) -> JsonObject:
    """Return what is left of the spec of a job."""
    replicas = below(spec, "pytorchReplicaSpecs")
    for name in [*replicas]:
        drop_if_empty(replicas, name)
    drop_if_empty(spec, "pytorchReplicaSpecs")
    return spec
