"""`genjob.yaml`: the workspace. Every field has a default; the file itself is optional."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from genjob.model.base import Model, Word, nothing_set, refusal, word
from genjob.model.names import Engine, Name, ObjectName

SCP_URL = re.compile(r"((?:[^@/:]+@)?[^@/:]+):(?!//)/*(.+)")
"""A place as `git clone` takes it over SSH: `git@host:path`. Source: git-clone(1), GIT URLS."""


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return not path.startswith("/") and not {*"\\:"} & {*path} and all(parts) and ".." not in parts


def _folder(path: str) -> str:
    if not _is_inside(path):
        raise refusal("a folder of this workspace, such as 'experiments' or 'ml/experiments'")
    return path


def _place(path: str) -> str:
    if not _is_inside(path) or path == ".":
        raise refusal("a folder of the repository, such as 'training'", "leave it out for the root")
    return path


Folder: TypeAlias = Annotated[str, word(_folder)]


def _is_url(url: str) -> str:
    """Return the URL of a repository as a cluster can reach it, without a password."""
    if re.match(r"[a-z+]+://[^/@:]*:[^/@]*@", url):
        hint = "remove the password: whoever reads the repository reads it too"
        raise refusal("a URL without a password", hint)
    if re.match(r"(https?|ssh)://[^/]+/.", url) or SCP_URL.fullmatch(url):
        return url
    raise refusal("a URL of http, https or ssh, such as 'https://git.example.com/ml/experiments'")


Url: TypeAlias = Annotated[str, word(_is_url)]


class Repo(Model):
    """The Git repository that the GitOps engine reads."""

    url: Url | None = Field(
        default=None,
        description="URL of the repository, as the cluster reaches it.",
        examples=["https://git.example.com/ml/train.git", "git@git.example.com:ml/train.git"],
    )
    revision: Word = Field(
        default="main", description="Branch or tag that is synced.", examples=["main"]
    )
    folder: Annotated[str, word(_place)] | None = Field(
        default=None,
        description="Where this workspace is in the repository, when not at its root.",
        examples=["training"],
    )
    secret: ObjectName | None = Field(
        default=None,
        description="Secret that Flux reads a private repository with, in the namespace of Flux. "
        "Argo CD finds the credentials itself.",
        examples=["git-credentials"],
    )


class GitOps(Model):
    """The engine that applies what is committed."""

    engine: Engine = Field(
        default="none",
        description="With argocd or flux, what the engine needs is rendered into gitops/, and "
        "settings that repeat a finished run are errors.",
    )
    name: Name | None = Field(
        default=None,
        description="How the names of the engine's objects begin; the last word of the "
        "repository's URL and its folder when not given.",
    )
    namespace: Name | None = Field(
        default=None,
        description="Namespace of the engine's objects; argocd or flux-system when not given.",
    )


class Paths(Model):
    """Where things are, from the root of the workspace."""

    experiments: Folder = Field(default="experiments", description="What researchers edit.")
    environments: Folder = Field(default="environments", description="The environment files.")
    bases: Folder = Field(default="bases", description="Rendered bases.")
    overlays: Folder = Field(default="overlays", description="Rendered overlays.")


class Workspace(Model):
    """The settings of a workspace."""

    version: Literal["genjob/v1"] = Field(
        default="genjob/v1", description="Version of this file's format."
    )
    repo: Repo = Field(default_factory=nothing_set(Repo), description="The Git repository.")
    gitops: GitOps = Field(default_factory=nothing_set(GitOps), description="The GitOps engine.")
    paths: Paths = Field(
        default_factory=nothing_set(Paths), description="Folders of the workspace."
    )
