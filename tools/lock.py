"""Pin the newest allowed dependencies, with hashes and without download addresses.

Writes requirements/run.txt (what the program needs) and requirements/dev.txt (what its tests,
linters and generators need beside), for every platform and Python that the project supports.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUN = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["build"]]
DEV = [
    requirement
    for group in ("test", "lint", "schemas")
    for requirement in PROJECT["dependency-groups"][group]
]
OPTIONS = (
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--no-header",
    "--no-annotate",
    "--no-emit-index-url",
    "--quiet",
)


def main() -> None:
    """Write both files; `uv` must be on the PATH (pip install uv)."""
    _compile(RUN, "run.txt")
    _compile([*RUN, *DEV], "dev.txt")


def _compile(requirements: list[str], name: str) -> None:
    target = ROOT / "requirements" / name
    command = [sys.executable, "-m", "uv", "pip", "compile", *OPTIONS, "-o", str(target), "-"]
    subprocess.run(command, input="\n".join(requirements), text=True, check=True)  # noqa: S603 # fixed words
    print(f"wrote requirements/{name}")


if __name__ == "__main__":
    main()
