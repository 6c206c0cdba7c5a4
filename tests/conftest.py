"""What tests of whole commands share: a workspace on disk, the command line, updating goldens."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import settings

from genjob.cli.main import main
from genjob.memory.folder import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

UPDATE = "--update-golden"
WITH_CLUSTER = Path(__file__).parent / "cluster"

# A slow machine is no broken law; and in CI a law is checked on the same examples each time.
settings.register_profile("genjob", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("genjob")


class MakesWorkspace(Protocol):
    """The type of the fixture `repo`."""

    def __call__(self, files: Mapping[str, str | bytes]) -> Path:
        """Write the files (POSIX path → content) and return the root of the workspace."""


class RunsCommand(Protocol):
    """The type of the fixture `run_cli`."""

    def __call__(self, *args: str | Path) -> Ran:
        """Run `genjob` with these arguments, in this process."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    exit_code: int
    stdout: str
    stderr: str


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites expected files; what changed is then read in the diff."""
    parser.addoption(UPDATE, action="store_true", help="rewrite the expected files of goldens")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to rewrite goldens where nobody reads the diff; remember nothing between tests."""
    os.environ[VARIABLE] = ""
    if config.getoption(UPDATE) and os.environ.get("CI"):
        raise pytest.UsageError(f"{UPDATE} is for people; in CI a golden must match")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave tests that need a cluster to who names their folder, as `make test-cluster` does."""
    if collection_path != WITH_CLUSTER:
        return None
    named = [(config.invocation_params.dir / arg.partition("::")[0]) for arg in config.args]
    return None if any(path.is_relative_to(WITH_CLUSTER) for path in named) else True


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Tell whether expected files are to be rewritten."""
    return bool(request.config.getoption(UPDATE))


@pytest.fixture
def repo(tmp_path: Path) -> MakesWorkspace:
    """Give a function that writes a workspace into a folder of its own."""

    def written(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "workspace"
        for folder in ("experiments", "environments"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return written


@pytest.fixture
def run_cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunsCommand:
    """Give a function that runs the command line as a shell would, exit code 3 included."""

    def ran(*args: str | Path) -> Ran:
        monkeypatch.setattr("sys.argv", ["genjob", *map(str, args)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        code = ended.value.code
        return Ran(code if isinstance(code, int) else 0, out, err)

    return ran
