"""Settings and files → immutable ConfigMaps that are named by their content.

A ConfigMap that is edited in place changes only pods that start later; one that is named by its
content makes an edit visible in the job itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING

from genjob.manifest import Manifest
from genjob.manifests.labels import metadata
from genjob.manifests.trace import Traced, fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.model.storage import Storage
    from genjob.resolve.job import Job

HASH_LENGTH = 8


def config_maps(job: Job) -> list[Manifest]:
    """Return the ConfigMaps of a job: its settings, and the files beside its experiment.yaml."""
    found = [_settings(job)] if job.experiment.config else []
    return [*found, *_all_files(job)]


def config_name(job: Job) -> str:
    """Return the name of the ConfigMap that holds the `config` of a job."""
    return _named(f"{job.experiment.name}-config", _settings_data(job))


def files_name(job: Job, storage: Storage) -> str:
    """Return the name of the ConfigMap that holds the files of a storage."""
    return _named(f"{job.experiment.name}-{storage.name}", _files_data(job, storage))


def _settings(job: Job) -> Manifest:
    body = _config_map(job, config_name(job), _settings_data(job), ("config",))
    return Manifest("config", body)


def _settings_data(job: Job) -> JsonObject:
    settings = job.experiment.config
    data = Traced(*((key, settings[key], ("config", key)) for key in sorted(settings)))
    return fields(("data", data, ("config",)))


def _all_files(job: Job) -> Iterator[Manifest]:
    seen: set[str] = set()
    roles = ((job.experiment, ()), (job.master, ("master",)))
    for role, prefix in roles:
        for index, storage in enumerate(role.storage):
            name = files_name(job, storage) if storage.files else ""
            if not name or name in seen:
                continue
            seen.add(name)
            slot = ".".join([f"files-{storage.name}", *prefix])  # no storage has a dot in its name
            source: DocPath = ("storage", index, "files")
            yield Manifest(slot, _config_map(job, name, _files_data(job, storage), source))


def _files_data(job: Job, storage: Storage) -> JsonObject:
    texts, binary = {}, {}
    for path in sorted(storage.files or ()):
        content = job.files.get(path, b"")
        key = path.rpartition("/")[2]
        if (text := _text(content)) is None:
            binary[key] = base64.b64encode(content).decode("ascii")
        else:
            texts[key] = text
    return fields(("data", {**texts}, ()), ("binaryData", {**binary}, ()))


def _text(content: bytes) -> str | None:
    """Return a file as text when YAML and Kustomize carry it unchanged, else None."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if text.replace("\n", "").replace("\t", "").isprintable() else None


def _config_map(job: Job, name: str, data: JsonObject, source: DocPath) -> JsonObject:
    body = Traced(
        ("apiVersion", "v1", ()),
        ("kind", "ConfigMap", ()),
        ("metadata", metadata(job, name, source=source), source),
        ("immutable", True, ()),
    )
    for key, value in data.items():
        body.put(key, value, source)
    return body


def _named(stem: str, data: JsonObject) -> str:
    content = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return f"{stem}-{hashlib.sha256(content.encode('ascii')).hexdigest()[:HASH_LENGTH]}"
