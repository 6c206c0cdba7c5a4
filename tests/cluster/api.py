"""Objects → requests to the API server, and what it answers: the object, and its warnings.

Applying is what Argo CD and Flux do: server-side, as one field manager, with strict validation of
fields, so that what would be dropped without a word is refused.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import requests

from genjob.manifest import identity
from genjob.rules.walk import as_list, as_object, get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from genjob.jsontypes import Json, JsonObject

MANAGER = "gitops"
JSON = "application/json"
ACCEPT = f"{JSON};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,{JSON}"
"""Where the server is asked what it serves, all at once; elsewhere just JSON."""

APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
PYTORCHJOBS = "kubeflow.org/v1/PyTorchJob"

_CREATED, _FOUND, _NOT_FOUND = 201, 200, 404
_PATIENCE_S = 30.0
_TIMEOUT_S = 30.0

_WARNING = re.compile(r'299 \S+ "((?:[^"\\]|\\.)*)"')
"""One warning of an answer; a header has several, separated by commas."""

_T = TypeVar("_T")


class Answer(NamedTuple):
    """What the API server says: the HTTP status, an object or the reason, and the warnings."""

    status: int
    body: JsonObject
    warnings: tuple[str, ...]

    @property
    def is_accepted(self) -> bool:
        """Whether the server did what was asked."""
        return self.status in {_FOUND, _CREATED}

    @property
    def message(self) -> str:
        """The reason of a refusal."""
        return str(self.body.get("message", ""))


class Kind(NamedTuple):
    """How the server calls objects of one kind."""

    folder: str
    plural: str
    is_namespaced: bool


@dataclass
class Cluster:
    """A running API server, with the rights of an administrator.

    `kubeconfig` is for kubectl; `namespaces` are those that exist.
    """

    url: str
    authority: Path
    token: str = field(repr=False)
    kubeconfig: Path
    namespaces: set[str] = field(default_factory=set)

    @cached_property
    def _session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = False  # no proxy, no netrc
        session.verify = str(self.authority)
        session.headers["Accept"] = ACCEPT
        session.headers["Authorization"] = f"Bearer {self.token}"
        return session

    @cached_property
    def _kinds(self) -> dict[tuple[str, str], Kind]:
        return {}

    def is_ready(self) -> bool:
        """Tell whether the server answers and has done what it does at its start."""
        try:
            return self._request("GET", "/readyz").status == _FOUND
        except requests.ConnectionError:
            return False

    def apply(self, body: JsonObject, *, dry_run: bool = False) -> Answer:
        """Apply an object as a GitOps engine does."""
        options = {"fieldManager": MANAGER, "fieldValidation": "Strict", "force": "true"}
        if dry_run:
            options["dryRun"] = "All"
        path = f"{self._folder_of(body)}/{identity(body).name}"
        return self._request("PATCH", path, body, options, APPLY)

    def create(self, body: JsonObject, *, dry_run: bool = False) -> Answer:
        """Create an object as a controller does."""
        options = {"fieldValidation": "Strict"} | ({"dryRun": "All"} if dry_run else {})
        return self._request("POST", self._folder_of(body), body, options)

    def get(self, body: JsonObject) -> JsonObject | None:
        """Return an object as it is stored now, found by its kind, namespace and name."""
        answer = self._request("GET", f"{self._folder_of(body)}/{identity(body).name}")
        assert answer.status in {_FOUND, _NOT_FOUND}, answer
        return answer.body if answer.is_accepted else None

    def items(self, kind: str, namespace: str, labels: str = "") -> list[JsonObject]:
        """Return the objects of a kind (`v1/Pod`) in a namespace, by name."""
        options = {"labelSelector": labels} if labels else {}
        api_version, _, name = kind.rpartition("/")
        answer = self._request("GET", self._folder(api_version, name, namespace), options=options)
        assert answer.is_accepted, answer
        own: JsonObject = {"apiVersion": api_version, "kind": name}  # a list says it once
        found = [own | as_object(each) for each in as_list(answer.body.get("items"))]
        return sorted(found, key=lambda each: str(get(each, "metadata", "name")))

    def delete(self, body: JsonObject) -> Answer:
        """Delete an object at once."""
        path = f"{self._folder_of(body)}/{identity(body).name}"
        return self._request("DELETE", path, options={"gracePeriodSeconds": "0"})

    def merge(self, body: JsonObject, change: JsonObject, *, subresource: str = "") -> JsonObject:
        """Merge a change into a stored object, or into its `/status`."""
        path = f"{self._folder_of(body)}/{identity(body).name}{subresource}"
        answer = self._request("PATCH", path, change, {}, MERGE)
        assert answer.is_accepted, answer
        return answer.body

    def new_namespace(self, name: str) -> str:
        """Make a namespace, with the account that a controller manager would make in it."""
        if name not in self.namespaces:
            self.provide({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
            metadata: JsonObject = {"name": "default", "namespace": name}
            self.provide({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata})
            self.namespaces.add(name)
        return name

    def provide(self, body: JsonObject) -> None:
        """Make an object that a test needs, unless it is there."""
        answer = self.apply(body)
        assert answer.is_accepted, answer

    def _folder_of(self, body: JsonObject) -> str:
        which = identity(body)
        return self._folder(which.api_version, which.kind, which.namespace)

    def _folder(self, api_version: str, kind: str, namespace: str) -> str:
        assert self.serves(api_version, kind), f"{api_version} {kind} is not known here"
        found = self._kinds[api_version, kind]
        inside = f"/namespaces/{namespace}" if found.is_namespaced else ""
        return f"{found.folder}{inside}/{found.plural}"

    def serves(self, api_version: str, kind: str) -> bool:
        """Tell whether the server knows a kind, as clients find out that start now."""
        if (api_version, kind) not in self._kinds:
            self._kinds.update(row for root in ("/api", "/apis") for row in self._served(root))
        return (api_version, kind) in self._kinds

    def _served(self, root: str) -> Iterator[tuple[tuple[str, str], Kind]]:
        """Yield the kinds of aggregated discovery, which is what controllers read."""
        for group in _parts(self._request("GET", root).body, "items"):
            prefix = str(get(group, "metadata", "name") or "")
            for version in _parts(group, "versions"):
                api_version = f"{prefix}/{version['version']}".removeprefix("/")
                for entry in _parts(version, "resources"):
                    is_namespaced = entry["scope"] == "Namespaced"
                    known = Kind(f"{root}/{api_version}", str(entry["resource"]), is_namespaced)
                    yield (api_version, str(get(entry, "responseKind", "kind"))), known

    def _request(
        self,
        method: str,
        path: str,
        body: Json = None,
        options: dict[str, str] | None = None,
        content_type: str = JSON,
    ) -> Answer:
        answered = self._session.request(
            method,
            self.url + path,
            params=options,
            data=None if body is None else json.dumps(body, ensure_ascii=False).encode(),
            headers={"Content-Type": content_type},
            timeout=_TIMEOUT_S,
        )
        is_json = answered.headers.get("Content-Type", "").startswith(JSON)
        said: JsonObject = {"message": answered.text}
        if is_json:
            said = as_object(answered.json())
        warnings = _WARNING.findall(answered.headers.get("Warning", ""))
        return Answer(answered.status_code, said, tuple(warnings))


def _parts(body: JsonObject, field: str) -> list[JsonObject]:
    """Return the mappings in a list of an answer."""
    return [as_object(each) for each in as_list(body.get(field))]


def eventually(found: Callable[[], _T], holds: Callable[[_T], bool]) -> _T:
    """Return what is found as soon as it holds, or what was found last: the test then says so."""
    deadline = time.monotonic() + _PATIENCE_S
    while not holds(last := found()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return last
