"""Validate, render and verify this repository's own workspace for prod, and say what was done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENVIRONMENT = "prod"
STEPS = (
    ("check every experiment that runs in prod", ("validate", "--env", ENVIRONMENT)),
    ("write its Kustomize base and its overlay", ("render", "--env", ENVIRONMENT)),
    ("prove with Kustomize that they build to what is meant", ("verify", "--env", ENVIRONMENT)),
)


def main() -> int:
    """Run the steps; the first one that fails ends the demo with its exit code."""
    for what, words in STEPS:
        print(f"\n$ genjob {' '.join(words)}    # {what}", flush=True)
        done = subprocess.run([sys.executable, "-m", "genjob", *words], cwd=ROOT, check=False)  # noqa: S603 # the words above
        if done.returncode:
            return done.returncode
    print(f"\n{_summary()}")
    return 0


def _summary() -> str:
    overlays = sorted((ROOT / "overlays" / ENVIRONMENT).glob("*/kustomization.yaml"))
    names = ", ".join(path.parent.name for path in overlays)
    return (
        f"{len(overlays)} jobs are ready for {ENVIRONMENT}: {names}.\n"
        f"Commit bases/ and overlays/; Argo CD or Flux applies overlays/{ENVIRONMENT}/<name>.\n"
        f"To see one: .venv/bin/genjob build {overlays[0].parent.name} --env {ENVIRONMENT}"
    )


if __name__ == "__main__":
    sys.exit(main())
