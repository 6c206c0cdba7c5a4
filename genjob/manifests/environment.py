"""Variables of an experiment → the `env` of a container.

Their order lets them refer to each other and does not depend on the order of the keys in the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from genjob.manifests.configuration import config_name
from genjob.manifests.trace import Traced, fields
from genjob.model.nccl import SECTION
from genjob.model.nccl import environment as nccl_environment
from genjob.variables import field_name

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json
    from genjob.model.env import EnvFrom, EnvSource
    from genjob.model.experiment import Experiment
    from genjob.resolve.job import Job

_REFERENCE = re.compile(r"\$\(([^()]+)\)")


def env(role: Experiment) -> list[Json]:
    """Return the variables of a role: NCCL settings and `env`; `env` wins."""
    entries: dict[str, Traced] = {}
    for name, text in _nccl(role).items():
        entries[name] = _text(name, text, (SECTION, field_name(name)))
    for name, value in role.env.items():
        source: DocPath = ("env", name)
        if isinstance(value, str):
            entries[name] = _text(name, value, source)
        else:
            entries[name] = _looked_up(name, value, source)
    return [entries[name] for name in ordered(entries)]


def _nccl(role: Experiment) -> dict[str, str]:
    return nccl_environment(role.nccl) if role.network.backend == "nccl" else {}


def ordered(entries: dict[str, Traced]) -> list[str]:
    """Return the names sorted, except that what `$(NAME)` refers to comes first.

    Kubernetes expands only variables that are defined before; a circle stays in sorted order.
    """
    done: dict[str, None] = {}

    def visit(name: str, above: frozenset[str]) -> None:
        if name in done or name in above:
            return
        for needed in _REFERENCE.findall(str(entries[name].get("value", ""))):
            if needed in entries:
                visit(needed, above | {name})
        done[name] = None

    for name in sorted(entries):
        visit(name, frozenset())
    return list(done)


def _text(name: str, text: Json, source: DocPath) -> Traced:
    return Traced(("name", name, source), ("value", text, source))


def _looked_up(name: str, value: EnvSource, source: DocPath) -> Traced:
    return Traced(("name", name, source), ("valueFrom", _value_from(value, source), source))


def _value_from(value: EnvSource, source: DocPath) -> Traced:
    optional = ("optional", value.optional or None, (*source, "optional"))
    key = ("key", value.key, (*source, "key"))
    if value.secret is not None:
        body = fields(("name", value.secret, (*source, "secret")), key, optional)
        return Traced(("secretKeyRef", body, source))
    if value.config_map is not None:
        body = fields(("name", value.config_map, (*source, "config_map")), key, optional)
        return Traced(("configMapKeyRef", body, source))
    if value.field is not None:
        body = fields(("fieldPath", value.field, (*source, "field")))
        return Traced(("fieldRef", body, source))
    body = fields(
        ("resource", value.resource, (*source, "resource")),
        ("divisor", value.divisor, (*source, "divisor")),
    )
    return Traced(("resourceFieldRef", body, source))


def env_from(job: Job, role: Experiment) -> list[Json]:
    """Return the sources of whole sets of variables; the job's own `config` comes last and wins."""
    entries = [_from(entry, ("env_from", index)) for index, entry in enumerate(role.env_from)]
    if job.experiment.config:
        name = Traced(("name", config_name(job), ("config",)))
        entries.append(Traced(("configMapRef", name, ("config",))))
    return [*entries]


def _from(entry: EnvFrom, source: DocPath) -> Traced:
    kind, name = ("secretRef", entry.secret) if entry.secret else ("configMapRef", entry.config_map)
    body = fields(
        ("name", name, (*source, "secret" if entry.secret else "config_map")),
        ("optional", entry.optional or None, (*source, "optional")),
    )
    return fields(("prefix", entry.prefix, (*source, "prefix")), (kind, body, source))
