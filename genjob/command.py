"""A command line → its output: the one place that starts other programs."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from genjob.diagnostics import ToolError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Completed:
    """A program that ran to its end with an exit code that was allowed."""

    argv: tuple[str, ...]
    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may take, and which exit codes are an answer rather than a failure."""

    timeout_s: float = 120.0
    allowed: Collection[int] = (0,)


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
    limits: Limits = Limits(),
    stdin: str = "",
) -> Completed:
    """Run a program to its end, without a shell; `stdin` is all that it can read.

    `environ` replaces the environment; None keeps this process's own.
    Raises ToolError, which shows the argv, when the program cannot be started, does not end in
    time, ends with an exit code that is not allowed, or prints what is not UTF-8.
    """
    completed = _start(argv, cwd, environ, limits.timeout_s, stdin)
    stdout, stderr = _decode(argv, completed.stdout), completed.stderr.decode("utf-8", "replace")
    if completed.returncode not in limits.allowed:
        reason = f"ended with {_ending(completed.returncode)}{_first_line(stderr)}"
        raise ToolError(f"'{shlex.join(argv)}' {reason}")
    return Completed(tuple(argv), completed.returncode, stdout, stderr)


def _start(
    argv: Sequence[str],
    cwd: Path | None,
    environ: Mapping[str, str] | None,
    timeout_s: float,
    stdin: str,
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603 - no shell; the callers' argv is built from fixed words
            argv,
            cwd=cwd,
            env=environ,
            input=stdin.encode(),
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ToolError(f"'{shlex.join(argv)}' did not end within {timeout_s:g} s") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ToolError(f"'{shlex.join(argv)}' cannot be started: {reason}") from error


def _decode(argv: Sequence[str], output: bytes) -> str:
    try:
        return output.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(f"'{shlex.join(argv)}' printed what is not UTF-8 text") from error


def _ending(returncode: int) -> str:
    return f"signal {-returncode}" if returncode < 0 else f"exit code {returncode}"


def _first_line(stderr: str) -> str:
    lines = stderr.strip().splitlines()
    return f": {lines[0]}" if lines else ""
