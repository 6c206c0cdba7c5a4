"""An experiment of a workspace, as it is or was → its runs, each with its objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.diagnostics import Severity, in_order
from genjob.runs.identity import job_of as job_among
from genjob.runs.run import committed_of, job_of, run_of
from genjob.selection import Selection, relevant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import JsonObject
    from genjob.rendering import Rendering
    from genjob.resolve.job import Job
    from genjob.workspace.loading import Loaded

UNREADABLE: Final = "its files cannot be read"


class Place(NamedTuple):
    """Where one run at a time is declared."""

    environment: str
    experiment: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run that a workspace declares in an environment.

    `objects` are as Kustomize hands them on, the job first. `resolved` is the job that the files
    say; None where they cannot be used any more. `held` are what the run does not get of it.
    """

    place: Place
    objects: tuple[JsonObject, ...]
    resolved: Job | None
    held: tuple[str, ...] = ()

    @property
    def job(self) -> JsonObject:
        """The job object."""
        return self.objects[0]


@dataclass(frozen=True, slots=True)
class Side:
    """What a state of a workspace has of one experiment, by environment.

    `unknown` says why nobody can tell what there is. `problems` are of its files.
    """

    runs: Mapping[str, Run]
    unknown: Mapping[str, str]
    problems: Sequence[Diagnostic] = ()


def present(loaded: Loaded, selection: Selection, name: str, rendering: Rendering) -> Side:
    """Return an experiment as it is rendered now."""
    runs = {run.place.environment: run for run in _rendered(rendering, selection)}
    problems = rendering.diagnostics
    return Side(runs, _unknown(loaded, selection, name, problems, runs), problems)


def past(loaded: Loaded, name: str, environments: Iterable[str], *, is_exact: bool) -> Side:
    """Return an experiment as an engine applied it: its overlays, as they were committed.

    So what another version of this program rendered, or would render otherwise, stands as it was.
    An overlay that does not build is what its files say; so is everything in a workspace in which
    no overlay was committed, which then is not `is_exact`.
    """
    selection = Selection(environments=tuple(environments))
    side = _said(loaded, selection, name)
    if not is_exact:
        return side
    committed = dict(_committed(loaded, name, selection))
    runs = {}
    for environment, objects in committed.items():
        known = side.runs.get(environment)
        if objects is not None:
            said = (known.resolved, known.held) if known else (None,)
            runs[environment] = Run(Place(environment, name), objects, *said)
        elif known is not None:
            runs[environment] = known
    lost = committed.keys() - runs.keys()
    return Side(runs, {each: side.unknown.get(each, UNREADABLE) for each in lost}, side.problems)


def environments_of(loaded: Loaded, name: str, wanted: tuple[str, ...] | None) -> list[str]:
    """Return the environments that an experiment names, with a file or without, of those wanted."""
    there = sorted(loaded.reading(name).environments) if name in loaded.experiments else []
    return [each for each in there if wanted is None or each in wanted]


def _rendered(rendering: Rendering, selection: Selection) -> Iterator[Run]:
    held = {each.environment: each.changes for each in rendering.held}
    for one in rendering.experiments:
        for environment, made in one.overlays.items():
            if selection.environments is None or environment in selection.environments:
                place, job = Place(environment, one.name), one.jobs[environment]
                objects = _job_first([manifest.plain for manifest in made])
                yield Run(place, objects, job, held.get(environment, ()))


def _said(loaded: Loaded, selection: Selection, name: str) -> Side:
    """Return an experiment as its files would be rendered, without checks."""
    places = environments_of(loaded, name, selection.environments)
    if not places:
        return Side({}, {})
    base, problems = job_of(loaded, name, None)
    runs = {}
    for environment in places:
        if environment not in loaded.environments:
            problems += job_of(loaded, name, environment)[1]
            continue
        job, settled, found = run_of(loaded, name, environment)
        problems += found
        if base is not None and settled is not None:
            objects = _job_first([manifest.plain for manifest in settled.objects])
            held = settled.held.changes if settled.held else ()
            runs[environment] = Run(Place(environment, name), objects, job, held)
    return Side(runs, _unknown(loaded, selection, name, problems, runs), problems)


def _job_first(objects: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    job = job_among(objects)
    return (job, *(body for body in objects if body is not job))


def _unknown(
    loaded: Loaded,
    selection: Selection,
    name: str,
    problems: Iterable[Diagnostic],
    known: Mapping[str, Run],
) -> dict[str, str]:
    """Return where an experiment names a run that cannot be rendered, and the reason."""
    there = environments_of(loaded, name, selection.environments)
    places = [each for each in there if each not in known]
    if not places:
        return {}
    first: dict[str, str] = {}
    for each in in_order([*relevant(loaded, selection), *problems]):
        if each.severity is Severity.ERROR:
            first.setdefault(each.location.file, each.message)
    own = first.get(loaded.experiments[name].file)
    folder = loaded.settings.paths.environments
    return {place: own or first.get(f"{folder}/{place}.yaml", UNREADABLE) for place in places}


def _committed(
    loaded: Loaded, name: str, selection: Selection
) -> Iterator[tuple[str, tuple[JsonObject, ...] | None]]:
    """Yield the environments whose overlays were committed; None for one that does not build."""
    for environment in selection.environments or ():
        committed = committed_of(loaded, name, environment)
        if committed.exists:
            try:
                yield environment, _job_first(committed.built())
            except ValueError:
                yield environment, None
