"""Command and args of a container → launcher, its options, script or module, and arguments.

Kubernetes runs the words of command and args one behind the other, so where the one ends and the
other begins means nothing once there is a command.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.importing.rest import present, take_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import JsonObject


class _Options(NamedTuple):
    """Options of a launcher: those that stand alone, and those that take the next word."""

    alone: re.Pattern[str]
    with_value: re.Pattern[str]


_TORCHRUN: Final = _Options(
    re.compile(r"--[a-z_-]+=.*|--standalone", re.DOTALL),
    re.compile(
        r"--(nnodes|nproc[-_]per[-_]node|rdzv[-_](backend|endpoint|id|conf)|max[-_]restarts"
        r"|monitor[-_]interval|start[-_]method|role|log[-_]dir|redirects|tee"
        r"|local[-_]ranks[-_]filter|node[-_]rank|master[-_](addr|port)|local[-_]addr)|-[rt]"
    ),
)
"""Source: PyTorch 2.14.1, torch/distributed/run.py, get_args_parser."""

_PYTHON: Final = _Options(
    re.compile(r"-[bBdEhiIOPqsSuvVx]+|-[WX].+", re.DOTALL), re.compile(r"-[WX]")
)
"""Source: https://docs.python.org/3.13/using/cmdline.html"""

_LAUNCHERS: Final = {"torchrun": _TORCHRUN, "python": _PYTHON}
_MODULE: Final = "-m"
_NO_SCRIPT: Final = re.compile(r"--(no|run)[-_].*|-.*", re.DOTALL)


def program(container: JsonObject) -> JsonObject:
    """Take what a container runs; a command that starts no known launcher stays whole."""
    command = [str(word) for word in take_texts(container, "command")]
    if "command" in container:
        return {"command": []}  # no list of texts: the overrides carry it
    args = [str(word) for word in take_texts(container, "args")]
    words = [*command, *args] if command else []
    launched = _launched(words)
    if launched is not None:
        return launched
    return {"command": [*command], **present(args=[*args])}


def _launched(words: Sequence[str]) -> JsonObject | None:
    """Return the fields of words that start a script or module by a launcher, else None."""
    options = _LAUNCHERS.get(words[0]) if words else None
    if options is None:
        return None
    index = _behind_options(words, options)
    if index < len(words) and words[index] == _MODULE:
        return _fields(words, index, words[index + 1 : index + 2], "module")
    return _fields(words, index - 1, words[index : index + 1], "script")


def _fields(
    words: Sequence[str], before: int, named: Sequence[str], kind: str
) -> JsonObject | None:
    """Return the fields of a program that is the word after next of `before`."""
    if not named or not named[0] or _NO_SCRIPT.fullmatch(named[0]):
        return None
    end = before if kind == "module" else before + 1
    launcher = {} if words[0] == "torchrun" else {"launcher": words[0]}
    more = present(launcher_args=[*words[1:end]], args=[*words[before + 2 :]])
    return {kind: named[0], **launcher, **more}


def _behind_options(words: Sequence[str], options: _Options) -> int:
    index = 1
    while index < len(words):
        if options.with_value.fullmatch(words[index]):
            index += 2
        elif options.alone.fullmatch(words[index]):
            index += 1
        else:
            break
    return index
