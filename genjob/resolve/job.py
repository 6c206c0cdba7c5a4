"""Layers → one resolved, typed job that remembers which layer, file and line set each value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import ValidationError

from genjob.catalog.fabrics import AUTO, FABRICS, Fabric
from genjob.diagnostics import Diagnostic, Finding
from genjob.model.errors import findings, unknown_key
from genjob.model.experiment import Experiment, Pod
from genjob.resolve.layers import Layer, Origin, origins
from genjob.resolve.merge import combine
from genjob.resolve.pools import choose_pool
from genjob.resolve.precedence import PRECEDENCE, EnvironmentFile, Inputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from genjob.diagnostics import Location
    from genjob.document import Document, Raw
    from genjob.jsontypes import DocPath
    from genjob.model.environment import Environment, NodePool


@dataclass(frozen=True)
class Layered:
    """The layers of an experiment laid over each other, not yet checked against the model."""

    inputs: Inputs
    layers: tuple[Layer, ...]
    tree: dict[str, Raw]

    @classmethod
    def of(cls, inputs: Inputs) -> Layered:
        """Return the layers of `inputs` and what they come to."""
        layers = tuple(layer for make in PRECEDENCE if (layer := make(inputs)) is not None)
        tree: Raw = {}
        for layer in layers:
            tree = combine(tree, layer.tree)
        return cls(inputs, layers, tree if isinstance(tree, dict) else {})

    @cached_property
    def own_of_master(self) -> dict[str, Raw]:
        """The `master` section: what is different for the Master."""
        own = self.tree.get("master")
        fields = own if isinstance(own, dict) else {}
        return {key: value for key, value in fields.items() if key in Pod.model_fields}

    @cached_property
    def master_tree(self) -> dict[str, Raw]:
        """The tree as the Master sees it: its own section laid over everything."""
        everything: Raw = {key: value for key, value in self.tree.items() if key != "master"}
        seen = combine(everything, self.own_of_master)
        return seen if isinstance(seen, dict) else {}

    def from_master(self, path: DocPath) -> DocPath:
        """Return the route in `tree` of a value that stands at `path` in `master_tree`."""
        workers, master = Layer("for all", self.tree), Layer("master", self.own_of_master)
        first = origins(self.master_tree, (workers, master), path)[0]
        return ("master", *first.path) if first.layer == "master" else first.path

    def origins(self, path: DocPath) -> list[Origin]:
        """Return who set the value at `path`, the winning layer first."""
        return origins(self.tree, self.layers, path)

    def locate(self, path: DocPath, *, at_key: bool = False) -> Location:
        """Return the place where a person wrote the value at `path`, or what is nearest to it."""
        for origin in self.origins(path):
            if origin.document is not None:
                return origin.document.locate(origin.path, at_key=at_key)
        return self.inputs.experiment.locate(path, at_key=at_key)

    def diagnostic(self, finding: Finding) -> Diagnostic:
        """Return a finding about the resolved experiment at the place where it was written."""
        location = self.locate(finding.path, at_key=finding.at_key)
        return Diagnostic(finding.code, finding.message, location, finding.hint, finding.severity)


@dataclass(frozen=True)
class Job(Layered):
    """An experiment in one environment, or in none (the base), with every value decided.

    `master` is the experiment as the Master sees it. `files` are the contents of the files beside
    the experiment.yaml, by the name that its storage gives them; `too_large` are the names of those
    that no ConfigMap holds. `claims` are those that the experiments of the workspace make.
    """

    experiment: Experiment
    master: Experiment
    files: Mapping[str, bytes] = field(default_factory=dict)
    too_large: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()

    @property
    def environment(self) -> Environment | None:
        """The environment, or None for the base."""
        return self.inputs.environment.model if self.inputs.environment else None

    @property
    def pool(self) -> NodePool | None:
        """The node pool that the job lands on, or None when it is not known."""
        return self.inputs.pool

    @property
    def fabric(self) -> Fabric | None:
        """The fabric between the machines, or None when NCCL does not cross machines."""
        return self.inputs.fabric


def resolve(
    experiment: Document,
    environment: EnvironmentFile | None = None,
    *,
    override: str | None = None,
) -> tuple[Job | None, list[Diagnostic]]:
    """Return the resolved job, or None and what is wrong with the experiment in its layers.

    `override` is the name by which the experiment knows the environment.

    The node pool depends on what the other layers ask for, and the fabric on the node pool, so the
    layers are laid once more when each of them is known.
    """
    job, diagnostics = _typed(Inputs(experiment, environment, override))
    if job is not None and environment is not None:
        pool_index, problem = choose_pool(job.experiment, environment.model)
        if problem is not None:
            return None, [job.diagnostic(problem)]
        wants_gpus = job.experiment.resources.accelerator is not None
        job, diagnostics = _typed(replace(job.inputs, pool_index=pool_index, wants_gpus=wants_gpus))
    if job is not None and (fabric := _fabric_of(job)) is not None:
        job, diagnostics = _typed(replace(job.inputs, fabric=fabric))
    return job, diagnostics


def _fabric_of(job: Job) -> Fabric | None:
    experiment = job.experiment
    crosses_machines = experiment.nodes > 1 or experiment.elastic is not None
    if experiment.network.backend != "nccl" or not crosses_machines:
        return None
    if not experiment.resources.gpus_per_node:
        return None
    if experiment.network.fabric != AUTO:
        return FABRICS[experiment.network.fabric]
    return FABRICS[job.pool.fabric or "ethernet"] if job.pool else None


def _typed(inputs: Inputs) -> tuple[Job | None, list[Diagnostic]]:
    layered = Layered.of(inputs)
    experiment, found = _validated(layered.tree)
    master, found_in_master = _master_view(layered, experiment)
    problems = [*found, *found_in_master]
    if experiment is None or master is None or problems:
        return None, [layered.diagnostic(problem) for problem in problems]
    return Job(inputs, layered.layers, layered.tree, experiment, master), []


def _validated(tree: Raw) -> tuple[Experiment | None, list[Finding]]:
    try:
        return Experiment.model_validate(tree), []
    except ValidationError as error:
        return None, findings(error, Experiment, tree)


def _master_view(
    layered: Layered, workers: Experiment | None
) -> tuple[Experiment | None, list[Finding]]:
    """Return the experiment as the Master sees it, and what is wrong for the Master alone."""
    written = layered.tree.get("master")
    unknown = (
        [key for key in written if key not in Pod.model_fields] if isinstance(written, dict) else []
    )
    misplaced = [unknown_key(("master", key), Pod.model_fields, Experiment) for key in unknown]
    if not layered.own_of_master:
        return (None if misplaced else workers), misplaced
    master, in_view = _validated(layered.master_tree)
    theirs = [replace(each, path=layered.from_master(each.path)) for each in in_view]
    if workers is None:
        theirs = [each for each in theirs if each.path[:1] == ("master",)]
    return (None if misplaced else master), [*misplaced, *theirs]
