"""A container of a predicted pod → what its process reads of each variable, and who set it.

Source: kubernetes v1.31, pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables, and
https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from genjob.rules.walk import as_list, as_object, as_str, get, parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from genjob.jsontypes import JsonObject

Known: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""Name of a ConfigMap → its data."""

_REFERENCE: Final = re.compile(r"\$(?:\$|\(([^()]*)\))")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a process reads of one variable.

    `text` is None where the value is looked up when the pod starts. The setting is made by entry
    `entry` of `env`, or else by source `source` of `envFrom`. `beaten` are the entries of the same
    name before it, which nobody reads.
    """

    name: str
    text: str | None
    entry: int | None = None
    source: int | None = None
    beaten: tuple[int, ...] = ()


def effective_settings(container: JsonObject, known: Known | None = None) -> dict[str, Setting]:
    """Return what a process of a container reads, by name, in the order of the first mention.

    `env` beats `envFrom`, and the last entry of a name beats those before it; `$(NAME)` means a
    variable that was set before. Variables of the image, and of sources that are not `known`, are
    not seen.
    """
    found = {setting.name: setting for setting in _from_sources(container, known or {})}
    for index, entry in enumerate(as_list(container.get("env"))):
        fields = as_object(entry)
        name = as_str(fields.get("name"))
        if name is None:
            continue
        before = found.get(name)
        beaten = () if before is None or before.entry is None else (*before.beaten, before.entry)
        found[name] = Setting(name, _text(fields, found, known or {}), entry=index, beaten=beaten)
    return found


def own_entries(written: JsonObject) -> int:
    """Return how many variables a person wrote; those behind them are the operator's."""
    return len(as_list(written.get("env")))


def unread_sources(container: JsonObject, known: Known | None = None) -> Iterator[str]:
    """Yield the sources of `envFrom` whose variables are not known: `ConfigMap 'shared'`."""
    for _, source in parts((), container.get("envFrom")):
        for field, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
            name = as_str(get(source, field, "name"))
            if name is not None and not (kind == "ConfigMap" and name in (known or {})):
                yield f"{kind} '{name}'"


def _from_sources(container: JsonObject, known: Known) -> Iterator[Setting]:
    for index, source in enumerate(as_list(container.get("envFrom"))):
        prefix = as_str(get(source, "prefix")) or ""
        data = known.get(as_str(get(source, "configMapRef", "name")) or "", {})
        for key, text in data.items():
            yield Setting(prefix + key, text, source=index)


def _text(entry: JsonObject, before: Mapping[str, Setting], known: Known) -> str | None:
    """Return the value of an entry; None for one that is looked up later."""
    looked_up = entry.get("valueFrom")
    if isinstance(looked_up, dict):
        data = known.get(as_str(get(looked_up, "configMapKeyRef", "name")) or "", {})
        return data.get(as_str(get(looked_up, "configMapKeyRef", "key")) or "")
    return _REFERENCE.sub(lambda match: _expanded(match, before), as_str(entry.get("value")) or "")


def _expanded(match: re.Match[str], before: Mapping[str, Setting]) -> str:
    """Return what stands for `$$` or `$(NAME)`; a name that is not known stays as it is."""
    if match[1] is None:
        return "$"
    setting = before.get(match[1])
    return match[0] if setting is None or setting.text is None else setting.text
