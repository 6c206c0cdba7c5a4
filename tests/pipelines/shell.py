"""The steps of a pipeline's file → what they leave behind when bash runs them, as a forge does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parent.parent.parent
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
"""How GitHub runs `shell: bash`, and GitLab a script."""

_EXPRESSION = re.compile(r"\$\{\{ ([\w.]+) \}\}")


@dataclass
class Shell:
    """A folder, and the variables that every script is given."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    def run(self, script: str, more: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run a script to its end."""
        environ = {**self.environ, **more}
        return subprocess.run(
            [*BASH, "-c", script],
            cwd=self.folder,
            env=environ,
            capture_output=True,
            check=False,
            encoding="utf-8",
        )


def base_environ(folder: Path) -> dict[str, str]:
    """Return variables with which pip needs no network and genjob finds what it imports.

    What pip installs is ours alone; the packages that it needs are those of the tests.
    """
    return {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PYTHONUTF8": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }


def wheel(folder: Path) -> Path:
    """Build what `pip install genjob` would fetch, and return its file."""
    argv = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(argv, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


def expanded(text: str, context: Mapping[str, str]) -> str:
    """Return a text with its `${{ … }}` filled in.

    Raises:
        KeyError: for an expression that the context does not know.
    """
    return _EXPRESSION.sub(lambda found: context[found[1]], text)


def holds(condition: str, context: Mapping[str, str]) -> bool:
    """Return whether an `if:` of GitHub lets its step run; it knows `a == 'b'` and `&&`."""
    pairs = [part.split(" == ") for part in condition.split(" && ")]
    return all(context[name] == value.strip("'") for name, value in pairs)
