"""`genjob lint`: the rules, on manifests that nobody generated."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from genjob.cli import options
from genjob.codes import Code
from genjob.crd.library import SchemaSet, kubernetes_versions, operator_versions
from genjob.diagnostics import Diagnostic, Location, Severity
from genjob.foreign.forms import JOB
from genjob.linting.conditions import Conditions, newest
from genjob.linting.files import read_named
from genjob.linting.linting import lint
from genjob.linting.subjects import BESIDE_A_JOB
from genjob.rendering import Selection, relevant, unknown_names
from genjob.wording import one_of
from genjob.workspace.loading import find_root

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from genjob.linting.linting import Linting

CHECKED = (JOB, *BESIDE_A_JOB)


@click.command("lint")
@click.argument("files", nargs=-1, required=True, metavar="FILE|DIR|-...")
@click.option("--kubernetes", metavar="VERSION", help="Version of Kubernetes.  [default: newest]")
@click.option(
    "--training-operator", metavar="VERSION", help="Version of the operator.  [default: newest]"
)
@click.option(
    "--env", metavar="ENV", help="Check for this environment of the workspace: versions, machines."
)
@options.output_format
@options.strict
@click.option("--verbose", is_flag=True, help="Show notes too.")
@options.directory
def command(  # noqa: PLR0913 # one parameter for each option
    files: tuple[str, ...],
    kubernetes: str | None,
    training_operator: str | None,
    env: str | None,
    output_format: str,
    *,
    strict: bool,
    verbose: bool,
    directory: Path,
) -> None:
    """Check PyTorchJobs that anybody wrote, and the claims and ConfigMaps beside them.

    FILE is YAML or JSON as kubectl takes it, relative to the folder of -C; of a DIR, every manifest
    below it; - is standard input, as in `kustomize build DIR | genjob lint -`. Objects of other
    kinds are passed over. No workspace is needed.

    Example: genjob lint job.yaml --kubernetes 1.31
    """
    conditions = _conditions(directory, env, kubernetes, training_operator)
    linting = lint(read_named(files, directory, conditions.command), conditions)
    if not linting.checked and not linting.diagnostics:
        linting.diagnostics.append(_nothing(files[0]))
    options.print_findings(
        linting,
        linting.diagnostics,
        output_format=output_format,
        notes=verbose,
        verbose="genjob lint --verbose",
        start=directory,
    )
    if output_format == "text":
        click.echo(_summary(linting))
    options.stop_on_errors(linting.diagnostics, strict=strict)


def _conditions(
    directory: Path, env: str | None, kubernetes: str | None, operator: str | None
) -> Conditions:
    """Return what to check for: an environment's versions, else the newest, unless they are said.

    Raises:
        click.UsageError: when a version has no schemas.
    """
    root = find_root(directory)
    base = _of_environment(directory, env) if env else _of_schemas(root)
    wanted = {"kubernetes": kubernetes, "training_operator": operator}
    target = base.target.model_copy(update={key: word for key, word in wanted.items() if word})
    _check(target.kubernetes, "--kubernetes", kubernetes_versions(base.schemas))
    _check(target.training_operator, "--training-operator", operator_versions(base.schemas))
    return Conditions(target, base.schemas, base.environment, base.engine)


def _of_schemas(root: Path | None) -> Conditions:
    schemas = SchemaSet() if root is None else SchemaSet.of(root / "schemas")
    return Conditions(newest(schemas), schemas)


def _of_environment(directory: Path, name: str) -> Conditions:
    """Return what an environment says; end with its findings when it cannot be used."""
    loaded = options.open_workspace(directory)
    selection = Selection(environments=(name,))
    if name not in loaded.environments:
        findings = [*relevant(loaded, selection), *unknown_names(loaded, selection)]
        options.print_findings(loaded, findings)
        sys.exit(options.EXIT_FINDINGS)
    environment = loaded.environments[name].model
    engine = loaded.settings.gitops.engine
    return Conditions(environment.target, loaded.schemas, environment, engine)


def _check(version: str, option: str, known: Sequence[str]) -> None:
    if version not in known:
        message = f"there are no schemas of '{version}'; known are {one_of(known)}"
        raise click.BadParameter(message, param_hint=f"'{option}'")


def _nothing(file: str) -> Diagnostic:
    message = f"found no {one_of(CHECKED)}"
    hint = "name a manifest, a folder of manifests, or - for standard input"
    return Diagnostic(Code.NOTHING_TO_CHECK, message, Location(file), hint, Severity.WARNING)


def _summary(linting: Linting) -> str:
    """Return what was looked at, as a person says it."""
    counted = [(linting.checked[kind], kind) for kind in CHECKED if linting.checked[kind]]
    kinds = [f"{count} {kind}{'s' * (count != 1)}" for count, kind in counted]
    others = f"{linting.others} other document{'s' * (linting.others != 1)}"
    passed = [f"{others} passed over"] if linting.others else []
    return ", ".join([f"checked {' and '.join(kinds) or 'nothing'}", *passed])
