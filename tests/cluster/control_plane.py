"""Three programs → a cluster on loopback with etcd, the API server and the training operator.

There is no kubelet, no scheduler and no controller manager: what a pod does, a test writes into its
status. Ports, certificates, tokens and data are made for one run and thrown away with it.
"""

from __future__ import annotations

import base64
import os
import secrets
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import requests
import trustme

from genjob.kustomize.output import read_documents
from genjob.rules.walk import as_list, as_object, get
from genjob.yamltext import to_yaml
from tests.cluster.api import Cluster, eventually
from tests.cluster.processes import LOOPBACK, free_ports, running, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.jsontypes import JsonObject
    from tests.cluster.build import Programs

NAMESPACE = "kubeflow"
USERS = {
    "admin": ("admin", "system:masters"),
    "operator": (
        f"system:serviceaccount:{NAMESPACE}:training-operator",
        "system:serviceaccounts,system:authenticated",
    ),
}
"""Who has a kubeconfig, as whom, and in which groups; the operator has the rights it comes with."""

WEBHOOK_FOLDER = Path("k8s-webhook-server/serving-certs")
WEBHOOK_SECRET = "training-operator-webhook-cert"  # noqa: S105 # the name of an object
MARKER = Path("/tmp") / WEBHOOK_FOLDER / "tls.crt"  # noqa: S108 # the operator's own constant
"""A file that the operator waits for, at a place that no option changes. What it serves with is
read below TMPDIR, so this file may be empty.

Source: training-operator v1.9.3 pkg/cert/cert.go; controller-runtime v0.19.1
pkg/webhook/server.go.
"""

_NOT_RUN_HERE = ("Deployment",)


@contextmanager
def control_plane(made: Programs, folder: Path) -> Iterator[Cluster]:
    """Run a cluster whose files are below `folder`, and end it with the block."""
    with ExitStack() as stack:
        etcd = stack.enter_context(_etcd(made, folder))
        cluster = stack.enter_context(_api_server(made, folder, etcd))
        stack.enter_context(_operator(made, folder, cluster))
        yield cluster


@contextmanager
def _etcd(made: Programs, folder: Path) -> Iterator[str]:
    client, peer = (f"http://{LOOPBACK}:{port}" for port in free_ports(2))
    argv: list[str | Path] = [
        made["etcd"],
        f"--data-dir={folder / 'etcd'}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        "--unsafe-no-fsync",
    ]
    with running(argv, folder / "etcd.log", os.environ) as process:
        until(lambda: _is_healthy(f"{client}/health"), "etcd", process, folder / "etcd.log")
        yield client


@contextmanager
def _api_server(made: Programs, folder: Path, etcd: str) -> Iterator[Cluster]:
    (port,) = free_ports(1)
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.crt")
    leaf = authority.issue_cert(LOOPBACK, "localhost")
    leaf.private_key_pem.write_to_path(folder / "server.key")
    (folder / "server.crt").write_bytes(b"".join(pem.bytes() for pem in leaf.cert_chain_pems))
    tokens = {who: secrets.token_hex(16) for who in USERS}
    rows = [f'{tokens[who]},{name},{name},"{groups}"\n' for who, (name, groups) in USERS.items()]
    (folder / "tokens.csv").write_text("".join(rows), encoding="utf-8")
    url, log = f"https://{LOOPBACK}:{port}", folder / "kube-apiserver.log"
    for who, token in tokens.items():
        _kubeconfig(folder, who).write_text(_access(folder, url, token), encoding="utf-8")
    cluster = Cluster(url, folder / "ca.crt", tokens["admin"], _kubeconfig(folder, "admin"))
    argv: list[str | Path] = [made["kube-apiserver"], *_options(folder)]
    argv += [f"--secure-port={port}", f"--etcd-servers={etcd}"]
    with running(argv, log, os.environ) as process:
        until(cluster.is_ready, "kube-apiserver", process, log)
        yield cluster


def _options(folder: Path) -> list[str]:
    return [
        f"--bind-address={LOOPBACK}",
        f"--advertise-address={LOOPBACK}",
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.0.0.0/16",
        "--authorization-mode=RBAC",
        "--allow-privileged=true",  # as every installer of Kubernetes has it
        f"--cert-dir={folder}",
        f"--tls-cert-file={folder / 'server.crt'}",
        f"--tls-private-key-file={folder / 'server.key'}",
        f"--token-auth-file={folder / 'tokens.csv'}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={folder / 'server.key'}",
        f"--service-account-signing-key-file={folder / 'server.key'}",
    ]


@contextmanager
def _operator(made: Programs, folder: Path, cluster: Cluster) -> Iterator[None]:
    health, webhook = free_ports(2)
    _install(made, cluster, webhook)
    scratch, log = folder / "operator", folder / "training-operator.log"
    (scratch / WEBHOOK_FOLDER).parent.mkdir(parents=True)
    environ = {
        "KUBECONFIG": str(_kubeconfig(folder, "operator")),
        "MY_POD_NAMESPACE": NAMESPACE,
        "TMPDIR": str(scratch),
    }
    argv: list[str | Path] = [
        made["training-operator"],
        "--metrics-bind-address=0",
        f"--health-probe-bind-address={LOOPBACK}:{health}",
        f"--webhook-server-port={webhook}",
    ]

    def serves() -> bool:
        _mount_certificate(cluster, scratch)
        return _is_healthy(f"http://{LOOPBACK}:{health}/readyz")

    with running(argv, log, environ) as process:
        try:
            until(serves, "training-operator", process, log)
        finally:
            _remove_marker()
        yield


def _install(made: Programs, cluster: Cluster, webhook: int) -> None:
    """Install the operator from its own manifests, but for its Deployment: that is a process here.

    The API server reaches the webhook through the operator's Service. It has no pods to lead to,
    so it is a name for this machine, on the port that the operator listens on.
    """
    bodies = [as_object(each) for each in read_documents(made.installation.read_text("utf-8"))]
    definitions = [body for body in bodies if body["kind"] == "CustomResourceDefinition"]
    cluster.new_namespace(NAMESPACE)
    for body in definitions:
        cluster.provide(body)
    for body in definitions:
        _await_kind(cluster, body)
    for body in bodies:
        _at_home(body, webhook)
        if body["kind"] not in (*_NOT_RUN_HERE, "CustomResourceDefinition"):
            cluster.provide(body)


def _await_kind(cluster: Cluster, definition: JsonObject) -> None:
    """Wait until the objects of a definition can be stored: the operator gives up without them."""
    group, kind = (str(get(definition, "spec", *path)) for path in (("group",), ("names", "kind")))
    assert eventually(lambda: cluster.serves(f"{group}/v1", kind), bool), f"{kind} is not served"


def _at_home(body: JsonObject, webhook: int) -> None:
    """Let the webhook be found on this machine."""
    if body["kind"] == "Service":
        body["spec"] = {"type": "ExternalName", "externalName": "localhost"}
    if body["kind"] == "ValidatingWebhookConfiguration":
        for each in as_list(body["webhooks"]):
            as_object(get(each, "clientConfig", "service"))["port"] = webhook


def _mount_certificate(cluster: Cluster, scratch: Path) -> None:
    """Put the certificate that the operator made where it reads it, as a kubelet would: whole.

    The operator makes it twice when it starts, and ends when it reads a half of each.
    """
    secret = cluster.get(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": WEBHOOK_SECRET, "namespace": NAMESPACE},
        }
    )
    version = scratch / f"secret-{get(secret, 'metadata', 'resourceVersion')}"
    data = as_object(get(secret, "data"))
    if {"tls.crt", "tls.key"} <= data.keys() and not version.exists():
        version.mkdir()
        for name in ("tls.crt", "tls.key"):
            (version / name).write_bytes(base64.b64decode(str(data[name])))
        link = scratch / "link"
        link.symlink_to(version)
        link.replace(scratch / WEBHOOK_FOLDER)
    if version.exists():
        MARKER.parent.mkdir(parents=True, exist_ok=True)
        MARKER.touch()


def _remove_marker() -> None:
    """Leave nothing behind; another run of these tests makes its own as long as it needs it."""
    MARKER.unlink(missing_ok=True)
    for folder in (MARKER.parent, MARKER.parent.parent):
        with suppress(OSError):  # it is not there, or somebody else's file is in it
            folder.rmdir()


def _kubeconfig(folder: Path, who: str) -> Path:
    return folder / f"{who}.kubeconfig"


def _access(folder: Path, url: str, token: str) -> str:
    """Return the text of a kubeconfig."""
    body: JsonObject = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "rig",
        "contexts": [{"name": "rig", "context": {"cluster": "rig", "user": "rig"}}],
        "clusters": [
            {
                "name": "rig",
                "cluster": {"server": url, "certificate-authority": str(folder / "ca.crt")},
            }
        ],
        "users": [{"name": "rig", "user": {"token": token}}],
    }
    return to_yaml(body)


def _is_healthy(url: str) -> bool:
    with suppress(requests.ConnectionError):
        return requests.get(url, timeout=5).ok
    return False
