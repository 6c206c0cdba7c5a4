"""What a GitOps engine must know of a workspace: where it is in Git, and where its jobs go."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

SETTINGS = "genjob.yaml"
"""The file that a repository is described in."""

FOLDER = "gitops"
"""Where the files of the engines are, from the root of the workspace."""

_LONGEST_NAME = 40
"""Characters of a repository's name that names of objects begin with; more words follow."""


class Kind(NamedTuple):
    """The kind of an object and the group of its API; the group of the core kinds is empty."""

    group: str
    kind: str


JOB = Kind("kubeflow.org", "PyTorchJob")
CLAIM = Kind("", "PersistentVolumeClaim")
KINDS = (JOB, Kind("", "ConfigMap"), CLAIM)
"""All kinds that an overlay can hold.

All, not those that it holds today: the first claim of an experiment shall not need an admin.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A workspace in its Git repository.

    `name` begins the names of the engine's objects, so that two workspaces can share an engine.
    `folder` is the workspace's place in the repository, empty for its root; `bases` and
    `overlays` are places in the workspace. `secret` names the Secret that Flux reads a private
    repository with. `namespace` is where the engine looks for its objects, None for its usual one.
    """

    name: str
    url: str
    revision: str = "main"
    folder: str = ""
    bases: str = "bases"
    overlays: str = "overlays"
    secret: str | None = None
    namespace: str | None = None

    def path(self, *parts: str) -> str:
        """Return a path from the root of the repository, in POSIX form, without a slash before."""
        return "/".join(part for part in (self.folder, *parts) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """One environment: a cluster and a namespace, and what is written there besides Git.

    `file` is the environment's own file. `has_queues` says that Kueue admits its jobs, and
    `has_autoscaler` that an autoscaler sets the number of workers of one of them.
    """

    environment: str
    namespace: str
    file: str
    server: str = "https://kubernetes.default.svc"
    kinds: tuple[Kind, ...] = KINDS
    has_queues: bool = False
    has_autoscaler: bool = False

    @property
    def origin(self) -> str:
        """What the header of a file of this environment names as its source."""
        return f"{SETTINGS} and {self.file}"


def source_name(url: str, folder: str = "") -> str:
    """Return the name for the objects of a workspace, as a DNS label.

    It is made of the last word of its repository's URL and its folder there.
    """
    last = re.split(r"[/:]", url.rstrip("/").removesuffix(".git"))[-1]
    words = f"{last}-{folder}".lower()
    label = re.sub(r"[^a-z0-9]+", "-", words).strip("-")[:_LONGEST_NAME].strip("-")
    return label if label[:1].isalpha() else f"genjob-{label}".strip("-")
