"""The go.mod beside this file → etcd, kube-apiserver and the training operator, as programs.

They are built once, into `.cache/cluster/<digest of go.mod and go.sum>/` of the checkout: `make
test-cluster` does it. Nothing else is written but the caches of Go itself.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from genjob.kustomize.engine import build_text, find_engine

MODULE = Path(__file__).parent
CHECKOUT = MODULE.parent.parent
OPERATOR = "github.com/kubeflow/training-operator"
KUBERNETES = "k8s.io/kubernetes"

PROGRAMS = {
    "etcd": "go.etcd.io/etcd/server/v3",
    "training-operator": f"{OPERATOR}/cmd/training-operator.v1",
    "kube-apiserver": f"{KUBERNETES}/cmd/kube-apiserver",
}
"""Name of a program → the package that it is built from; go.mod names the same under `tool`."""

INSTALLATION = "manifests/overlays/standalone"
"""The folder of the operator's module that people install it from."""

_BUILD = ("build", "-p=2", "-trimpath", "-mod=readonly", "-buildvcs=false")
_OWN_WAY = {"GOFLAGS": "", "GOWORK": "off", "CGO_ENABLED": "0"}
"""What a user's settings of Go must not change; without cgo no C compiler is needed."""


@dataclass(frozen=True)
class Programs:
    """A folder with the three programs, and the manifests that the operator is installed by."""

    folder: Path

    @property
    def installation(self) -> Path:
        """The operator's manifests, as Kustomize builds them from its own module."""
        return self.folder / "operator.yaml"

    @property
    def are_there(self) -> bool:
        """Whether everything was built; the manifests are written last."""
        return self.installation.is_file()

    def __getitem__(self, name: str) -> Path:
        """Return the path of one program."""
        return self.folder / name


def programs() -> Programs:
    """Return the programs of these versions, whether they are built yet or not."""
    pinned = b"".join((MODULE / name).read_bytes() for name in ("go.mod", "go.sum"))
    digest = hashlib.sha256(pinned).hexdigest()[:16]
    return Programs(CHECKOUT / ".cache" / "cluster" / digest)


def version_of(module: str) -> str:
    """Return the version that go.mod pins a module to: `v1.31.14`."""
    found = re.search(rf"^\t{module} (v\S+)$", (MODULE / "go.mod").read_text("utf-8"), re.MULTILINE)
    assert found is not None, f"go.mod does not require {module}"
    return found[1]


def build(made: Programs) -> None:
    """Build what is missing; `go` must be on the PATH.

    Raises:
        subprocess.CalledProcessError: when a build fails, after its own words on standard error.
    """
    made.folder.mkdir(parents=True, exist_ok=True)
    for name, package in PROGRAMS.items():
        if not made[name].is_file():
            began = time.monotonic()
            _go(*_BUILD, f"-ldflags={_flags()}", "-o", f"{made[name]}.part", package)
            Path(f"{made[name]}.part").replace(made[name])
            print(f"built {name} in {time.monotonic() - began:.0f} s", flush=True)
    module = _go("list", "-m", "-f", "{{.Dir}}", OPERATOR).strip()
    text = build_text(find_engine(os.environ), Path(module) / INSTALLATION)
    made.installation.write_text(text, encoding="utf-8")


def _flags() -> str:
    """Return what the release builds of Kubernetes tell the linker: its version."""
    version = version_of(KUBERNETES)
    major, minor, _ = version.removeprefix("v").split(".")
    said = {"gitVersion": version, "gitMajor": major, "gitMinor": minor}
    return " ".join(
        ["-s -w", *(f"-X k8s.io/component-base/version.{k}={v}" for k, v in said.items())]
    )


def _go(*words: str) -> str:
    argv = ["go", *words]
    ran = subprocess.run(
        argv, cwd=MODULE, env={**os.environ, **_OWN_WAY}, stdout=subprocess.PIPE, check=True
    )
    return ran.stdout.decode()


def main() -> None:
    """Build the programs, unless they are there."""
    made = programs()
    if made.are_there:
        return
    if shutil.which("go") is None:
        sys.exit("the cluster tests build their cluster with Go, and there is no 'go' on the PATH")
    try:
        build(made)
    except subprocess.CalledProcessError as error:
        sys.exit(f"the cluster cannot be built: {error}")


if __name__ == "__main__":
    main()
