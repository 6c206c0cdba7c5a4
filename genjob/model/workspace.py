"""`genjob.yaml`: the workspace. Every field has a default; the file itself is optional."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from genjob.model.base import Model, Word, refusal


def _inside(path: str) -> str:
    parts = path.split("/")
    if path.startswith("/") or "\\" in path or ":" in path or not all(parts) or ".." in parts:
        raise refusal("a folder of this workspace, such as 'experiments' or 'ml/experiments'")
    return path


Folder: TypeAlias = Annotated[Word, AfterValidator(_inside)]


class Repo(Model):
    """The Git repository that the GitOps engine reads."""

    url: Word | None = Field(default=None, description="URL of the repository.")
    revision: Word = Field(default="main", description="Branch or tag that is synced.")


class GitOps(Model):
    """The engine that applies what is committed."""

    engine: Literal["argocd", "flux", "none"] = Field(
        default="none",
        description="With argocd or flux, settings that repeat a finished run are errors.",
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
    repo: Repo = Field(default_factory=Repo, description="The Git repository.")
    gitops: GitOps = Field(default_factory=GitOps, description="The GitOps engine.")
    paths: Paths = Field(default_factory=Paths, description="Folders of the workspace.")
