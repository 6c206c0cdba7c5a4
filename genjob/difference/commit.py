"""A commit of a repository → the workspace that it has, and what of it is as in the work tree.

Of an experiment whose files are the same, nothing is taken out of Git and nothing read again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.document import Document
from genjob.git.names import blob_name, named_as_in_git
from genjob.memory.snapshot import GITOPS, SCHEMAS, Layout, Snapshot, take
from genjob.runs.run import committed_of
from genjob.workspace.deferred import Deferred
from genjob.workspace.loading import SETTINGS_FILE, load, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from genjob.git.base import Base
    from genjob.git.repository import Blob, Repository
    from genjob.memory.memory import Memory, Reading
    from genjob.workspace.loading import Loaded

_ATTRIBUTES: Final = "/.gitattributes"
_PART_TO_KEEP: Final = 16
"""Names of contents are kept when one part of so many is new: to write all takes time too."""


class Ask(NamedTuple):
    """What the workspace of a commit is made from; `scratch` is an empty folder."""

    repository: Repository
    base: Base
    memory: Memory
    scratch: Path


@dataclass(frozen=True)
class There:
    """The workspace of a commit; `now` is that of the work tree.

    `alike` are the experiments of which all files are as in the work tree, with all files that they
    share with others; of these, `loaded` lacks the files. `folders` are those of overlays, by
    experiment, `is_exact` whether there is an overlay at all. `files` are all files, by the names
    that Git has for them.
    """

    ask: Ask
    now: Loaded
    loaded: Loaded
    alike: frozenset[str]
    folders: Mapping[str, frozenset[str]]
    is_exact: bool
    files: Snapshot

    def state(self, name: str) -> tuple[object, ...]:
        """Return what says all that an experiment is made of there; nothing where it is as now."""
        if name in self.alike:
            return ()
        files = self.files
        return files.shared, files.written(name), files.rendered(name), self._checkout

    def where(self, name: str) -> Loaded:
        """Return a workspace that has all files of an experiment, as they are there."""
        return self.now if name in self.alike else self.loaded

    @cached_property
    def _checkout(self) -> tuple[object, ...]:
        """What files of a work tree depend on, beside what they are in Git."""
        files = self.ask.memory.files
        there = files.files.items() if files is not None else ()
        attributes = sorted(each for each in there if each[0].endswith(_ATTRIBUTES))
        return self.ask.base.commit, self.ask.repository.habits(), *attributes


def workspace_at(ask: Ask, now: Loaded) -> There:
    """Return the workspace of a commit.

    Raises:
        MissingFilesError: when the clone does not have its files.
    """
    layout = _layout(ask, now)
    folders = [SETTINGS_FILE, *layout, GITOPS, SCHEMAS]
    blobs = ask.repository.listing(ask.base.commit, folders)
    there = Snapshot(layout, {path: bytes.fromhex(blob.name) for path, blob in blobs.items()})
    here = _in_work_tree(ask, now, blobs)
    alike = _alike(there, here, now) if here is not None else frozenset[str]()
    needed = (blobs[path] for path in _needed(there, alike))
    loaded = load(ask.repository.extract(needed, ask.scratch / "all"), _known(now, there, here))
    places = [*_overlays(loaded, None), *_overlays(now, alike)]
    is_exact = any(
        committed_of(now if name in alike else loaded, name, environment).exists
        for environment, name in places
    )
    whole = _with(loaded, now, alike)
    return There(ask, now, whole, alike, _by_name(places), is_exact, there)


def _layout(ask: Ask, now: Loaded) -> Layout:
    """Return where things are, as the settings of the commit say."""
    blobs = ask.repository.listing(ask.base.commit, [SETTINGS_FILE])
    file = now.root / SETTINGS_FILE
    names = [bytes.fromhex(blob.name) for blob in blobs.values() if blob.is_plain]
    if names and file.is_file() and blob_name(file.read_bytes(), len(names[0])) == names[0]:
        return Layout(**now.settings.paths.model_dump())
    root = ask.repository.extract(blobs.values(), ask.scratch / "settings")
    return Layout(**read_settings(root).paths.model_dump())


def _in_work_tree(ask: Ask, now: Loaded, blobs: Mapping[str, Blob]) -> Snapshot | None:
    """Return the files of the work tree, by the names that Git has for them.

    None where a path and its bytes are not all, so that nobody can tell what is alike.
    """
    if not blobs or not all(blob.is_plain for blob in blobs.values()):
        return None
    layout = Layout(**now.settings.paths.model_dump())
    files = ask.memory.files or take(now.root, layout)
    if files is None:
        return None
    length = len(next(iter(blobs.values())).name) // 2
    known = ask.memory.names_in_git()
    before = len(known)
    found = named_as_in_git(files, now.root, known, length)
    if len(known) - before > len(files.files) // _PART_TO_KEEP:
        contents = known.keys() & {*files.files.values()}
        ask.memory.keep_names_in_git({content: known[content] for content in contents})
    return found


def _alike(there: Snapshot, here: Snapshot, now: Loaded) -> frozenset[str]:
    """Return the experiments that are as they were, of those whose files are well."""
    if there.layout != here.layout or there.shared != here.shared:
        return frozenset()
    return frozenset(name for name in now.known if there.parts(name) == here.parts(name))


def _needed(there: Snapshot, alike: frozenset[str]) -> Iterable[str]:
    """Return the files that are not of these experiments alone."""
    if not alike:
        return there.files
    others = {*_files(there, there.names - alike)}
    spared = {*_files(there, alike)} - others
    shared = tuple(f"{folder}/" for folder in (there.layout.environments, GITOPS, SCHEMAS))
    return [path for path in there.files if path not in spared or path.startswith(shared)]


def _files(there: Snapshot, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        for part in there.parts(name):
            yield from part


def _known(now: Loaded, there: Snapshot, here: Snapshot | None) -> Mapping[str, Reading]:
    """Return what is known of the experiments of which the file is as in the work tree."""
    if here is None:
        return {}
    return {
        name: reading
        for name, reading in now.known.items()
        if (source := here.source(name)) is not None and source == there.source(name)
    }


def _with(loaded: Loaded, now: Loaded, alike: Iterable[str]) -> Loaded:
    """Return a workspace with the experiments of another one, which are well, among its own."""
    every = Deferred[Document]()
    for name in loaded.experiments:
        every.defer(name, partial(loaded.experiments.__getitem__, name))
    for name in alike:
        every.defer(name, partial(now.experiments.__getitem__, name))
    known = {**loaded.known, **{name: now.known[name] for name in alike}}
    return replace(loaded, experiments=every, known=known)


def _overlays(loaded: Loaded, only: frozenset[str] | None) -> Iterator[tuple[str, str]]:
    """Yield environment and experiment of the folders in which overlays may be."""
    for folder in (loaded.root / loaded.settings.paths.overlays).glob("*/*"):
        if only is None or folder.name in only:
            yield folder.parent.name, folder.name


def _by_name(places: list[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for environment, name in places:
        found.setdefault(name, set()).add(environment)
    return {name: frozenset(environments) for name, environments in found.items()}
