"""The base and the overlay on disk → the run that Git declares, with its lock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.codes import Code
from genjob.diagnostics import Diagnostic, Location
from genjob.kustomize.overlay import KUSTOMIZATION
from genjob.kustomize.rebuild import expected
from genjob.manifest import identity
from genjob.manifests.claims import CLAIM_STEM
from genjob.runs.claims import CLAIM
from genjob.runs.identity import job_of, objects_digest
from genjob.runs.lock import LOCK_FILE, Lock, read_lock
from genjob.tree.plan import is_ours
from genjob.wording import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import JsonObject


class OtherRunError(ValueError):
    """A lock that names another run than the overlay that it was written for."""


@dataclass(frozen=True, slots=True)
class Committed:
    """Where a rendered run is, relative to the workspace, in POSIX form."""

    root: Path
    base: str
    overlay: str

    @property
    def lock_file(self) -> str:
        """Where the lock is."""
        return f"{self.overlay}/{LOCK_FILE}"

    @property
    def exists(self) -> bool:
        """Whether there is an overlay that this program wrote."""
        kustomization = self.root / self.overlay / KUSTOMIZATION
        return kustomization.is_file() and is_ours(kustomization)

    @property
    def repair(self) -> str:
        """What to do about a lock that cannot be used.

        A held run is built from base and overlay, and the overlays of a base were written together.
        """
        overlays, environment, name = self.overlay.rsplit("/", 2)
        return (
            "take back the side whose runs are alive "
            f"(`git checkout COMMIT -- {self.base} '{overlays}/*/{name}'`), or start a new run: "
            f"`genjob render {name} --env {environment} --rerun {name}`"
        )

    def lock(self) -> tuple[Lock | None, list[Diagnostic]]:
        """Return the lock; None without a problem when nothing was rendered yet."""
        path = self.root / self.lock_file
        if path.is_file():
            return read_lock(path.read_bytes(), self.lock_file, repair=self.repair)
        if not self.exists:
            return None, []
        message = f"the lock of the run is missing: {quoted(self.lock_file)}"
        place = Location(self.lock_file)
        return None, [Diagnostic(Code.LOST_LOCK, message, place, self.repair)]

    def objects(self, lock: Lock) -> list[JsonObject]:
        """Return what base and overlay build to.

        Raises:
            ValueError: when they do not build, or not to what the lock says.
            OtherRunError: when they do, and the lock names another run.
        """
        built = self.built()
        name = identity(job_of(built)).name
        if objects_digest(built) != lock.objects:
            raise ValueError("base and overlay do not build to what the lock was written for")
        if name != lock.run:
            raise OtherRunError(f"the overlay declares {quoted(name)}, the lock {quoted(lock.run)}")
        return built

    def claims(self) -> list[JsonObject]:
        """Return the claims that are probably in the cluster, whatever the lock says.

        They outlive runs, so they count also where a merge left a job that does not build.
        None when they do not build either.
        """
        try:
            return [body for body in self.built(CLAIM_STEM) if identity(body).kind == CLAIM]
        except ValueError:
            return []

    def built(self, stem: str = "") -> list[JsonObject]:
        """Return what base and overlay build to, whatever the lock says.

        With `stem`, only the objects whose files begin with it.

        Raises:
            ValueError: when they do not build.
        """
        return expected(self._texts(self.base, stem), self._texts(self.overlay, stem), stem=stem)

    def differs(self, why: ValueError) -> Diagnostic:
        """Return the finding that a lock does not fit to what it lies beside."""
        message = f"the lock does not fit to what is committed: {why}"
        place = Location(self.lock_file)
        return Diagnostic(Code.LOCK_DIFFERS, message, place, self.repair)

    def _texts(self, folder: str, stem: str) -> dict[str, str]:
        """Raise ValueError for a file that is not UTF-8."""
        files = {self.root / folder / KUSTOMIZATION, *(self.root / folder).glob(f"{stem}*.yaml")}
        return {
            path.name: path.read_bytes().decode("utf-8") for path in sorted(files) if path.is_file()
        }
