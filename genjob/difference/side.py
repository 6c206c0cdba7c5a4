"""A workspace as it is, or was → the runs that it declares, each with its objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.diagnostics import Severity
from genjob.rendering import Selection, job_of, render
from genjob.runs.committed import Committed
from genjob.runs.identity import job_of as job_among
from genjob.selection import named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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


@dataclass(frozen=True)
class Side:
    """A state of a workspace: its runs, and why nothing is known of others.

    `is_exact` says that where there are runs is known, also of files that cannot be read.
    """

    loaded: Loaded
    runs: Mapping[Place, Run]
    diagnostics: Sequence[Diagnostic] = ()
    unknown: Mapping[Place, str] = field(default_factory=dict)
    is_exact: bool = False

    def is_unknown(self, place: Place) -> bool:
        """Return whether nobody can say if there is a run at a place."""
        broken, environments = self.loaded.broken, self.loaded.broken_environments
        is_broken = place.experiment in broken or place.environment in environments
        return place in self.unknown or (is_broken and not self.is_exact)

    def why(self, place: Place) -> str:
        """Return why nothing is known of a place."""
        return self.unknown.get(place, UNREADABLE)


def present(
    loaded: Loaded,
    environments: tuple[str, ...] | None,
    progress: Callable[[str], None] = lambda _: None,
) -> Side:
    """Return a workspace as it would be rendered now, in these environments or in all."""
    rendering = render(loaded, Selection(environments=environments), progress)
    runs = {run.place: run for run in _rendered(loaded, rendering, environments)}
    return Side(
        loaded, runs, rendering.diagnostics, _unknown(loaded, rendering, environments, {*runs})
    )


def past(
    loaded: Loaded,
    environments: tuple[str, ...] | None,
    progress: Callable[[str], None] = lambda _: None,
) -> Side:
    """Return a workspace as an engine applied it: its overlays, as they were committed.

    So what another version of this program rendered, or would render otherwise, stands as it was.
    An overlay that does not build, and all of a workspace that has none, is what its files say.
    """
    side = present(loaded, environments, progress)
    everything = dict(_all_committed(loaded))
    if not everything:
        return side
    committed = {
        place: objects
        for place, objects in everything.items()
        if environments is None or place.environment in environments
    }
    runs = {}
    for place, objects in committed.items():
        known = side.runs.get(place)
        if objects is not None:
            runs[place] = Run(place, objects, *((known.resolved, known.held) if known else (None,)))
        elif known is not None:
            runs[place] = known
    unknown = {place: side.why(place) for place in committed.keys() - runs.keys()}
    return Side(loaded, runs, side.diagnostics, unknown, is_exact=True)


def _rendered(
    loaded: Loaded, rendering: Rendering, environments: tuple[str, ...] | None
) -> Iterator[Run]:
    held = {Place(each.environment, each.experiment): each.changes for each in rendering.held}
    for one in rendering.experiments:
        for environment, manifests in one.overlays.items():
            if environments is None or environment in environments:
                place = Place(environment, one.name)
                job, _ = job_of(loaded, one.name, environment)
                objects = _job_first([manifest.plain for manifest in manifests])
                yield Run(place, objects, job, held.get(place, ()))


def _job_first(objects: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    job = job_among(objects)
    return (job, *(body for body in objects if body is not job))


def _unknown(
    loaded: Loaded,
    rendering: Rendering,
    environments: tuple[str, ...] | None,
    known: set[Place],
) -> dict[Place, str]:
    """Return the runs that experiments name and that cannot be rendered, and the reason."""
    first: dict[str, str] = {}
    for each in rendering.diagnostics:
        if each.severity is Severity.ERROR:
            first.setdefault(each.location.file, each.message)
    return {
        place: first.get(document.file, first.get(_file(loaded, environment), UNREADABLE))
        for name, document in loaded.experiments.items()
        for environment in named(document, Selection(environments=environments))
        if (place := Place(environment, name)) not in known
    }


def _file(loaded: Loaded, environment: str) -> str:
    return f"{loaded.settings.paths.environments}/{environment}.yaml"


def _all_committed(loaded: Loaded) -> Iterator[tuple[Place, tuple[JsonObject, ...] | None]]:
    """Yield the runs whose overlays were committed; None for one that does not build."""
    paths = loaded.settings.paths
    for folder in sorted((loaded.root / paths.overlays).glob("*/*")):
        place = Place(folder.parent.name, folder.name)
        committed = Committed(
            loaded.root,
            f"{paths.bases}/{place.experiment}",
            f"{paths.overlays}/{place.environment}/{place.experiment}",
        )
        if committed.exists:
            try:
                yield place, _job_first(committed.built())
            except ValueError:
                yield place, None
