"""A workspace on disk → what it renders to, in this process and by the real Kustomize."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from genjob.kustomize.engine import build_many, find_engine
from genjob.rendering import Rendering, Selection, plan, render
from genjob.workspace.loading import load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from genjob.jsontypes import JsonObject

EVERYTHING = Selection()


def rendered(root: Path) -> tuple[Rendering, Mapping[str, str]]:
    """Return the rendering of a whole workspace, and its files as POSIX path → text."""
    loaded = load(root)
    rendering = render(loaded, EVERYTHING)
    return rendering, plan(loaded, rendering, EVERYTHING).files


def wanted_objects(rendering: Rendering) -> list[JsonObject]:
    """Return the full objects of every experiment in every environment."""
    return [
        manifest.body
        for one in rendering.experiments
        for objects in one.overlays.values()
        for manifest in objects
    ]


def built_objects(folder: Path, files: Mapping[str, str]) -> list[JsonObject]:
    """Write rendered files into an empty folder; return what Kustomize builds of each overlay.

    One process builds them all, so no two environments may share a namespace.
    """
    write_texts(folder, files)
    overlays = {
        (folder / path).parent
        for path in files
        if path.endswith("/kustomization.yaml") and "\nnamespace: " in files[path]
    }
    return build_many(find_engine(os.environ), sorted(overlays), fallback=folder)


def write_texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write files, folders included, with line feeds on every system."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def read_texts(folder: Path) -> dict[str, str]:
    """Return POSIX path → text of every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode(errors="backslashreplace")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
