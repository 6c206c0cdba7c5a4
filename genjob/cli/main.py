"""The command `genjob`: finds the verb and imports nothing that another verb needs."""

from __future__ import annotations

import importlib
import sys

import click

from genjob import __version__
from genjob.diagnostics import ToolError

EXIT_TOOL = 3

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("genjob.cli.init", "Make a workspace that renders at once."),
    "new": ("genjob.cli.new", "Make an experiment, commented from the models' descriptions."),
    "validate": ("genjob.cli.validate", "Report every finding; write nothing."),
    "render": ("genjob.cli.render", "Write bases and overlays, or check what is committed."),
    "build": ("genjob.cli.build", "Print the final objects of one experiment."),
    "verify": ("genjob.cli.verify", "Prove with Kustomize that overlays build to what is meant."),
    "diff": ("genjob.cli.diff", "Say what a change means to each run, before it is merged."),
    "retire": ("genjob.cli.retire", "Take a finished run out of Git; its data stays."),
    "suspend": ("genjob.cli.suspend", "Let a job wait without pods, by an edit of Git."),
    "resume": ("genjob.cli.resume", "Let a suspended job run again, by an edit of Git."),
    "import": ("genjob.cli.import_", "Turn PyTorchJobs into experiments, with the proof."),
    "explain": ("genjob.cli.explain", "Say who set each value, and what the ranks will find."),
    "nccl": ("genjob.cli.nccl", "Explain the variables of NCCL, PyTorch and the fabrics."),
    "fabrics": ("genjob.cli.fabrics", "Show what a job gets on each kind of network."),
    "machines": ("genjob.cli.machines", "Show what is known of instance types."),
    "lint": ("genjob.cli.lint", "Check PyTorchJobs that anybody wrote; needs no workspace."),
    "snapshot": ("genjob.cli.snapshot", "Keep what a cluster really has, for the checks."),
    "schema": ("genjob.cli.schema", "Print JSON Schemas of our files; vendor a CRD."),
}
"""Verb → its module, which has a `command`, and its line in the help."""


class Verbs(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # click's signature
        """Return the verbs, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 # click's signature
        """Return the command of a verb, or None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 # click's signature
        """Write the list of verbs from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def genjob() -> None:
    """Declarative GitOps configuration for distributed PyTorch training on Kubernetes.

    A researcher edits experiments/NAME/experiment.yaml; `genjob render --env prod` checks it and
    writes a Kustomize base and one overlay for each environment, to be committed.
    """


def main() -> None:
    """Run `genjob`.

    A missing or broken tool, or a disk that does not answer, ends it with exit code 3 and one line.
    """
    try:
        genjob(prog_name="genjob")
    except (ToolError, OSError) as error:
        click.echo(f"genjob: {_reason(error)}", err=True)
        sys.exit(EXIT_TOOL)


def _reason(error: ToolError | OSError) -> str:
    if isinstance(error, ToolError) or error.strerror is None:
        return str(error)
    file = f": '{error.filename}'" if error.filename else ""
    return f"{error.strerror.lower()}{file}"
