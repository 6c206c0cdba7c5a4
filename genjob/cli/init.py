"""`genjob init`: a workspace that renders at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from genjob.authoring.pipelines import ADVICE, INSTALL, PIPELINES, Place, pipeline_files
from genjob.authoring.scaffold import workspace_files
from genjob.cli.writing import write_files
from genjob.workspace.loading import load
from genjob.workspace.repository import folder_in_repository, repository_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEXT = """\
next:{enter}
  genjob validate                report every mistake, write nothing
  genjob render --all            write bases/ and overlays/
  git add . && git commit        an overlay in Git is a job on a cluster
  genjob new NAME --env dev      an experiment of your own
"""


@click.command("init")
@click.argument("target", metavar="[DIR]", type=click.Path(file_okay=False), default=".")
@click.option(
    "--ci",
    "pipelines",
    multiple=True,
    type=click.Choice([*PIPELINES]),
    help="Make the files of a pipeline too, at the top of the Git repository; can be repeated.",
)
@click.option(
    "--install",
    default=INSTALL,
    show_default=True,
    metavar="REQUIREMENT",
    help="What a pipeline installs with pip: a version, or a URL.",
)
@click.option(
    "-C",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder that DIR is relative to.  [default: this one]",
)
def command(target: str, pipelines: tuple[str, ...], install: str, directory: Path) -> None:
    """Make a workspace in DIR, this folder by default: settings, two environments, an experiment.

    A file that is there already is left as it is.

    Example: genjob init training --ci github --ci pre-commit
    """
    root = directory / target
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(
            f"cannot make '{root}': {(error.strerror or '').lower()}"
        ) from error
    settings = load(root).settings
    _write_new(root, workspace_files(settings.paths))
    top = repository_of(root) or root
    place = Place(folder_in_repository(root), settings, install)
    for pipeline in dict.fromkeys(pipelines):
        _write_new(top, pipeline_files(pipeline, place))
    enter = "" if root.resolve() == Path.cwd() else f"\n  cd {root}"
    click.echo(_NEXT.format(enter=enter), nl=False)


def _write_new(root: Path, files: Mapping[str, str]) -> None:
    """Write the files that are not there yet; name the others, with what to do with them."""
    kept = [path for path in sorted(files) if (root / path).exists()]
    for path in kept:
        advice = f"; {ADVICE[path]}" if path in ADVICE else ""
        click.echo(f"kept {path}: it is there already{advice}")
    write_files(root, {path: text for path, text in files.items() if path not in kept})
