"""What several verbs share: their options, opening the workspace, printing findings."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from genjob.diagnostics import has_errors
from genjob.memory.snapshot import Layout
from genjob.report import FORMATS, Findings
from genjob.workspace.repository import folder_in_repository
from genjob.workspace.root import find_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from genjob.diagnostics import Diagnostic
    from genjob.memory.memory import Memory
    from genjob.workspace.loading import Loaded

EXIT_FINDINGS = 1


class HasSources(Protocol):
    """What was read: a workspace, or manifests."""

    @property
    def sources(self) -> Mapping[str, str]:
        """The texts of the files, by the names that findings have for them."""


directory = click.option(
    "-C",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="A folder of the workspace.  [default: this one]",
)
output_format = click.option(
    "--format",
    "output_format",
    type=click.Choice([*FORMATS]),
    default="text",
    show_default=True,
    help="How findings are printed; docs/formats.md describes each.",
)
context = click.option(
    "--context", metavar="NAME", help="Context of the kubeconfig.  [default: current]"
)
strict = click.option("--strict", is_flag=True, help="Let warnings count as errors.")


def workspace_root(directory: Path) -> Path:
    """Return the root of the workspace that a folder belongs to.

    Raises:
        click.UsageError: when it belongs to none.
    """
    root = find_root(directory)
    if root is None:
        message = (
            f"'{directory}' is not in a workspace: no genjob.yaml, and no folders experiments and "
            "environments, from there upwards; make one with `genjob init`"
        )
        raise click.UsageError(message)
    return root


def open_workspace(directory: Path, memory: Memory | None = None) -> Loaded:
    """Read the workspace that a folder belongs to; what is remembered of it is not read again.

    Raises:
        click.UsageError: when it belongs to none.
    """
    from genjob.workspace.loading import load, read_settings  # noqa: PLC0415 # not for `--help`

    root = workspace_root(directory)
    if memory is None:
        return load(root)
    if memory.layout is None:
        memory.learn(Layout(**read_settings(root).paths.model_dump()))
    return load(root, memory.readings)


def print_findings(  # noqa: PLR0913 # keywords, each with what most callers want
    loaded: HasSources,
    diagnostics: Sequence[Diagnostic],
    *,
    output_format: str = "text",
    notes: bool = False,
    verbose: str = "genjob validate --verbose",
    start: Path = Path(),
) -> None:
    """Print findings: the machine's formats to standard output, text to standard error.

    The text has the notes only on demand, so that they do not hide what must be done; `verbose` is
    the command that shows them. The names of files start in the workspace, or in the folder `start`
    where something else was read.
    """
    is_text = output_format == "text"
    stream = sys.stderr if is_text else sys.stdout
    colour = is_text and stream.isatty()
    folder = folder_in_repository(getattr(loaded, "root", start))
    shown = Findings(
        diagnostics, loaded.sources, colour=colour, notes=notes, verbose=verbose, folder=folder
    )
    text = FORMATS[output_format](shown)
    click.echo(text, nl=False, err=is_text, color=True)


def stop_on_errors(diagnostics: Sequence[Diagnostic], *, strict: bool = False) -> None:
    """End with exit code 1 when a finding stops the run."""
    if has_errors(diagnostics, strict=strict):
        sys.exit(EXIT_FINDINGS)


@contextmanager
def progress(total: int, label: str) -> Iterator[Callable[[str], None]]:
    """Show a progress bar on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty() or total < 2:  # noqa: PLR2004 # one step is no progress
        yield lambda _: None
        return
    with click.progressbar(
        length=total, label=label, file=sys.stderr, item_show_func=lambda item: item
    ) as bar:
        yield lambda item: bar.update(1, item)
