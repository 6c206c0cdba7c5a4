"""`genjob init`: a workspace that renders at once."""

from __future__ import annotations

from pathlib import Path

import click

from genjob.authoring.scaffold import workspace_files
from genjob.cli.writing import write_files
from genjob.workspace.loading import load

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
    "-C",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder that DIR is relative to.  [default: this one]",
)
def command(target: str, directory: Path) -> None:
    """Make a workspace in DIR, this folder by default: settings, two environments, an experiment.

    A file that is there already is left as it is.

    Example: genjob init training
    """
    root = directory / target
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(
            f"cannot make '{root}': {(error.strerror or '').lower()}"
        ) from error
    files = workspace_files(load(root).settings.paths)
    kept = [path for path in sorted(files) if (root / path).exists()]
    for path in kept:
        click.echo(f"kept {path}: it is there already")
    write_files(root, {path: text for path, text in files.items() if path not in kept})
    enter = "" if root.resolve() == Path.cwd() else f"\n  cd {root}"
    click.echo(_NEXT.format(enter=enter), nl=False)
