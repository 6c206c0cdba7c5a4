"""`genjob suspend`: lets a job wait without pods, by an edit of Git."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from genjob.cli import editing, options
from genjob.codes import Code
from genjob.diagnostics import Finding
from genjob.document.edit import set_value
from genjob.rendering import job_of
from genjob.wording import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.cli.editing import Editable
    from genjob.jsontypes import DocPath

FIELD = ("run_policy", "suspend")


@click.command("suspend")
@click.argument("name")
@click.option("--env", "environment", required=True, metavar="ENV", help="The environment.")
@editing.dry_run
@options.directory
def command(name: str, environment: str, *, dry_run: bool, directory: Path) -> None:
    """Let a job wait without pods: set run_policy.suspend in one environment, and render.

    The same run goes on after `genjob resume`, from its last checkpoint. A job with a queue is
    Kueue's to suspend.

    Example: genjob suspend llama-pretrain --env prod
    """
    before = editing.open_experiment(options.open_workspace(directory), name, [environment])
    refuse_queued(before, environment)
    path: DocPath = ("environments", environment, *FIELD)
    after = before.edited(lambda document, text: set_value(document, text, path, value=True))
    is_written = editing.apply(before, after, dry_run=dry_run)
    if dry_run:
        return
    click.echo(f"experiment {quoted(name)} is suspended in {quoted(environment)}")
    if is_written:
        effect = "the operator then deletes the pods and keeps the job"
        click.echo(f"it takes effect when this is committed and synced: {effect}")


def refuse_queued(editable: Editable, environment: str) -> None:
    """End with a finding when the job waits in a queue: Kueue suspends it, and starts it.

    Source: Kueue apis/kueue/v1beta1/workload_types.go, WorkloadSpec.Active: false evicts what runs.
    """
    job, _ = job_of(editable.loaded, editable.name, environment)
    queue = job.experiment.scheduling.queue if job is not None else None
    if job is None or queue is None:
        return
    message = f"the job is in queue {quoted(queue)}: its 'suspend' belongs to Kueue, not to Git"
    hint = (
        "deactivate its Workload instead: `kubectl patch workload NAME --type merge --patch "
        """'{"spec": {"active": false}}'`; true lets it wait for its turn again"""
    )
    finding = Finding(Code.SUSPEND_BESIDE_QUEUE, ("scheduling", "queue"), message, hint)
    findings = [job.diagnostic(finding)]
    options.print_findings(editable.loaded, findings)
    options.stop_on_errors(findings)
