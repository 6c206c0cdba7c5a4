"""What people write, and a version of this program → commits: the rendered trees, and merges."""

from __future__ import annotations

import copy
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from genjob.diagnostics import Severity
from genjob.kustomize.rebuild import expected
from genjob.manifests import JOB_KINDS
from genjob.rendering import Selection, plan, render
from genjob.runs.lock import LOCK_FILE
from genjob.tree.plan import compare
from genjob.workspace.loading import load
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from genjob.diagnostics import Diagnostic
    from genjob.jsontypes import JsonObject
    from genjob.manifest import Manifest
    from genjob.resolve.job import Job


@dataclass(frozen=True)
class Commit:
    """A state of the repository: what people wrote, by path, and the rendered files."""

    sources: Mapping[str, JsonObject]
    files: Mapping[str, str] = field(default_factory=dict)
    newer: bool = False

    def edited(self) -> dict[str, JsonObject]:
        """Return a copy of the sources that can be edited."""
        return copy.deepcopy({**self.sources})

    @cached_property
    def desired(self) -> dict[str, list[JsonObject]]:
        """Return what the overlays build to."""
        return {
            f"{environment}/{name}": expected(
                self._folder(f"bases/{name}"), self._folder(f"overlays/{environment}/{name}")
            )
            for environment, name in self.overlays()
        }

    def overlays(self) -> list[tuple[str, str]]:
        """Return environment and experiment of each overlay."""
        locks = [path.split("/") for path in sorted(self.files) if path.endswith("/run.lock")]
        return [(environment, name) for _, environment, name, _ in locks]

    def _folder(self, folder: str) -> dict[str, str]:
        return {
            path.removeprefix(f"{folder}/"): text
            for path, text in self.files.items()
            if path.startswith(f"{folder}/") and path.endswith(".yaml")
        }


class RenderError(Exception):
    """A render that ends with errors; `locks` are the experiments whose locks they are about."""

    def __init__(self, errors: Sequence[Diagnostic]) -> None:
        super().__init__(*(error.message for error in errors))
        files = [error.location.file.split("/") for error in errors]
        self.locks = frozenset(parts[-2] for parts in files if parts[-1] == LOCK_FILE)


class Checkout:
    """A folder in which commits are rendered."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: dict[str, str] = {}
        for folder in ("experiments", "environments"):
            (root / folder).mkdir()

    def rendered(self, commit: Commit, rerun: frozenset[str] = frozenset()) -> Commit:
        """Return a commit with the files that a render leaves.

        Raises:
            RenderError: when it has findings that are errors.
        """
        self._write({**commit.files, **{p: to_yaml(s) for p, s in commit.sources.items()}})
        with _version(newer=commit.newer):
            loaded = load(self.root)
            rendering = render(loaded, Selection(rerun=rerun))
        if errors := [d for d in rendering.diagnostics if d.severity is Severity.ERROR]:
            raise RenderError(errors)
        planned = plan(loaded, rendering, Selection())
        changes = compare(self.root, planned).changes
        gone = {change.path for change in changes if change.kind == "remove"}
        kept = {path: text for path, text in commit.files.items() if path not in gone}
        return Commit(commit.sources, kept | dict(planned.files), commit.newer)

    def _write(self, texts: dict[str, str]) -> None:
        for path in self.written.keys() - texts.keys():
            (self.root / path).unlink()
        for path, text in texts.items():
            if self.written.get(path) != text:
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_bytes(text.encode())
        self.written = texts


@contextmanager
def _version(*, newer: bool) -> Iterator[None]:
    """Render jobs as a newer version does: with something more in every pod."""
    (kind, older), *_ = JOB_KINDS.items()

    def newer_job(job: Job) -> Manifest:
        manifest = older(job)
        spec = manifest.body["spec"]
        assert isinstance(spec, dict)
        roles = spec["pytorchReplicaSpecs"]
        assert isinstance(roles, dict)
        for role in roles.values():
            pod = role["template"]["spec"]  # type: ignore[index, call-overload] # a rendered role
            pod["terminationGracePeriodSeconds"] = 120  # type: ignore[index, call-overload] # the same
        policy = spec["runPolicy"]
        assert isinstance(policy, dict)
        policy.setdefault("backoffLimit", 6)
        return manifest

    if newer:
        JOB_KINDS[kind] = newer_job
    try:
        yield
    finally:
        JOB_KINDS[kind] = older


def merged(base: Commit, ours: Commit, theirs: Commit) -> tuple[Commit, bool]:
    """Return a merge of two commits, and whether rendered files conflicted.

    In what people wrote, the two sides combine value by value, and ours wins. Rendered files are
    taken whole: where both sides changed one, ours stays, to be rendered again.
    """
    sources = _combined({**base.sources}, {**ours.sources}, {**theirs.sources})
    assert isinstance(sources, dict)
    files: dict[str, str] = {}
    conflicted = False
    for path in sorted({*ours.files, *theirs.files}):
        was, our, their = (c.files.get(path) for c in (base, ours, theirs))
        conflicted |= was not in (our, their) and our != their
        taken = their if was == our else our
        if taken is not None:
            files[path] = taken
    return Commit(sources, files, ours.newer or theirs.newer), conflicted


def _combined(base: object, ours: object, theirs: object) -> object:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        old = base if isinstance(base, dict) else {}
        merged_ = {
            key: _combined(old.get(key), ours.get(key), theirs.get(key))
            for key in [*ours, *(key for key in theirs if key not in ours)]
        }
        return {key: value for key, value in merged_.items() if value is not None}
    return theirs if base == ours else ours


def is_as_rendered(checkout: Checkout, commit: Commit) -> bool:
    """Return whether `render --check` lets a commit pass."""
    try:
        return checkout.rendered(commit).files == commit.files
    except RenderError:
        return False
