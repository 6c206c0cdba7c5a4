"""Objects and the versions of an environment → what the schemas of those versions find in them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genjob.codes import Code
from genjob.crd.conformity import conformity
from genjob.crd.nulls import dropped_nulls, has_nulls, without_nulls
from genjob.crd.strict import is_group
from genjob.diagnostics import Finding, Severity, ToolError
from genjob.wording import one_of, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jsonschema.protocols import Validator

    from genjob.jsontypes import DocPath, Json, JsonObject

NO_SCHEMA = Code.NO_SCHEMA

OPERATOR_GROUP = "kubeflow.org"
"""The API group whose schemas are named by the version of the training operator."""

POD_TEMPLATES: dict[str, DocPath] = {
    "PyTorchJob": ("spec", "pytorchReplicaSpecs", "*", "template"),
}
"""Where each kind of job holds pod templates; `*` stands for every key of a mapping."""


def schemas_root() -> Path:
    """Return the folder of the schemas that came with us: in the wheel, else in the checkout."""
    package = Path(__file__).parent.parent
    packaged = package / "_schemas"
    return packaged if packaged.is_dir() else package.parent / "schemas"


@dataclass(frozen=True, slots=True)
class SchemaSet:
    """The folders in which schemas are looked for; the first one that has a file wins.

    Each name is looked for once.
    """

    roots: tuple[Path, ...] = field(default_factory=lambda: (schemas_root(),))
    _found: dict[str, Path | None] = field(default_factory=dict, init=False, compare=False)

    @classmethod
    def of(cls, workspace_schemas: Path) -> SchemaSet:
        """Return a workspace's own `schemas/` folder, then the schemas that came with us."""
        return cls((workspace_schemas, schemas_root()))

    def find(self, name: str) -> Path | None:
        """Return the file with this path below one of the folders, or None."""
        if name not in self._found:
            candidates = (root / name for root in self.roots)
            self._found[name] = next((path for path in candidates if path.is_file()), None)
        return self._found[name]

    def labels(self, pattern: str) -> list[str]:
        """Return what `*` stands for in the names that `pattern` matches, oldest version first."""
        head, tail = pattern.split("*")
        names = {
            path.relative_to(root).as_posix() for root in self.roots for path in root.glob(pattern)
        }
        labels = {name.removeprefix(head).removesuffix(tail) for name in names}
        return sorted(labels, key=_by_number)


def _by_number(label: str) -> list[tuple[int, str]]:
    return [(int(digits or 0), text) for digits, text in re.findall(r"(\d+)|(\D+)", label)]


def operator_versions(schemas: SchemaSet | None = None) -> list[str]:
    """Return the versions of the training operator that an environment can name, oldest first."""
    return (schemas or SchemaSet()).labels(f"{OPERATOR_GROUP}/pytorchjob-*.json")


def kubernetes_versions(schemas: SchemaSet | None = None) -> list[str]:
    """Return the Kubernetes versions that an environment can name, oldest first."""
    return (schemas or SchemaSet()).labels("kubernetes/*/podtemplate.json")


def check_objects(
    objects: Sequence[JsonObject],
    *,
    operator: str,
    kubernetes: str,
    schemas: SchemaSet | None = None,
) -> list[tuple[int, Finding]]:
    """Return what is wrong with each object, beside its index in `objects`.

    `operator` and `kubernetes` are versions such as '1.9' and '1.31'. A PyTorchJob is held against
    the operator's schema, its pod templates also against those of the Kubernetes version.

    Raises:
        ToolError: a schema file cannot be read.
    """
    target = _Target(operator, kubernetes, schemas or SchemaSet())
    return [(i, found) for i, body in enumerate(objects) for found in target.check(body)]


class _Target(NamedTuple):
    operator: str
    kubernetes: str
    schemas: SchemaSet

    def check(self, body: JsonObject) -> list[Finding]:
        group = str(body.get("apiVersion", "")).rpartition("/")[0]
        kind = str(body.get("kind", ""))
        path = self._schema_file(group, kind)
        if path is None:
            return [self._no_schema(group, kind)]
        if not has_nulls(body):
            return self._by_schemas(body, kind, path)
        found = self._by_schemas(without_nulls(body), kind, path)
        return [*found, *dropped_nulls(self._by_schemas(body, kind, path), found)]

    def _by_schemas(self, body: JsonObject, kind: str, path: Path) -> list[Finding]:
        findings = _read_schema(path).findings(body)
        reported = {_same(finding) for finding in findings}
        again = self._in_pod_templates(body, kind)
        return findings + [finding for finding in again if _same(finding) not in reported]

    def _schema_file(self, group: str, kind: str) -> Path | None:
        """Return the schema of a kind; of a group with versions of its own, the newest one."""
        name = kind.lower()
        if not name.isalnum() or (group and not is_group(group)):
            return None
        if not group:
            return self.schemas.find(f"kubernetes/{self.kubernetes}/{name}.json")
        if group == OPERATOR_GROUP:
            return self.schemas.find(f"{group}/{name}-{self.operator}.json")
        labels = self.schemas.labels(f"{group}/{name}-*.json")
        return self.schemas.find(f"{group}/{name}-{labels[-1]}.json") if labels else None

    def _no_schema(self, group: str, kind: str) -> Finding:
        for its_group, name, version, known in self._versions():
            if group == its_group and version not in known:
                message = f"no schemas of {name} {quoted(version)}"
                return Finding(NO_SCHEMA, ("kind",), message, f"known are {one_of(known)}")
        message = f"no schema of kind {quoted(kind)}, so its fields are not checked"
        hint = "for a kind that a CRD defines, run 'genjob schema vendor' on the CRD"
        return Finding(NO_SCHEMA, ("kind",), message, hint, Severity.WARNING)

    def _versions(self) -> Iterator[tuple[str, str, str, list[str]]]:
        yield OPERATOR_GROUP, "training operator", self.operator, operator_versions(self.schemas)
        yield "", "Kubernetes", self.kubernetes, kubernetes_versions(self.schemas)

    def _in_pod_templates(self, body: JsonObject, kind: str) -> Iterator[Finding]:
        path = self.schemas.find(f"kubernetes/{self.kubernetes}/podtemplate.json")
        if path is None or kind not in POD_TEMPLATES:
            return
        fate = f"Kubernetes {self.kubernetes} does not have it"
        seen: set[int] = set()  # roles may share a template, whose mistakes are those of the first
        for base, template in _at(body, POD_TEMPLATES[kind]):
            if id(template) not in seen:
                seen.add(id(template))
                yield from _read_schema(path).findings(template, base=base, fate=fate)


def _at(value: Json, route: DocPath, base: DocPath = ()) -> Iterator[tuple[DocPath, JsonObject]]:
    """Yield the mappings to which a route leads, each with its own path."""
    if not isinstance(value, dict):
        return
    if not route:
        yield base, value
        return
    for key in value if route[0] == "*" else [str(route[0])]:
        yield from _at(value.get(key), route[1:], (*base, key))


def _same(finding: Finding) -> tuple[str, DocPath, str]:
    """Return what two findings share when two schemas report one mistake."""
    is_missing = finding.code == Code.MISSING_FIELD
    return finding.code, finding.path, finding.message if is_missing else ""


class _Schema:
    """One schema: compiled code answers at once, and what it refuses is put into words."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._conforms = conformity(text)

    @cached_property
    def _validator(self) -> Validator:
        from genjob.crd.violations import compiled  # noqa: PLC0415 # see `findings`

        return compiled(json.loads(self._text))

    def findings(self, body: JsonObject, *, base: DocPath = (), fate: str = "") -> list[Finding]:
        """Return every mistake of an object that stands at `base`; see `violations.validate`."""
        if self._conforms(body):
            return []
        # jsonschema is imported for the first mistake: it takes longer than to check 100 jobs
        from genjob.crd.violations import DROPPED, validate  # noqa: PLC0415 # see above

        return validate(body, self._validator, base=base, fate=fate or DROPPED)


@lru_cache(maxsize=64)
def _read_schema(path: Path) -> _Schema:
    try:
        return _Schema(path.read_bytes())
    except (OSError, ValueError) as problem:
        raise ToolError(f"cannot read the schema '{path}': {problem}") from problem
