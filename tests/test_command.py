"""One wrapper starts every program, and its errors show the argv."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from genjob.command import Limits, run
from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from pathlib import Path


def python(code: str) -> list[str]:
    """Return the argv that runs a line of Python."""
    return [sys.executable, "-c", code]


def test_output_and_exit_code_come_back() -> None:
    code = "import sys; print('é'); print('why', file=sys.stderr); sys.exit(1)"

    done = run([sys.executable, "-X", "utf8", "-c", code], limits=Limits(allowed=(0, 1)))

    assert (done.returncode, done.stdout.strip(), done.stderr.strip()) == (1, "é", "why")


def test_an_exit_code_that_is_not_allowed_shows_argv_code_and_first_line() -> None:
    argv = python("import sys; sys.exit('no such cluster\\nand more')")

    with pytest.raises(ToolError) as caught:
        run(argv)

    assert str(caught.value).endswith("ended with exit code 1: no such cluster")
    assert str(caught.value).startswith(f"'{sys.executable} -c ")


def test_a_program_that_dies_of_a_signal_says_which() -> None:
    with pytest.raises(ToolError, match=r"ended with signal 9$"):
        run(python("import os; os.kill(os.getpid(), 9)"))


def test_a_missing_program_is_a_tool_error() -> None:
    with pytest.raises(ToolError) as caught:
        run(["no-such-program", "a b"])

    message = "'no-such-program 'a b'' cannot be started: no such file or directory"
    assert message == str(caught.value)


def test_a_program_that_hangs_is_ended() -> None:
    with pytest.raises(ToolError, match=r"did not end within 0\.2 s$"):
        run(python("import time; time.sleep(60)"), limits=Limits(timeout_s=0.2))


def test_output_that_is_not_utf_8_is_a_tool_error() -> None:
    with pytest.raises(ToolError, match=r"printed what is not UTF-8 text$"):
        run(python("import sys; sys.stdout.buffer.write(b'\\xff')"))


def test_the_program_gets_no_standard_input_and_the_given_environment(tmp_path: Path) -> None:
    code = "import os, sys; print(sys.stdin.read(), sorted(os.environ), os.getcwd())"

    done = run(python(code), cwd=tmp_path, environ={"LC_ALL": "C"})

    assert " ['LC_ALL'] " in done.stdout.replace("'LC_CTYPE', ", "")
    assert str(tmp_path.resolve()) in done.stdout
