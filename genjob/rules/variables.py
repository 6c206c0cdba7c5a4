"""The variables that containers get → those that NCCL, PyTorch or a fabric reads otherwise.

One function for `env` and one for ConfigMaps, because one check, of `genjob.variables`, names all
that can be wrong with a variable: at most one thing at a time, each with its own severity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.diagnostics import Finding
from genjob.rules.walk import as_object, as_str, container_parts, get, texts
from genjob.variables import check_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.jsontypes import DocPath, JsonObject
    from genjob.variables import Problem


def in_env(job: JsonObject) -> Iterator[Finding]:
    """Yield what is wrong with the variables in the `env` of a job's containers.

    Of a variable that is looked up when the pod starts, only the name is known.
    """
    for path, entry in container_parts(job, "env"):
        name = as_str(entry.get("name"))
        text = None if "valueFrom" in entry else as_str(entry.get("value", ""))
        if name and (problem := check_text(name, text)) is not None:
            yield _finding((*path, "name" if problem.at_key else "value"), problem)


def in_config_maps(objects: Sequence[JsonObject]) -> Iterator[tuple[int, Finding]]:
    """Yield what is wrong with the ConfigMaps that containers of these objects get as variables.

    Each comes with the index of its ConfigMap.
    """
    prefixes = {pair for body in objects for pair in _env_from(body)}
    for index, body in enumerate(objects):
        is_map = body.get("kind") == "ConfigMap"
        own = get(body, "metadata", "name") if is_map else None
        for prefix in sorted(prefix for name, prefix in prefixes if name == own):
            for path, text in texts(("data",), body.get("data")):
                problem = check_text(f"{prefix}{path[-1]}", text)
                if problem is not None:
                    yield index, _finding(path, problem)


def _env_from(body: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the names of ConfigMaps that become variables, and the prefix that they get."""
    for _, entry in container_parts(body, "envFrom"):
        name = as_str(as_object(entry.get("configMapRef")).get("name"))
        if name is not None:
            yield name, as_str(entry.get("prefix")) or ""


def _finding(path: DocPath, problem: Problem) -> Finding:
    is_key = problem.at_key and path[-1] != "name"  # the name of a variable in `env` is a value
    return Finding(
        problem.code, path, problem.message, problem.hint, problem.severity, at_key=is_key
    )
