"""A workspace → what would be rendered: the planned files and every finding.

The order of the stages stands here, once, as straight-line code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from genjob.allowances import Ledger, remaining_together
from genjob.checks import check
from genjob.demand import demand
from genjob.diagnostics import Diagnostic, in_order
from genjob.kustomize.overlay import Place, base_files, overlay_files
from genjob.manifest import identity
from genjob.manifests import manifests
from genjob.rules.demand import Declared, declared
from genjob.rules.resolved import claims_of_others
from genjob.rules.under_gitops import under_gitops
from genjob.runs.lock import LOCK_FILE
from genjob.runs.neighbours import neighbours
from genjob.runs.run import job_of, overlay_folder, run_of
from genjob.selection import (
    Selection,
    environments_of,
    named,
    relevant,
    selected,
    unknown_names,
    without_file,
)
from genjob.together import footprint
from genjob.tree.plan import Plan, compare, header
from genjob.workspace.loading import EXPERIMENT_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from genjob.document import Document
    from genjob.manifest import Manifest
    from genjob.resolve.job import Job
    from genjob.runs.decision import Decision
    from genjob.runs.hold import HeldBack
    from genjob.runs.lock import Lock
    from genjob.together import Footprint
    from genjob.workspace.loading import Loaded


__all__ = [
    "Rendered",
    "Rendering",
    "Selection",
    "files_of",
    "job_of",
    "plan",
    "plan_of",
    "relevant",
    "render",
    "render_one",
    "selected",
    "unknown_names",
]


@dataclass(frozen=True)
class Rendered:
    """One experiment, rendered: the objects of its base and of each environment."""

    name: str
    base: list[Manifest]
    overlays: dict[str, list[Manifest]]
    jobs: dict[str, Job] = field(default_factory=dict)
    locks: dict[str, Lock] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)

    @cached_property
    def made(self) -> dict[str, Footprint]:
        """What each environment has of it that another experiment must not have too."""
        return {environment: footprint(made) for environment, made in self.overlays.items()}

    @cached_property
    def declared(self) -> dict[str, Declared]:
        """What each environment has of it that takes part of what all runs there share."""
        return {name: declared(job, self.overlays[name][0].body) for name, job in self.jobs.items()}

    @property
    def claims(self) -> frozenset[str] | None:
        """The claims of experiments that it refers to, None when it misses one of them."""
        found = [claims_of_others(job) for job in self.jobs.values()]
        known = [claims for claims in found if claims is not None]
        return frozenset().union(*known) if len(known) == len(found) else None


@dataclass
class Rendering:
    """What a selection renders to, and what is wrong with it.

    `gone` are the folders of overlays that an experiment left, on bases that are rendered.
    """

    experiments: list[Rendered] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    held: list[HeldBack] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def render(
    loaded: Loaded, selection: Selection, progress: Callable[[str], None] = lambda _: None
) -> Rendering:
    """Resolve, render and check the selected experiments in the selected environments."""
    rendering = Rendering(
        diagnostics=[*relevant(loaded, selection), *unknown_names(loaded, selection)]
    )
    for name in selected(loaded, selection):
        progress(name)
        one = render_one(loaded, selection, name)
        rendering.experiments += one.experiments
        rendering.diagnostics += one.diagnostics
        rendering.held += one.held
        rendering.gone += one.gone
    made = {one.name: one.made for one in rendering.experiments}
    rendering.diagnostics.extend(remaining_together(loaded, made))
    runs = {one.name: one.declared for one in rendering.experiments}
    rendering.diagnostics.extend(demand(loaded, selection, runs))
    rendering.diagnostics = in_order(rendering.diagnostics)
    return rendering


def render_one(loaded: Loaded, selection: Selection, name: str) -> Rendering:
    """Resolve, render and check one experiment in the selected environments.

    What is found depends on its own files, those of the environments and the settings, on what is
    on the disk of its base and overlays, and of the other experiments on their claims alone.
    """
    rendering = Rendering()
    one = _experiment(loaded, name, loaded.experiments[name], selection, rendering)
    if one is not None:
        rendering.experiments.append(one)
    return rendering


def _experiment(
    loaded: Loaded, name: str, document: Document, selection: Selection, rendering: Rendering
) -> Rendered | None:
    base, own = job_of(loaded, name, None)
    ledger, found = Ledger(), []
    for environment in without_file(loaded, document, selection):
        found += job_of(loaded, name, environment)[1]
    one = Rendered(name, manifests(base) if base is not None else [], {})
    chosen = environments_of(loaded, document, selection)
    for environment in [*chosen, *_affected(loaded, one, document, chosen, rendering)]:
        again = name in selection.rerun and environment in chosen
        job, problems = _overlay_of(loaded, one, environment, rendering, rerun=again)
        found += problems if job is None else ledger.allow(job, problems)
    if base is not None:
        own += [] if one.overlays else check(base, one.base, loaded.schemas)
        own = ledger.allow(base, own)
    found += ledger.findings(is_complete={*named(document, Selection())} <= one.overlays.keys())
    rendering.diagnostics.extend([*own, *found])
    return one if base is not None else None


def _overlay_of(
    loaded: Loaded, one: Rendered, environment: str, rendering: Rendering, *, rerun: bool
) -> tuple[Job | None, list[Diagnostic]]:
    """Render the run of an experiment in an environment, as it is now or as it is held."""
    job, settled, problems = run_of(loaded, one.name, environment, rerun=rerun)
    if job is None or settled is None:
        return None, problems
    one.overlays[environment] = settled.objects
    one.jobs[environment] = job
    one.locks[environment] = settled.lock
    one.decisions[environment] = settled.decision
    found = check(job, settled.fresh, loaded.schemas)
    found = under_gitops(found, loaded.engine(environment))
    if settled.held is not None:
        rendering.held.append(settled.held)
    return job, [*problems, *settled.problems, *found]


def _affected(
    loaded: Loaded, one: Rendered, document: Document, chosen: list[str], rendering: Rendering
) -> tuple[str, ...]:
    """Return the other environments whose overlays a change of the base changes."""
    others = neighbours(loaded, document, one.name, chosen)
    if not chosen or not any(others):
        return ()
    if not compare(loaded.root, Plan(_base(loaded, one))).changes:
        return ()
    rendering.gone.extend(others.gone)
    rendering.diagnostics.extend(others.stale)
    return others.rendered


def plan(loaded: Loaded, rendering: Rendering, selection: Selection) -> Plan:
    """Return the files of a rendering, and the folders in which nothing else of ours may be."""
    files: dict[str, str] = {}
    for one in rendering.experiments:
        files.update(files_of(loaded, one))
    return plan_of(loaded, selection, files, rendering.gone)


def plan_of(
    loaded: Loaded,
    selection: Selection,
    files: Mapping[str, str],
    gone: Iterable[str],
    in_place: Iterable[str] = (),
) -> Plan:
    """Return the files of experiments with those of the engine, and the folders they fill.

    `gone` are further folders that hold nothing, `in_place` files that are as planned.
    """
    from genjob.gitops.wiring import wiring  # noqa: PLC0415 # not where nothing is written

    engine = wiring(loaded)
    owned = (*_owned(loaded, selection), *engine.owned, *gone)
    return Plan({**files, **engine.files}, owned, frozenset(in_place))


def files_of(loaded: Loaded, one: Rendered) -> dict[str, str]:
    """Return the files of an experiment, path → text."""
    files: dict[str, str] = {}
    if loaded.experiments[one.name].data.get("environments"):
        files.update(_base(loaded, one))
    for environment in one.overlays:
        files.update(_overlay(loaded, one, environment))
    return files


def _base(loaded: Loaded, one: Rendered) -> dict[str, str]:
    folder = f"{loaded.settings.paths.bases}/{one.name}"
    texts = base_files(one.base, header=header(_source(loaded, one.name)))
    return {f"{folder}/{name}": text for name, text in texts.items()}


def _overlay(loaded: Loaded, one: Rendered, environment: str) -> dict[str, str]:
    paths = loaded.settings.paths
    folder = overlay_folder(loaded, one.name, environment)
    up = "/".join([".."] * len(folder.parts))
    objects = one.overlays[environment]
    place = Place(identity(objects[0].body).namespace, f"{up}/{paths.bases}/{one.name}")
    source = f"{_source(loaded, one.name)} and {paths.environments}/{environment}.yaml"
    texts = overlay_files(one.base, objects, place=place, header=header(source))
    texts[LOCK_FILE] = one.locks[environment].text(header=header(source))
    return {f"{folder}/{name}": text for name, text in texts.items()}


def _source(loaded: Loaded, name: str) -> str:
    return f"{loaded.settings.paths.experiments}/{name}/{EXPERIMENT_FILE}"


def _owned(loaded: Loaded, selection: Selection) -> Sequence[str]:
    """Return the folders of which a selection decides the whole content."""
    paths = loaded.settings.paths
    known = sorted({*loaded.environments, *loaded.broken_environments})
    wanted = selection.environments
    environments = [name for name in known if wanted is None or name in wanted]
    if selection.names:
        names = [name for name in selection.names if name in loaded.experiments]
        whole = {*selected(loaded, selection)}  # another environment may stand on the base
        idle = {name for name in names if not named(loaded.experiments[name], Selection())}
        bases = [f"{paths.bases}/{name}" for name in names if name in whole | idle]
        return [*bases, *(f"{paths.overlays}/{e}/{name}" for e in environments for name in names)]
    if wanted is None:
        return [paths.bases, paths.overlays]
    return [f"{paths.overlays}/{environment}" for environment in environments]
