"""A repository, two clusters and the laws that no sequence of commits and events may break."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from genjob.manifest import Identity, identity
from genjob.manifests.trace import value_in
from tests.simulation.cluster import Phase
from tests.simulation.edits import START, STORAGE, STORAGE_CLASS
from tests.simulation.engines import Argo, Flux
from tests.simulation.laws import BrokenLawError, Changes, Watched, at_rest, judge
from tests.simulation.repository import (
    Checkout,
    Commit,
    RenderError,
    is_as_rendered,
    merged,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from genjob.jsontypes import JsonObject
    from tests.simulation.laws import Place


@dataclass(frozen=True, slots=True)
class Guards:
    """What protects runs; each can be taken away, to see that the laws notice.

    `ttl` lets finished jobs be deleted, `holds` keeps runs as they were rendered,
    `named_by_content` gives a new name to other pods, `protects` annotates claims. `replace` and
    `self_heal` are the options of Argo CD.
    """

    ttl: bool = False
    holds: bool = True
    named_by_content: bool = True
    protects: bool = True
    replace: bool = False
    self_heal: bool = False


class World:
    """The repository with its main branch and at most one other, and a cluster for each engine."""

    def __init__(self, root: Path, guards: Guards = Guards()) -> None:
        self.guards = guards
        self.checkout = Checkout(root)
        self.number = 0
        self.revision = 0
        self.main = Commit(_written(guards))
        self.branch: tuple[Commit, Commit, Changes] | None = None
        self.branch_edits: list[str] = []
        self.ever, self.since = Changes(), Changes()
        argo = Argo(self_heal=guards.self_heal, replace=guards.replace)
        self.watched = [Watched(argo), Watched(Flux())]
        started = Changes(started=Counter(self._all_places(self.main)))
        self._land(self._rendered(self.main), started)

    # what people do

    def edit(
        self,
        file: str,
        change: Callable[[JsonObject], None],
        did: Changes | None = None,
        *,
        on_branch: bool = False,
    ) -> None:
        """Edit a file, render and commit."""
        tip = self.tip(on_branch=on_branch)
        sources = tip.edited()
        change(sources[file])
        commit = self._rendered(replace(tip, sources=sources))
        self._commit(commit, did or Changes(), on_branch=on_branch)

    def rerun(self, name: str, *, on_branch: bool = False) -> None:
        """Take what is held back from an experiment."""
        tip = self.tip(on_branch=on_branch)
        places = self.places(tip, name)
        did = Changes(Counter(places), Counter(places), {*places})
        self._commit(self._rendered(tip, frozenset({name})), did, on_branch=on_branch)

    def upgrade(self, *, newer: bool, on_branch: bool = False) -> None:
        """Render everything with another version of the program."""
        tip = replace(self.tip(on_branch=on_branch), newer=newer)
        self._commit(self._rendered(tip), Changes(), on_branch=on_branch)

    def fits_its_claims(self, place: Place) -> bool:
        """Return whether a run would find its claims as it wants them.

        Git does not know the claims of a retired run; whoever brings it back must.
        """
        environment = self.main.sources[f"environments/{place[0]}.yaml"]
        name = f"{place[1]}-{STORAGE}"
        which = Identity("v1", "PersistentVolumeClaim", str(environment["namespace"]), name)
        left = [
            each.cluster.objects[which] for each in self.watched if which in each.cluster.objects
        ]
        classes = {str(value_in(live.body, ("spec", "storageClassName"))) for live in left}
        return classes <= {str(value_in(environment, ("storage_classes", STORAGE_CLASS)))}

    def start_branch(self) -> None:
        """Begin another branch where the main one is."""
        self.branch, self.branch_edits = (self.main, self.main, Changes()), []

    def merge(self) -> None:
        """Merge the branch; where files conflict or a check fails, somebody renders again."""
        assert self.branch is not None
        base, tip, did = self.branch
        self.branch = None
        commit, conflicted = merged(base, self.main, tip)
        if conflicted or not is_as_rendered(self.checkout, commit):
            commit = self._repaired(commit, did)
        did.reach(self._all_places(commit))
        self._land(commit, did)

    def _repaired(self, commit: Commit, did: Changes) -> Commit:
        """Render a merge; where a lock is refused, do what its hint says."""
        try:
            return self._rendered(commit)
        except RenderError as error:
            refused = error.locks
        for name in refused:
            did.started.update(self.places(commit, name))
        return self._rendered(commit, refused)

    def tip(self, *, on_branch: bool) -> Commit:
        """Return the newest commit of a branch."""
        return self.branch[1] if on_branch and self.branch else self.main

    def _rendered(self, commit: Commit, rerun: frozenset[str] = frozenset()) -> Commit:
        everything = frozenset(name for _, name in self._all_places(commit))
        return self.checkout.rendered(commit, rerun if self.guards.holds else everything)

    def _commit(self, commit: Commit, did: Changes, *, on_branch: bool) -> None:
        if on_branch and self.branch is not None:
            base, _, before = self.branch
            before.take(did)
            self.branch = (base, commit, before)
        else:
            self._land(commit, did)

    def _land(self, commit: Commit, did: Changes) -> None:
        self.main = commit
        self.revision += 1
        self.ever.take(did)
        self.since.take(did)

    def next_number(self) -> int:
        """Return a number that was never written before."""
        self.number += 1
        return self.number

    @staticmethod
    def places(commit: Commit, name: str) -> list[Place]:
        """Return where an experiment runs."""
        named = commit.sources[f"experiments/{name}/experiment.yaml"].get("environments")
        return [(environment, name) for environment in named] if isinstance(named, dict) else []

    def _all_places(self, commit: Commit) -> list[Place]:
        names = [path.split("/")[1] for path in commit.sources if path.startswith("experiments/")]
        return [place for name in names for place in self.places(commit, name)]

    # what controllers do

    def admit(self) -> None:
        """Let Kueue admit the jobs that wait."""
        for watched in self.watched:
            for which in watched.cluster.jobs(Phase.QUEUED):
                watched.cluster.admit(which)

    def end(self, name: str, phase: Phase) -> None:
        """Let the running jobs of an experiment end."""
        for watched in self.watched:
            for which in watched.cluster.jobs(Phase.RUNNING):
                if watched.owners[which][1] == name:
                    watched.cluster.end(which, phase)

    def expire(self) -> None:
        """Let the time to live of finished jobs end."""
        for watched in self.watched:
            watched.cluster.expire()
            watched.cluster.take_events()

    def sync(self) -> None:
        """Let both engines look at the newest commit, and see that no law is broken.

        Raises:
            BrokenLawError: when one is.
        """
        desired = self.main.desired
        if not self.guards.protects:
            desired = without_annotations(desired)
        for watched in self.watched:
            watched.engine.reconcile(self.revision, desired)
            for event in watched.cluster.take_events():
                judge(watched, event, self.ever, self.since)
            at_rest(watched.cluster, desired)
            watched.engine.reconcile(self.revision, desired)
            if again := watched.cluster.take_events():
                raise BrokenLawError(f"it does not come to rest: {again}")
        self.since = Changes()


def _written(guards: Guards) -> Mapping[str, JsonObject]:
    sources = Commit(START).edited()
    for path, file in sources.items():
        if path.startswith("experiments/"):
            if guards.ttl:
                file["run_policy"] = {"ttl_seconds_after_finished": 60}
            if not guards.named_by_content:
                file["run"] = {"name": "stable"}
    return sources


def without_annotations(
    desired: Mapping[str, Sequence[JsonObject]],
) -> dict[str, list[JsonObject]]:
    """Return what Git wants with claims that nothing protects."""
    return {
        overlay: [
            body
            | {"metadata": {"name": identity(body).name, "namespace": identity(body).namespace}}
            if identity(body).kind == "PersistentVolumeClaim"
            else body
            for body in objects
        ]
        for overlay, objects in desired.items()
    }
