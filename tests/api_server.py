"""Objects of a cluster → an HTTP server that answers kubectl as an API server does.

It knows discovery and lists, which is all that reading takes; kubectl itself is the real one.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from genjob.jsontypes import Json, JsonObject


@dataclass(frozen=True)
class Kind:
    """A resource of the API: where it is served, and its objects."""

    version: str
    plural: str
    name: str
    items: list[JsonObject] = field(default_factory=list)
    is_namespaced: bool = False

    @property
    def root(self) -> str:
        """The path of its group and version."""
        return f"/apis/{self.version}" if "/" in self.version else f"/api/{self.version}"


@dataclass(frozen=True)
class FakeCluster:
    """What a server knows; `forbidden` are plurals that may not be listed, or paths of them."""

    kinds: list[Kind]
    version: str = "v1.31.4"
    forbidden: frozenset[str] = frozenset()

    def answer(self, path: str) -> tuple[int, JsonObject]:
        """Return status and body of a request."""
        fixed: dict[str, JsonObject] = {
            "/version": {"gitVersion": self.version},
            "/api": self._core(),
        }
        if path in fixed:
            return 200, fixed[path]
        if path == "/apis":
            return 200, self._groups()
        if any(kind.root == path for kind in self.kinds):
            return 200, self._resources(path)
        return self._list(path)

    def _core(self) -> JsonObject:
        return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}

    def _groups(self) -> JsonObject:
        versions = sorted({kind.version for kind in self.kinds if "/" in kind.version})
        groups: list[Json] = [
            {
                "name": each.partition("/")[0],
                "versions": [{"groupVersion": each, "version": each.partition("/")[2]}],
                "preferredVersion": {"groupVersion": each, "version": each.partition("/")[2]},
            }
            for each in versions
        ]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}

    def _resources(self, path: str) -> JsonObject:
        resources: list[Json] = [
            {
                "name": kind.plural,
                "singularName": kind.name.lower(),
                "kind": kind.name,
                "namespaced": kind.is_namespaced,
                "verbs": ["get", "list"],
            }
            for kind in self.kinds
            if kind.root == path
        ]
        version = path.removeprefix("/apis/").removeprefix("/api/")
        return {"kind": "APIResourceList", "groupVersion": version, "resources": resources}

    def _list(self, path: str) -> tuple[int, JsonObject]:
        for kind in self.kinds:
            scope = path.removeprefix(kind.root).removesuffix(f"/{kind.plural}")
            if not path.startswith(kind.root) or not path.endswith(f"/{kind.plural}"):
                continue
            if kind.plural in self.forbidden and not scope:
                return 403, _status(403, "Forbidden", f"{kind.plural} is forbidden")
            if path in self.forbidden:
                return 403, _status(403, "Forbidden", f"{kind.plural} is forbidden")
            namespace = scope.removeprefix("/namespaces/")
            items = [each for each in kind.items if _namespace(each) == namespace or not scope]
            head: JsonObject = {"kind": f"{kind.name}List", "apiVersion": kind.version}
            return 200, {**head, "metadata": {"resourceVersion": "1"}, "items": [*items]}
        return 404, _status(404, "NotFound", "the server could not find the requested resource")


def _namespace(item: JsonObject) -> object:
    metadata = item.get("metadata")
    return metadata.get("namespace") if isinstance(metadata, dict) else None


def _status(code: int, reason: str, message: str) -> JsonObject:
    head: JsonObject = {"kind": "Status", "apiVersion": "v1", "status": "Failure"}
    return {**head, "code": code, "reason": reason, "message": message}


@contextmanager
def serving(cluster: FakeCluster, folder: Path) -> Iterator[dict[str, str]]:
    """Serve a cluster; give the variables with which kubectl talks to it, from `folder` alone."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = cluster.answer(self.path.partition("?")[0])
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing: the output is that of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield _variables(server.server_port, folder)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _variables(port: int, folder: Path) -> dict[str, str]:
    config: JsonObject = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "test",
        "clusters": [{"name": "test", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": ""}}],
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "kubeconfig"
    file.write_text(json.dumps(config), encoding="utf-8")
    return {"KUBECONFIG": str(file), "KUBECACHEDIR": str(folder / "cache"), "HOME": str(folder)}
