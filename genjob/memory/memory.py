"""A workspace as it is now → what an earlier run found in it, and what the next one may know.

A record is looked up by the content of all that it came from. Before one is kept, what was
opened is read once more, and all files are looked for: what was saved or deleted meanwhile must not
be taken for what was there.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from genjob.memory.folder import folder_for
from genjob.memory.snapshot import SETTINGS_FILE, Layout, Snapshot, digest, take
from genjob.memory.stamp import stamp
from genjob.memory.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genjob.memory.store import Table

Words: TypeAlias = tuple[object, ...]
"""A command line, with all that it was given."""

_MOST_SAID = 32
"""Command lines of which the last word is kept."""


class Reading(NamedTuple):
    """What an experiment.yaml without findings says that concerns the others.

    The environments that it names, the claims that it makes, and the environments in which it can
    have an autoscaler.
    """

    environments: tuple[str, ...]
    claims: tuple[str, ...]
    autoscaled: tuple[str, ...]


class Memorable(Protocol):
    """What one experiment came to."""

    @property
    def claims(self) -> frozenset[str] | None:
        """The claims of experiments that it refers to; None when it missed one, so that all count.

        Of the others it depends on nothing else.
        """

    def as_found(self) -> Memorable:
        """Return what is the same again while nothing changes on the disk."""

    def as_written(self, files: Mapping[str, bytes]) -> Memorable | None:
        """Return what it comes to now that its files are written, None when that is not certain.

        `files` are the digests of what is on the disk.
        """


class Asked(NamedTuple):
    """What outcomes depend on beside files: what was asked for, and the claims of all experiments.

    `of` tells outcomes of several kinds apart.
    """

    environments: tuple[str, ...] | None
    claims: frozenset[str]
    of: str = ""


class Found(NamedTuple):
    """What a run found: the outcomes that were not remembered, and all that was read well."""

    asked: Asked
    outcomes: Mapping[str, Memorable]
    readings: Mapping[str, Reading]


class Memory:
    """What is remembered of one workspace; without a store, nothing is."""

    def __init__(self, root: Path, store: Store | None) -> None:
        self._root = root
        self._store = store
        self.layout = self._known_layout()

    @classmethod
    def of(cls, root: Path, environ: Mapping[str, str]) -> Memory:
        """Return the memory of a workspace for the user of this process."""
        folder = folder_for(root, environ)
        return cls(root, None if folder is None else Store(folder, stamp()))

    def _known_layout(self) -> Layout | None:
        """Return where things are; None while nobody has read a genjob.yaml with this content."""
        file = self._root / SETTINGS_FILE
        if self._store is None or not file.is_file():
            return Layout()
        known = self._store.read("layouts").get(digest(file.read_bytes()))
        return known if isinstance(known, Layout) else None

    def learn(self, layout: Layout) -> None:
        """Take note of where things are, as the settings say, before anything else is read."""
        file = self._root / SETTINGS_FILE
        self.layout = layout
        if self._store is not None and file.is_file():
            self._store.write("layouts", {digest(file.read_bytes()): layout})

    @property
    def _before(self) -> Snapshot | None:
        """The files as they were before anything was read; None while it is not known where."""
        return None if self.layout is None else self._first

    @cached_property
    def _first(self) -> Snapshot | None:
        return self._now()

    @property
    def files(self) -> Snapshot | None:
        """The files as they were before anything was read; None where nothing is known of them."""
        return self._before

    def _now(self) -> Snapshot | None:
        return None if self._store is None or not self.layout else take(self._root, self.layout)

    def _table(self, name: str) -> Table:
        return {} if self._store is None or self._before is None else self._store.read(name)

    def said(self, words: Words) -> str | None:
        """Return what a command line said of just these files, when that was all it did."""
        whole, text = self._table("said").get(words, (None, None))
        return text if self._before is not None and whole == self._before.whole else None

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """What is known of the experiments whose file is as it was, by the name of the folder."""
        before, found = self._before, self._table("readings").items()
        return {name: it for name, (key, it) in found if before and key == before.source(name)}

    def outcomes(self, asked: Asked) -> Mapping[str, Memorable]:
        """Return what the experiments came to of which all is as it was."""
        known, found = _Claims.of(asked), self._table(_table_of(asked)).items()
        return {
            name: it
            for name, (key, claims, it) in found
            if key == _key(self._before, name) and known.are_to(it, claims)
        }

    def keep(self, found: Found, said: tuple[Words, str] | None = None) -> None:
        """Remember what was found, but for what changed on the disk since it was read.

        `said` is all that a command line had to say that changed nothing.
        """
        before = self._before
        is_news = found.outcomes or said or found.readings.keys() - self.readings.keys()
        spared = self.readings.keys() - found.outcomes.keys()  # nobody opened these
        after = before.again(self._root, before.names - spared) if before and is_news else None
        if self._store is None or before is None or after is None or before.shared != after.shared:
            return
        steady = {name for name in found.readings if before.written(name) == after.written(name)}
        read = {n: (after.source(n), found.readings[n]) for n in sorted(steady)}
        if read.keys() != self.readings.keys():
            self._store.write("readings", read)
        if found.outcomes:
            table = self._table(_table_of(found.asked))
            known = {n: it for n, it in table.items() if n not in found.outcomes and n in after}
            self._store.write(_table_of(found.asked), known | self._lasting(found, after))
        if said is not None and before.whole == after.whole:
            words, text = said
            others = [*self._table("said").items()][-_MOST_SAID:]
            self._store.write("said", {**dict(others), words: (after.whole, text)})

    def names_in_git(self) -> dict[bytes, bytes]:
        """Return the names that Git has for contents, by digest: a content has one for ever."""
        return {} if self._store is None else self._store.read("names-in-git")

    def keep_names_in_git(self, names: dict[bytes, bytes]) -> None:
        """Remember them in place of those before."""
        if self._store is not None:
            self._store.write("names-in-git", names)

    def proven(self, by: str) -> Mapping[str, frozenset[str]]:
        """Return the environments in which the overlays of experiments were proven by a program."""
        return {
            name: environments
            for name, (key, prover, environments) in self._table("proofs").items()
            if key == _key(self._before, name) and prover == by
        }

    def keep_proofs(self, by: str, proofs: Mapping[str, frozenset[str]]) -> None:
        """Remember what was proven, but for what changed on the disk meanwhile."""
        before = self._before
        after = before.again(self._root, {*proofs}) if before and proofs else None
        if self._store is None or after is None:
            return
        keys = {name: _key(after, name) for name in proofs}
        known = {name: it for name, it in self._table("proofs").items() if name in after}
        new = {
            name: (key, by, proofs[name])
            for name, key in keys.items()
            if key == _key(self._before, name)
        }
        self._store.write("proofs", known | new)

    def _lasting(self, found: Found, after: Snapshot) -> Table:
        """Return the records of what will be found again."""
        table: Table = {}
        claims = _Claims.of(found.asked).digest
        for name, outcome in found.outcomes.items():
            if self._before is None or self._before.written(name) != after.written(name):
                continue
            is_untouched = self._before.rendered(name) == after.rendered(name)
            kept = outcome.as_found() if is_untouched else outcome.as_written(after.files)
            if kept is not None:
                table[name] = (_key(after, name), claims, kept)
        return table


class _Claims(NamedTuple):
    """The claims of all experiments, and their digest."""

    names: frozenset[str]
    digest: bytes

    @classmethod
    def of(cls, asked: Asked) -> _Claims:
        return cls(asked.claims, digest("\n".join(sorted(asked.claims)).encode()))

    def are_to(self, outcome: Memorable, before: bytes) -> bool:
        """Return whether these are what those with the digest `before` were to an outcome."""
        own = outcome.claims
        return self.digest == before or (own is not None and own <= self.names)


def _table_of(asked: Asked) -> str:
    return f"outcomes-{digest(repr((asked.environments, asked.of)).encode()).hex()}"


def _inputs(snapshot: Snapshot, name: str) -> tuple[bytes, bytes]:
    return snapshot.shared, snapshot.written(name)


def _key(snapshot: Snapshot | None, name: str) -> tuple[object, ...] | None:
    if snapshot is None:
        return None
    return (*_inputs(snapshot, name), snapshot.rendered(name))
