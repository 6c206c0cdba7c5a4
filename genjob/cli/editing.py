"""An edit of an experiment's file → the file and what it renders to: what retire, suspend share."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.cli.render import prepare, write_changes
from genjob.document import read_bytes
from genjob.document.edit import EditError
from genjob.rendering import Selection, relevant, unknown_names
from genjob.tree.plan import Change, Plan, compare
from genjob.wording import listed, quoted
from genjob.workspace.edited import experiment_file, with_experiment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from genjob.document import Document, Raw
    from genjob.workspace.loading import Loaded

dry_run = click.option("--dry-run", is_flag=True, help="Print the diff; write nothing.")


@dataclass(frozen=True)
class Editable:
    """An experiment whose file can be edited: what was read, and the text as it was typed."""

    loaded: Loaded
    name: str
    document: Document
    text: str

    @property
    def environments(self) -> dict[str, Raw]:
        """The environments that the experiment names, and what differs there."""
        named = self.document.data.get("environments")
        return named if isinstance(named, dict) else {}

    def edited(self, edit: Callable[[Document, str], str]) -> Editable:
        """Return the experiment after an edit; nothing is written.

        Raises:
            click.ClickException: when the edit cannot be made.
        """
        try:
            text = edit(self.document, self.text)
        except EditError as error:
            raise click.ClickException(str(error)) from error
        loaded = with_experiment(self.loaded, self.name, text)
        return Editable(loaded, self.name, loaded.experiments[self.name], text)


def open_experiment(loaded: Loaded, name: str, environments: Sequence[str]) -> Editable:
    """Return an experiment that names all of these environments.

    An unknown name or a file that cannot be used ends the run with its findings.

    Raises:
        click.ClickException: when the experiment does not run in one of the environments.
    """
    document = loaded.experiments.get(name)
    editable = Editable(loaded, name, document, _text(loaded, name)) if document else None
    elsewhere = [each for each in environments if not editable or each not in editable.environments]
    findings = [*unknown_names(loaded, Selection((name,), tuple(elsewhere)))]
    if name in loaded.broken:
        findings += relevant(loaded, Selection((name,)))
    options.print_findings(loaded, findings)
    options.stop_on_errors(findings)
    if editable is None or elsewhere:
        raise click.ClickException(_runs_elsewhere(name, elsewhere, editable))
    return editable


def _runs_elsewhere(name: str, elsewhere: Sequence[str], editable: Editable | None) -> str:
    there = listed(editable.environments if editable else ()) or "no environment"
    return f"experiment {quoted(name)} does not run in {listed(elsewhere)}; it runs in {there}"


def _text(loaded: Loaded, name: str) -> str:
    """Return the text of an experiment's file as it was typed, line ends too."""
    file = experiment_file(loaded, name)
    source = read_bytes(loaded.root / file, file)
    return source.decode() if isinstance(source, bytes) else ""


def apply(before: Editable, after: Editable, *, dry_run: bool, retired: Sequence[str] = ()) -> bool:
    """Write an edited file and what the experiment then renders to, all or none.

    The overlays of retired environments go, also where an environment has no file any more. A
    finding that is an error stops it. Returns whether anything was written; a dry run prints the
    difference instead.
    """
    loaded, name = after.loaded, after.name
    prepared = prepare(loaded, Selection((name,)))
    gone = [f"{loaded.settings.paths.overlays}/{each}/{name}" for each in retired]
    changes = {*prepared.changes, *compare(loaded.root, Plan({}, tuple(gone))).changes}
    file = experiment_file(loaded, name)
    if after.text != before.text:
        changes.add(Change(file, "rewrite"))
    files = {**prepared.planned.files, file: after.text}
    if dry_run:
        click.echo("".join(_diff(loaded.root, sorted(changes), files)), nl=False)
        return False
    write_changes(loaded, files, sorted(changes))
    return bool(changes)


def _diff(root: Path, changes: Sequence[Change], files: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a unified diff that `git apply` takes."""
    for path, kind in ((change.path, change.kind) for change in changes):
        old = "" if kind == "create" else (root / path).read_bytes().decode()
        new = "" if kind == "remove" else files[path]
        before = "/dev/null" if kind == "create" else f"a/{path}"
        after = "/dev/null" if kind == "remove" else f"b/{path}"
        for line in difflib.unified_diff(_lines(old), _lines(new), before, after):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends: a line feed alone ends one, as for Git."""
    return text.replace("\n", "\n\0").removesuffix("\0").split("\0") if text else []
