"""Layers → one resolved, typed job that remembers which layer, file and line set each value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from genjob.diagnostics import Diagnostic
from genjob.model.errors import unknown_key
from genjob.model.experiment import Experiment, Pod
from genjob.model.validation import validated
from genjob.resolve.layers import Layer, Origin, origins
from genjob.resolve.merge import combine
from genjob.resolve.pools import choose_pool
from genjob.resolve.precedence import PRECEDENCE, EnvironmentFile, Inputs
from genjob.resolve.site import fabric_of, missing, site_of, without_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from genjob.catalog.fabrics import Fabric, Site
    from genjob.diagnostics import Finding, Location
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
        return _own(self.tree, "master")

    @cached_property
    def own_of_worker(self) -> dict[str, Raw]:
        """The `worker` section: what is different for the Workers."""
        return _own(self.tree, "worker")

    @cached_property
    def master_tree(self) -> dict[str, Raw]:
        """The tree as the Master sees it: its own section laid over everything."""
        return _seen(self.tree, "master", self.own_of_master)

    @cached_property
    def worker_tree(self) -> dict[str, Raw]:
        """The tree as the Workers see it, which is also the job's: theirs laid over everything."""
        return _seen(self.tree, "worker", self.own_of_worker)

    def from_master(self, path: DocPath) -> DocPath:
        """Return the route in `tree` of a value that stands at `path` in `master_tree`."""
        return self._from_role("master", path)

    def from_worker(self, path: DocPath) -> DocPath:
        """Return the route in `tree` of a value that stands at `path` in `worker_tree`.

        A route that leads into a section of a role stays as it is.
        """
        if not self.own_of_worker or path[:1] in {("master",), ("worker",)}:
            return path
        return self._from_role("worker", path)

    def _from_role(self, role: str, path: DocPath) -> DocPath:
        trees = {
            "master": (self.master_tree, self.own_of_master),
            "worker": (self.worker_tree, self.own_of_worker),
        }
        seen, own = trees[role]
        first = origins(seen, (Layer("for all", self.tree), Layer(role, own)), path)[0]
        return (role, *first.path) if first.layer == role else first.path

    def origins(self, path: DocPath) -> list[Origin]:
        """Return who set the value at `path`, the winning layer first."""
        return origins(self.tree, self.layers, path)

    def locate(self, path: DocPath, *, at_key: bool = False) -> Location:
        """Return the place where a person wrote the value at `path`, or what is nearest to it.

        The route is one in `tree`, or in the view of the Workers.
        """
        path = self.from_worker(path)
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

    `experiment` is what the Workers see, and `master` what the Master sees. `files` are the
    contents of the files beside the experiment.yaml, by the name that its storage gives them;
    `too_large` are the names of those that no ConfigMap holds. `claims` are those that the
    experiments of the workspace make. `run` is the name of the run, which a base does not have.
    """

    experiment: Experiment
    master: Experiment
    files: Mapping[str, bytes] = field(default_factory=dict)
    too_large: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    run: str | None = None

    @property
    def run_name(self) -> str:
        """The name of the job object."""
        return self.run or self.experiment.name

    def roles(self) -> Iterator[tuple[Experiment, Callable[[DocPath], DocPath]]]:
        """Yield the experiment as each role sees it, and what makes a route in it one in `tree`."""
        yield self.experiment, lambda path: path
        if self.own_of_master or self.own_of_worker:
            yield self.master, self.from_master

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
        """The fabric that NCCL uses, NVLink in one machine; None when there is none, or unknown."""
        return self.inputs.fabric


def resolve(
    experiment: Document,
    environment: EnvironmentFile | None = None,
    *,
    override: str | None = None,
) -> tuple[Job | None, list[Diagnostic]]:
    """Return the resolved job, None when it has errors, and what is wrong with it in its layers.

    `override` is the name by which the experiment knows the environment.

    The node pool depends on what the other layers ask for, and the fabric on the node pool, so the
    layers are laid once more when each of them is known.
    """
    job, diagnostics = _typed(Inputs(experiment, environment, override))
    if job is not None and environment is not None:
        pool_index, problem = choose_pool(job.experiment, environment.model)
        if problem is not None:
            return None, [*diagnostics, job.diagnostic(problem)]
        if pool_index is not None:
            asked = (job.experiment, job.master)
            job, diagnostics = _typed(replace(job.inputs, pool_index=pool_index, asked=asked))
    if job is None or (fabric := fabric_of(job.experiment, job.pool)) is None:
        return job, diagnostics
    site = site_of(job.experiment, job.pool)
    if lacking := _lacking(job, fabric, site):
        return None, [*diagnostics, *lacking]
    return _typed(replace(job.inputs, fabric=fabric, site=site))


def _lacking(job: Job, fabric: Fabric, site: Site) -> list[Diagnostic]:
    """Return what the fabric needs to be told in this environment and is not."""
    environment, pool_index = job.inputs.environment, job.inputs.pool_index
    if environment is None:
        return []
    if pool_index is None:
        return [job.diagnostic(finding) for finding in without_pool(fabric, site)]
    return missing(fabric, site, environment, pool_index)


def _own(tree: dict[str, Raw], role: str) -> dict[str, Raw]:
    own = tree.get(role)
    fields = own if isinstance(own, dict) else {}
    return {key: value for key, value in fields.items() if key in Pod.model_fields}


def _seen(tree: dict[str, Raw], role: str, own: dict[str, Raw]) -> dict[str, Raw]:
    seen = combine({key: value for key, value in tree.items() if key != role}, own)
    return seen if isinstance(seen, dict) else {}


def _typed(inputs: Inputs) -> tuple[Job | None, list[Diagnostic]]:
    layered = Layered.of(inputs)
    experiment, found = _worker_view(layered)
    master, found_in_master = _master_view(layered, experiment)
    problems = dict.fromkeys([*found, *found_in_master])
    diagnostics = [layered.diagnostic(problem) for problem in problems]
    if experiment is None or master is None:
        return None, diagnostics
    return Job(inputs, layered.layers, layered.tree, experiment, master), diagnostics


def _worker_view(layered: Layered) -> tuple[Experiment | None, list[Finding]]:
    """Return the experiment as the Workers see it, and what is wrong with it."""
    misplaced = _misplaced(layered, "worker")
    if not layered.own_of_worker and not misplaced:
        return validated(Experiment, layered.tree)
    workers, found = validated(Experiment, layered.worker_tree)
    theirs = [replace(each, path=layered.from_worker(each.path)) for each in found]
    return (None if misplaced else workers), [*misplaced, *theirs]


def _master_view(
    layered: Layered, workers: Experiment | None
) -> tuple[Experiment | None, list[Finding]]:
    """Return the experiment as the Master sees it, and what is wrong for the Master alone."""
    misplaced = _misplaced(layered, "master")
    if not layered.own_of_master and not layered.own_of_worker:
        return (None if misplaced else workers), misplaced
    master, in_view = validated(Experiment, layered.master_tree)
    theirs = [replace(each, path=layered.from_master(each.path)) for each in in_view]
    if workers is None:
        theirs = [each for each in theirs if each.path[:1] == ("master",)]
    return (None if misplaced else master), [*misplaced, *theirs]


def _misplaced(layered: Layered, role: str) -> list[Finding]:
    """Return the fields in the section of a role that are not a role's."""
    written = layered.tree.get(role)
    unknown = (
        [key for key in written if key not in Pod.model_fields] if isinstance(written, dict) else []
    )
    return [unknown_key((role, key), Pod.model_fields, Experiment) for key in unknown]
