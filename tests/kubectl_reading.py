"""YAML text → the objects that the real kubectl reads from it, without a cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genjob.jsontypes import Json

_PATH = os.pathsep.join((sysconfig.get_path("scripts"), os.environ.get("PATH", "")))


def read_by_kubectl(text: str) -> list[Json]:
    """Return the objects of a stream; each gets a label, which the command needs a reason for."""
    argv = ["kubectl", "label", "--local", "--filename=-", "read=yes", "--output=json"]
    ended = subprocess.run(
        [shutil.which("kubectl", path=_PATH) or "kubectl", *argv[1:]],
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr.decode()
    return [*_documents(ended.stdout.decode())]


def _documents(text: str) -> list[Json]:
    decoder, found, at = json.JSONDecoder(), [], 0
    while text[at:].strip():
        value, at = decoder.raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
        found.append(value)
    return found
