"""`genjob snapshot`: keeps what a cluster really has beside its environment file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.cli.writing import write_files
from genjob.cluster import Kubectl
from genjob.manifests import manifests
from genjob.rendering import Selection, job_of, selected, unknown_names
from genjob.resolve.machine import machine_in
from genjob.rules.node_match import label_keys
from genjob.snapshot.taking import take
from genjob.workspace.loading import snapshot_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from genjob.workspace.loading import Loaded

_HEADER = """\
yaml-language-server: $schema={schema}
What the cluster of environment '{name}' has. Made by `genjob snapshot --env {name}`; take it again
when the cluster has changed, and commit it."""


@click.command("snapshot")
@click.option("--env", "environment", required=True, metavar="ENV", help="The environment.")
@click.option("--context", metavar="NAME", help="Context of the kubeconfig.  [default: current]")
@options.directory
def command(environment: str, context: str | None, directory: Path) -> None:
    """Ask a cluster what it has, through kubectl, and keep it for the checks, to be committed.

    Nodes in groups, queues with their quotas, storage and priority classes, CRDs, the version of
    Kubernetes. No names of nodes, no secrets and no times are kept. What you may not read is left
    out, and the checks that need it are too.

    Example: genjob snapshot --env prod --context prod-admin
    """
    loaded = options.open_workspace(directory)
    file = loaded.environments.get(environment)
    if file is None:
        found = [*unknown_names(loaded, Selection(environments=(environment,)))]
        options.print_findings(loaded, found or loaded.diagnostics)
        options.stop_on_errors(found or loaded.diagnostics)
        return
    kubectl = Kubectl(os.environ, context)
    labels = {*_labels(loaded, environment)}
    taken = take(kubectl, environment, namespace=file.model.namespace, labels=labels)
    for section, reason in taken.refused.items():
        click.echo(f"{section} left out: {reason}", err=True)
    path = snapshot_file(loaded.settings, environment)
    schema = "../" * path.count("/") + "schemas/snapshot.schema.json"
    header = _HEADER.format(schema=schema, name=environment)
    write_files(loaded.root, {path: taken.text(header=header)})


def _labels(loaded: Loaded, environment: str) -> Iterator[str]:
    """Yield the keys of node labels that the pools and experiments of an environment select by."""
    for pool in loaded.environments[environment].model.node_pools:
        yield from {**pool.node_selector, **machine_in(pool).selector}
    for name in selected(loaded, Selection(environments=(environment,))):
        job, _ = job_of(loaded, name, environment)
        if job is not None:
            yield from label_keys(manifests(job)[0].body)
