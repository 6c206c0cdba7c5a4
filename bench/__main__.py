"""Workspaces of several sizes → a table of what each command takes, with its ratios.

`make bench`; `python -m bench --sizes 1,100 --runs 3` for less. Figures of one run are compared
with each other only: the machine and what else it does are part of them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from bench import others
from bench.measure import Sample, medians, run
from bench.ours import COLD, Workspace, program
from bench.workspace import ENVIRONMENTS, make
from genjob.memory.folder import VARIABLE

_TOOLS = Path(__file__).parent.parent / ".venv/bench"


@click.command()
@click.option("--sizes", default="1,100,1000,5000", show_default=True, help="Experiments.")
@click.option("--runs", default=3, show_default=True, help="Runs of which medians are taken.")
@click.option("--alone", is_flag=True, help="No other tools, so nothing is installed.")
def main(sizes: str, runs: int, *, alone: bool) -> None:
    """Measure genjob, and other tools on the same jobs."""
    _starts(runs)
    per_overlay: dict[int, float] = {}
    for size in map(int, sizes.split(",")):
        with tempfile.TemporaryDirectory(prefix="genjob-bench-") as folder:
            per_overlay[size] = _of_size(Path(folder), size, runs, alone=alone)
    many = [size for size in per_overlay if size > 1]
    if len(many) > 1:
        flat = per_overlay[many[-1]] / per_overlay[many[0]]
        click.echo(f"\nan overlay of {many[-1]} experiments / one of {many[0]}: {flat:.2f}")


def _starts(runs: int) -> None:
    click.echo("start-up" + " " * 38 + "wall          cpu      memory")
    with tempfile.TemporaryDirectory(prefix="genjob-bench-") as folder:
        make(Path(folder, "workspace"), 1)
        validate = [*program(), "validate", "-C", f"{folder}/workspace"]
        rows = {
            "python -c pass": ([sys.executable, "-c", "pass"], ""),
            "genjob --version": ([*program(), "--version"], ""),
            "genjob --help": ([*program(), "--help"], ""),
            "import pydantic": ([sys.executable, "-c", "import pydantic"], ""),
            "validate of one, cold": (validate, ""),
            "validate of one, nothing changed": (validate, f"{folder}/memory"),
        }
        run(validate, {VARIABLE: f"{folder}/memory"})
        taken = {
            name: medians([run(argv, {VARIABLE: memory}) for _ in range(3 * runs)])
            for name, (argv, memory) in rows.items()
        }
    for name, sample in taken.items():
        click.echo(f"  {name:40}{sample}")
    bare, model = taken["python -c pass"].cpu_s, taken["import pydantic"].cpu_s
    click.echo(f"  --version / bare python: {taken['genjob --version'].cpu_s / bare:.1f}")
    for name in ("cold", "nothing changed"):
        ratio = taken[f"validate of one, {name}"].cpu_s / model
        click.echo(f"  validate of one, {name} / import pydantic: {ratio:.1f}")


def _of_size(folder: Path, size: int, runs: int, *, alone: bool) -> float:
    """Measure one size; return what an overlay takes of the processors in a cold check."""
    root = folder / "workspace"
    make(root, size)
    overlays = size * len(ENVIRONMENTS)
    click.echo(f"\n{size} experiments, {overlays} overlays")
    taken: dict[tuple[str, str], Sample] = {}
    for name, state, sample in Workspace(root, size, runs).rows():
        taken[name, state] = sample
        cold = taken.get((name, COLD))
        ratio = f"   {sample.wall_s / cold.wall_s:5.2f} of cold" if cold and state != COLD else ""
        click.echo(f"  {name:22}{state:18}{sample}{ratio}")
    render = taken["render --all", "nothing rendered"]
    click.echo(f"  an overlay, rendered: {1000 * render.wall_s / overlays:.2f} ms")
    if not alone:
        _beside(folder, root, overlays, render, runs)
    return taken["render --all --check", COLD].cpu_s / overlays


def _beside(folder: Path, root: Path, overlays: int, render: Sample, runs: int) -> None:
    _TOOLS.mkdir(parents=True, exist_ok=True)
    objects = others.objects_of(root)
    for name, sample in others.floors(objects, folder / "floor", _TOOLS, runs):
        if sample is not None:
            ratio = render.wall_s / sample.wall_s
            click.echo(f"  {name:58}{sample}   render takes {ratio:.1f} times that")
    one = others.kustomize(root)
    faster = one.wall_s / (render.wall_s / overlays)
    rows: list[tuple[str, Sample | None, float]] = []
    rows.append(("kubectl kustomize, one overlay a process", one, faster))
    for name, sample in others.synthesised(objects, folder / "synthesised", _TOOLS, runs):
        rows.append((name, sample, sample.wall_s / render.wall_s if sample else 0.0))
    for name, sample, times in rows:
        said = f"   render is {times:.1f} times as fast" if sample else ""
        click.echo(f"  {name:58}{sample or ''}{said}")


if __name__ == "__main__":
    main()
