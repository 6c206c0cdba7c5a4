"""The experiments of one environment → what is wrong with them together, and with none alone."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from genjob.codes import Code
from genjob.diagnostics import Finding, Severity
from genjob.manifest import JOB_SLOT, identity
from genjob.resolve.merge import names, value_at
from genjob.rules.walk import as_object, as_str, distinct_pods, get, parts, pod_containers, texts
from genjob.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    from genjob.document import Raw
    from genjob.jsontypes import DocPath, JsonObject
    from genjob.manifest import Identity, Manifest

    Objects: TypeAlias = Sequence[Manifest]

LATER = frozenset({Code.WRITTEN_TWICE})
"""Findings of this stage that an experiment can allow: they come after all others."""

_PATH = re.compile(r"(?<=[=\s\"'])/[^\s\"',;:|&<>(){}$`]*")
_NAME = re.compile(r"([\w.-]+)[=\s\"']+$")
"""A path in a text, and the flag, Hydra key or variable before it that it is given to."""

_LONGEST_NAME = 100
"""Characters before a path among which its name is looked for."""

_WRITES = re.compile(r"(?i)out|save|ckpt|checkpoint|log|result|export|dump|(work|run).?dir")
_READS = re.compile(r"(?i)in(put|it)|data|load|resume|restore|from|pretrain|base|tokenizer")
"""What the names of directories to write and to read contain: only what is named is known."""


class Directory(NamedTuple):
    """A directory that outlives a pod: what holds it, and where it is in there."""

    volume: str
    path: str


class Seen(NamedTuple):
    """A directory as a container sees it: the name of the volume in its pod, and its path."""

    storage: str
    path: str


class Footprint(NamedTuple):
    """What one environment has of an experiment that another must not have too."""

    made: tuple[Identity, ...]
    written: Mapping[Directory, Seen]


def footprint(objects: Objects) -> Footprint:
    """Return the objects that a run makes, and the directories that it writes."""
    made = tuple(identity(manifest.body) for manifest in objects)
    return Footprint(made, written_directories(objects))


def find_together(overlays: Mapping[str, Footprint]) -> Iterator[tuple[str, Finding]]:
    """Yield findings about the runs of one environment, given by experiment, each with its name.

    Of two experiments the later one gets the finding.
    """
    yield from _made_twice(overlays)
    yield from _written_twice(overlays)


def written_at(tree: Raw, path: DocPath) -> DocPath:
    """Return the route into an experiment's file; a storage that is not there is its name's."""
    match path:
        case ("storage", str(name)):
            items = value_at(tree, ("storage",))
            known = names(items) if isinstance(items, list) else []
            return ("storage", known.index(name)) if name in known else ("name",)
        case _:
            return path


def _made_twice(overlays: Mapping[str, Footprint]) -> Iterator[tuple[str, Finding]]:
    """Find objects that two experiments make, such as a claim of one name."""
    makers: dict[Identity, str] = {}
    for name, run in overlays.items():
        for made in run.made:
            other = makers.setdefault(made, name)
            if other != name:
                message = f"{made} is also made by experiment {quoted(other)}"
                hint = "rename the experiment or its storage"
                yield name, Finding(Code.MADE_TWICE, ("name",), message, hint)


def _written_twice(overlays: Mapping[str, Footprint]) -> Iterator[tuple[str, Finding]]:
    """Find directories that two experiments write: one overwrites the checkpoints of the other."""
    writers: dict[Directory, str] = {}
    for name, run in overlays.items():
        for directory, seen in sorted(run.written.items()):
            other = writers.setdefault(directory, name)
            if other != name:
                message = f"experiment {quoted(other)} writes the same directory"
                message += f" {quoted(directory.path)} of {directory.volume}, here {seen.path}"
                hint = "write elsewhere, or give one of them a sub_path"
                path = ("storage", seen.storage)
                yield name, Finding(Code.WRITTEN_TWICE, path, message, hint, Severity.WARNING)


def written_directories(objects: Objects) -> dict[Directory, Seen]:
    """Return the directories that an argument or a variable of a run names as one to write.

    That all mount one file system is no mistake, so a mount alone does not count.
    """
    jobs = [manifest.body for manifest in objects if manifest.slot == JOB_SLOT]
    found: dict[Directory, Seen] = {}
    for _, pod in (spec for job in jobs for spec in distinct_pods(job)):
        places = {volume.get("name"): _place(volume) for _, volume in parts((), pod.get("volumes"))}
        for _, container in pod_containers((), pod):
            named = {*_named_to_write(container, objects)}
            for _, mount in parts((), container.get("volumeMounts")):
                volume = places.get(mount.get("name"))
                if volume is not None and mount.get("readOnly") is not True:
                    found |= _inside(mount, volume, named)
    return found


def _inside(mount: JsonObject, volume: str, named: set[str]) -> dict[Directory, Seen]:
    """Return the named directories that are in a mount."""
    root = PurePosixPath(as_str(mount.get("mountPath")) or "/")
    top = PurePosixPath("/", (as_str(mount.get("subPath")) or "").strip("/"))
    return {
        Directory(volume, str(top / path.relative_to(root))): Seen(str(mount["name"]), str(path))
        for path in map(PurePosixPath, named)
        if path.is_relative_to(root)
    }


def _place(volume: JsonObject) -> str | None:
    """Return what a volume is to all pods of a namespace, None for one that only a pod has."""
    if claim := as_str(get(volume, "persistentVolumeClaim", "claimName")):
        return f"claim {quoted(claim)}"
    if path := as_str(get(volume, "nfs", "path")):
        server = as_str(get(volume, "nfs", "server")) or ""
        return f"export {quoted(f'{server}:{path}')}"
    if path := as_str(get(volume, "hostPath", "path")):
        return f"host path {quoted(path)}"
    return None


def _named_to_write(container: JsonObject, objects: Objects) -> Iterator[str]:
    words = [text for key in ("command", "args") for _, text in texts((), container.get(key))]
    variables = [*_variables(container, objects)]
    text = "\n".join([*variables, " ".join(words)])
    for path in _PATH.finditer(text):
        name = _NAME.search(text, max(0, path.start() - _LONGEST_NAME), path.start())
        if name and _WRITES.search(name[1]) and not _READS.search(name[1]):
            yield path[0]


def _variables(container: JsonObject, objects: Objects) -> Iterator[str]:
    """Yield the variables of a container as NAME=value, those of our own ConfigMaps too."""
    for _, variable in parts((), container.get("env")):
        yield f"{variable.get('name')}={variable.get('value')}"
    ours = {identity(each.body).name: each.body for each in objects}
    for _, source in parts((), container.get("envFrom")):
        body = ours.get(as_str(get(source, "configMapRef", "name")) or "", {})
        for name, value in as_object(body.get("data")).items():
            yield f"{name}={value}"
