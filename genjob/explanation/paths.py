"""What a person types to name a value → its route of keys.

`nccl.ib_hca`, `storage[0].mount_path`, `labels['a.b/c']`. A list item may be called by its name,
and a key that holds dots may be written without brackets: `storage.data.pvc`, `labels.a.b/c`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from genjob.resolve.merge import child, names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.document import Raw
    from genjob.jsontypes import DocPath, Key
    from genjob.resolve.job import Job

_STEP: Final = re.compile(r"""\[(\d{1,9})\]|\[(?:'([^']*)'|"([^"]*)"|([^\]]+))\]|\.?([^.\[\]]+)""")


def parse_path(text: str) -> DocPath | None:
    """Return the route that a text names, None when it is no route."""
    steps: list[Key] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return None
        index, *texts = match.groups()
        steps.append(int(index) if index is not None else next(t for t in texts if t is not None))
        at = match.end()
    return tuple(steps) or None


def spelled_out(job: Job, path: DocPath) -> DocPath:
    """Return the route with names of list items as indices and keys with dots put together.

    It is looked up in what the layers come to, then in each of them; a route that is nowhere stays.
    """
    trees: list[Raw] = [job.tree, *(layer.tree for layer in reversed(job.layers))]
    for tree in trees:
        found = _found(tree, path)
        if found is not None:
            return found
    return path


def _found(tree: Raw, path: Sequence[Key]) -> DocPath | None:
    if not path:
        return ()
    for taken in range(1, len(path) + 1):
        key = _key(tree, path[:taken])
        below = child(tree, key) if key is not None else None
        rest = _found(below, path[taken:]) if below is not None else None
        if key is not None and rest is not None:
            return (key, *rest)
    return None


def _key(tree: Raw, steps: Sequence[Key]) -> Key | None:
    if isinstance(tree, dict):
        return ".".join(str(step) for step in steps)
    if not isinstance(tree, list) or len(steps) > 1:
        return None
    step = steps[0]
    called = names(tree)
    return step if isinstance(step, int) else called.index(step) if step in called else None
