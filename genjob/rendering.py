"""A workspace → what would be rendered: the planned files and every finding.

The order of the stages stands here, once, as straight-line code.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from genjob.allowances import Ledger
from genjob.checks import check
from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location, in_order
from genjob.kustomize.overlay import Place, base_files, overlay_files
from genjob.manifest import identity
from genjob.manifests import manifests
from genjob.resolve.job import Job, resolve
from genjob.tree.plan import Plan, compare, header
from genjob.wording import did_you_mean, quoted
from genjob.workspace.beside import read_beside
from genjob.workspace.loading import EXPERIMENT_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from genjob.document import Document
    from genjob.manifest import Identity, Manifest
    from genjob.workspace.loading import Loaded


@dataclass(frozen=True, slots=True)
class Selection:
    """Which experiments and environments a command is about; None means all."""

    names: tuple[str, ...] = ()
    environments: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Rendered:
    """One experiment, rendered: the objects of its base and of each environment."""

    name: str
    base: list[Manifest]
    overlays: dict[str, list[Manifest]]


@dataclass
class Rendering:
    """What a selection renders to, and what is wrong with it."""

    experiments: list[Rendered] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def render(
    loaded: Loaded, selection: Selection, progress: Callable[[str], None] = lambda _: None
) -> Rendering:
    """Resolve, render and check the selected experiments in the selected environments."""
    rendering = Rendering(
        diagnostics=[*relevant(loaded, selection), *unknown_names(loaded, selection)]
    )
    for name in selected(loaded, selection):
        progress(name)
        document = loaded.experiments[name]
        one, diagnostics = _experiment(loaded, name, document, selection)
        rendering.diagnostics.extend(diagnostics)
        if one is not None:
            rendering.experiments.append(one)
    rendering.diagnostics.extend(_made_twice(loaded, rendering.experiments))
    rendering.diagnostics = in_order(rendering.diagnostics)
    return rendering


def relevant(loaded: Loaded, selection: Selection) -> list[Diagnostic]:
    """Return what is wrong with the files that a selection is about."""
    paths = loaded.settings.paths
    chosen = {paths.experiments: selection.names, paths.environments: selection.environments}
    return [
        diagnostic
        for diagnostic in loaded.diagnostics
        if not any(
            names and _is_of_another(PurePosixPath(diagnostic.location.file), folder, names)
            for folder, names in chosen.items()
        )
    ]


def _is_of_another(file: PurePosixPath, folder: str, names: Sequence[str]) -> bool:
    if not file.is_relative_to(folder):
        return False
    return PurePosixPath(file.relative_to(folder).parts[0]).stem not in names


def selected(loaded: Loaded, selection: Selection) -> list[str]:
    """Return the experiments that a selection is about: they name one of its environments."""
    names = [name for name in selection.names or loaded.experiments if name in loaded.experiments]
    if selection.environments is None:
        return names
    return [name for name in names if environments_of(loaded, loaded.experiments[name], selection)]


def _made_twice(loaded: Loaded, experiments: Iterable[Rendered]) -> Iterable[Diagnostic]:
    """Find objects of one environment that two experiments make, such as a claim of one name."""
    makers: dict[tuple[str, Identity], str] = {}
    for one in experiments:
        for environment, objects in one.overlays.items():
            for made in (identity(manifest.body) for manifest in objects):
                other = makers.setdefault((environment, made), one.name)
                if other != one.name:
                    message = f"{made} is also made by experiment {quoted(other)}"
                    place = loaded.experiments[one.name].locate(("name",))
                    hint = "rename the experiment or its storage"
                    yield Diagnostic(Code.MADE_TWICE, message, place, hint)


def unknown_names(loaded: Loaded, selection: Selection) -> Iterable[Diagnostic]:
    """Return a finding for each name of a command line that the workspace does not have."""
    paths = loaded.settings.paths
    known = {*loaded.experiments, *loaded.broken}
    for name in selection.names:
        if name not in known:
            place = Location(paths.experiments)
            hint = did_you_mean(name, known) or "make it with `genjob new`"
            message = f"there is no experiment {quoted(name)}"
            yield Diagnostic(Code.UNKNOWN_EXPERIMENT, message, place, hint)
    environments = {*loaded.environments, *loaded.broken_environments}
    for name in selection.environments or ():
        if name not in environments:
            place = Location(paths.environments)
            hint = did_you_mean(name, environments) or f"write {paths.environments}/{name}.yaml"
            message = f"there is no environment {quoted(name)}"
            yield Diagnostic(Code.UNKNOWN_ENVIRONMENT, message, place, hint)


def environments_of(loaded: Loaded, document: Document, selection: Selection) -> list[str]:
    """Return the environments that an experiment names and a selection is about."""
    return [name for name in _named(document, selection) if name in loaded.environments]


def _without_file(loaded: Loaded, document: Document, selection: Selection) -> list[str]:
    """Return the environments that an experiment names and that no usable file describes."""
    return [name for name in _named(document, selection) if name not in loaded.environments]


def _named(document: Document, selection: Selection) -> list[str]:
    named = document.data.get("environments")
    wanted = selection.environments
    return [
        name
        for name in (sorted(named) if isinstance(named, dict) else ())
        if wanted is None or name in wanted
    ]


def _experiment(
    loaded: Loaded, name: str, document: Document, selection: Selection
) -> tuple[Rendered | None, list[Diagnostic]]:
    base, own = job_of(loaded, name, None)
    ledger, found = Ledger(), []
    for environment in _without_file(loaded, document, selection):
        found += job_of(loaded, name, environment)[1]
    one = Rendered(name, manifests(base) if base is not None else [], {})
    chosen = environments_of(loaded, document, selection)
    for environment in [*chosen, *_affected(loaded, one, document, chosen)]:
        job, problems = job_of(loaded, name, environment)
        if job is not None:
            one.overlays[environment] = manifests(job)
            problems += check(job, one.overlays[environment], loaded.schemas)
        found += problems if job is None else ledger.allow(job, problems)
    if base is not None:
        own += [] if one.overlays else check(base, one.base, loaded.schemas)
        own = ledger.allow(base, own)
    found += ledger.findings(is_complete={*_named(document, Selection())} <= one.overlays.keys())
    return (one if base is not None else None), [*own, *found]


def _affected(loaded: Loaded, one: Rendered, document: Document, chosen: list[str]) -> list[str]:
    """Return the other environments whose overlays a change of the base changes.

    An overlay is a difference to the base: the two must be written together.
    """
    others = [e for e in environments_of(loaded, document, Selection()) if e not in chosen]
    rendered = [e for e in others if (loaded.root / _overlay_folder(loaded, one, e)).is_dir()]
    if not chosen or not rendered:
        return []
    return rendered if compare(loaded.root, Plan(_base(loaded, one))).changes else []


def job_of(
    loaded: Loaded, name: str, environment: str | None
) -> tuple[Job | None, list[Diagnostic]]:
    """Return the resolved job of an experiment in an environment, or None for its base.

    In an environment that has no usable file, the fields that differ there are laid all the same.
    """
    file = loaded.environments.get(environment) if environment is not None else None
    job, diagnostics = resolve(loaded.experiments[name], file, override=environment)
    if job is None:
        return None, diagnostics
    names = [
        each
        for role in (job.experiment, job.master)
        for storage in role.storage
        for each in storage.files or ()
    ]
    beside = read_beside(loaded.experiment_folder(name), names)
    known = replace(job, files=beside.contents, too_large=beside.too_large, claims=loaded.claims)
    return known, diagnostics


def plan(loaded: Loaded, rendering: Rendering, selection: Selection) -> Plan:
    """Return the files of a rendering, and the folders in which nothing else of ours may be."""
    files: dict[str, str] = {}
    for one in rendering.experiments:
        if loaded.experiments[one.name].data.get("environments"):
            files.update(_base(loaded, one))
        for environment in one.overlays:
            files.update(_overlay(loaded, one, environment))
    return Plan(files, tuple(_owned(loaded, selection)))


def _base(loaded: Loaded, one: Rendered) -> dict[str, str]:
    folder = f"{loaded.settings.paths.bases}/{one.name}"
    texts = base_files(one.base, header=header(_source(loaded, one.name)))
    return {f"{folder}/{name}": text for name, text in texts.items()}


def _overlay(loaded: Loaded, one: Rendered, environment: str) -> dict[str, str]:
    paths = loaded.settings.paths
    folder = _overlay_folder(loaded, one, environment)
    up = "/".join([".."] * len(folder.parts))
    model = loaded.environments[environment].model
    place = Place(model.namespace, f"{up}/{paths.bases}/{one.name}")
    source = f"{_source(loaded, one.name)} and {paths.environments}/{environment}.yaml"
    texts = overlay_files(one.base, one.overlays[environment], place=place, header=header(source))
    return {f"{folder}/{name}": text for name, text in texts.items()}


def _overlay_folder(loaded: Loaded, one: Rendered, environment: str) -> PurePosixPath:
    return PurePosixPath(loaded.settings.paths.overlays, environment, one.name)


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
        idle = {name for name in names if not _named(loaded.experiments[name], Selection())}
        bases = [f"{paths.bases}/{name}" for name in names if name in whole | idle]
        return [*bases, *(f"{paths.overlays}/{e}/{name}" for e in environments for name in names)]
    if wanted is None:
        return [paths.bases, paths.overlays]
    return [f"{paths.overlays}/{environment}" for environment in environments]
