"""The place of a workspace in its repository → the files that let a forge check it.

The files beside this one are the texts; what they need to know of a repository stands in `<<…>>`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Final

from genjob import __version__
from genjob.model.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

INSTALL: Final = f"genjob=={__version__}"
"""What pip installs in a pipeline when nobody says otherwise: this version."""

SETTINGS: Final = r"genjob\.yaml$"
GITOPS: Final = "gitops"
"""Where `render` puts what the engine needs; no setting moves it."""

PIPELINES: Final[dict[str, dict[str, str]]] = {
    "github": {
        ".github/workflows/genjob.yml": "workflow.yml",
        ".github/actions/genjob/action.yml": "action.yml",
    },
    "gitlab": {".gitlab-ci.yml": "gitlab-include.yml", ".gitlab/genjob.yml": "gitlab.yml"},
    "pre-commit": {".pre-commit-config.yaml": "pre-commit.yaml"},
}
"""What `init --ci` takes → the files of the repository that it makes, and the text of each."""

ADVICE: Final = {
    ".gitlab-ci.yml": "add to it: include: [{local: /.gitlab/genjob.yml}]",
    ".pre-commit-config.yaml": "docs/pipelines.md shows the hooks to add to it",
}
"""What to do with a file that was there already and is not only ours."""


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace in its repository: `folder` is its path from the top, such as `ml/` or nothing.

    `install` is what pip installs to have genjob.
    """

    folder: str = ""
    settings: Workspace = field(default_factory=Workspace)
    install: str = INSTALL


def pipeline_files(kind: str, place: Place) -> dict[str, str]:
    """Return path → text of the files of a kind of pipeline; paths are from the repository's top.

    Raises:
        KeyError: for a kind that is not one of `PIPELINES`.
    """
    words = {
        "branch": place.settings.repo.revision,
        "directory": place.folder.removesuffix("/") or ".",
        "files": _watched(place),
        "install": place.install,
    }
    return {path: filled(name, words) for path, name in PIPELINES[kind].items()}


def filled(name: str, words: Mapping[str, str]) -> str:
    """Return a text with words in their places, each as a quoted YAML scalar on one line."""
    text = resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(f"<<{word}>>", json.dumps(value, ensure_ascii=False))
    return text


def _watched(place: Place) -> str:
    """Return the pattern of the files that are read or rendered."""
    paths = place.settings.paths
    folders = (paths.experiments, paths.environments, paths.bases, paths.overlays, GITOPS)
    inside = "|".join([SETTINGS, *(f"{re.escape(folder)}/" for folder in folders)])
    return f"^{re.escape(place.folder)}({inside})"
