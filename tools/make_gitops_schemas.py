"""Two npm packages → the schemas of the objects that we render for Argo CD and Flux.

The packages are pinned by version and hash, and are kept in `.venv/npm` once fetched; nothing of
them is run. Only their types are read, so this is a step for a new version, not for every day.

Usage: python -m tools.make_gitops_schemas
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from genjob.crd.strict import identified, schema_text
from tools.declarations import Declarations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tools.declarations import Schema

ROOT = Path(__file__).parent.parent
SCHEMAS = ROOT / "schemas"
STORE = ROOT / ".venv" / "npm"


@dataclass(frozen=True)
class Package:
    """An npm package of the scope `@kubernetes-models`, one version."""

    name: str
    version: str
    sha512: str

    @property
    def spec(self) -> str:
        """The package as npm names it."""
        return f"@kubernetes-models/{self.name}@{self.version}"

    @property
    def archive(self) -> Path:
        """Where it is once it was fetched."""
        return STORE / f"kubernetes-models-{self.name}-{self.version}.tgz"


ARGO_CD = Package(
    "argo-cd",
    "4.0.0",
    "xzgoF4x2iXJdbkOywP1tpZTzUzAU2dQ/LKBWHQKCupH/AQkJIgtv9J79+Vti5z4in/Kr6sUyCMBwDIF6YVWRfw==",
)
FLUX = Package(
    "flux-cd",
    "4.0.0",
    "/C/WIRCMUHhZLWzJk2oUW8VunCvd3FeRdU4MNxp4Skpc6Ny1SFFJWgpArhoRqWeEnSYpOd2a9a18D9tw4Gx23Q==",
)


@dataclass(frozen=True)
class Root:
    """A kind that we render: where its `spec` is declared, and what the package does not say."""

    package: Package
    api_version: str
    kind: str
    go_package: str
    known_better: Mapping[str, Schema] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The name of its schema, from the folder of the schemas."""
        group, version = self.api_version.split("/")
        return f"{group}/{self.kind.lower()}-{version}.json"


DURATION: Schema = {"type": "string", "pattern": r"^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$"}
TEXTS: Schema = {"type": "object", "additionalProperties": {"type": "string"}}

SELECTOR = ("group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector")
IGNORE_RULE: Schema = {
    "type": "object",
    "additionalProperties": False,
    "required": ["paths"],
    "properties": {
        "paths": {"type": "array", "items": {"type": "string"}},
        "target": {
            "type": "object",
            "additionalProperties": False,
            "properties": {name: {"type": "string"} for name in SELECTOR},
        },
    },
}

_ARGO_TYPES = "ComGithubArgoprojArgoCdV3PkgApisApplicationV1alpha1"
ROOTS = (
    Root(ARGO_CD, "argoproj.io/v1alpha1", "AppProject", _ARGO_TYPES),
    Root(ARGO_CD, "argoproj.io/v1alpha1", "ApplicationSet", _ARGO_TYPES),
    Root(
        FLUX,
        "kustomize.toolkit.fluxcd.io/v1",
        "Kustomization",
        "ComGithubFluxcdKustomizeControllerApiV1",
        # Source: kustomize-controller 1.9 api/v1/kustomization_types.go; `ignore` is new in 1.9.
        {
            "interval": DURATION,
            "retryInterval": DURATION,
            "timeout": DURATION,
            "ignore": {"type": "array", "items": IGNORE_RULE},
        },
    ),
    Root(
        FLUX,
        "source.toolkit.fluxcd.io/v1",
        "GitRepository",
        "ComGithubFluxcdSourceControllerApiV1",
        # Source: source-controller 1.9 api/v1/gitrepository_types.go.
        {
            "interval": DURATION,
            "url": {"type": "string", "pattern": "^(http|https|ssh)://.*$"},
        },
    ),
)

OWN: Mapping[str, Schema] = {
    "IoK8sApiextensionsApiserverPkgApisApiextensionsV1JSON": {},
    "IoK8sApimachineryPkgApisMetaV1LabelSelector": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "matchLabels": TEXTS,
            "matchExpressions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["key", "operator"],
                    "properties": {
                        "key": {"type": "string"},
                        "operator": {"type": "string"},
                        "values": {"type": "array", "items": {"type": "string"}},
                    },
                },
            },
        },
    },
    "IoK8sApimachineryPkgRuntimeRawExtension": {"type": "object"},
    "IoK8sApimachineryPkgUtilIntstrIntOrString": {"type": ["integer", "string"]},
}
"""The types of Kubernetes that these packages refer to."""


def main() -> int:
    """Fetch what is missing, write the schemas; return the exit code."""
    for package in (ARGO_CD, FLUX):
        if not package.archive.is_file():
            fetch(package)
    made = schemas()
    for name, text in made.items():
        (SCHEMAS / name).parent.mkdir(parents=True, exist_ok=True)
        (SCHEMAS / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(made)} schemas, {sum(map(len, made.values()))} bytes")
    return 0


def fetch(package: Package) -> None:
    """Put the archive of a package into the store.

    Raises:
        FileNotFoundError: there is no npm.
        subprocess.CalledProcessError: npm could not fetch it.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm is not on the PATH; it fetches what the schemas are made from")
    STORE.mkdir(parents=True, exist_ok=True)
    command = [npm, "pack", "--silent", "--pack-destination", str(STORE), package.spec]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 # fixed words


def schemas() -> dict[str, str]:
    """Return name → text of each schema; the packages must be in the store.

    Raises:
        ValueError: an archive is not the pinned one, or has types in an unknown form.
    """
    declared = {each: Declarations(texts(each)) for each in (ARGO_CD, FLUX)}
    return {root.file: schema_of(root, declared[root.package]) for root in ROOTS}


def texts(package: Package) -> Iterator[str]:
    """Yield the type declarations of a package."""
    digest = hashlib.sha512(package.archive.read_bytes()).digest()
    if base64.b64encode(digest).decode() != package.sha512:
        raise ValueError(f"{package.archive} is not {package.spec}")
    with tarfile.open(package.archive) as archive:
        for member in archive:
            held = archive.extractfile(member) if member.name.endswith(".d.ts") else None
            if held is not None:
                yield held.read().decode()


def schema_of(root: Root, declared: Declarations) -> str:
    """Return the text of the schema of a kind; `status` is the controllers', so it is refused."""
    spec, shared = declared.schema(f"{root.go_package}{root.kind}Spec", OWN)
    spec["properties"] |= root.known_better
    schema: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"spec": spec},
        "required": ["metadata", "spec"],
        "$defs": shared,
        "$comment": f"made by tools/make_gitops_schemas.py from the types of {root.package.spec}",
    }
    return schema_text(identified(schema, root.api_version, root.kind))


if __name__ == "__main__":
    sys.exit(main())
