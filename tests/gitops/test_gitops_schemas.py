"""The schemas of Argo CD's and Flux's objects, beside the CRDs of those projects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from genjob.crd.library import schemas_root
from genjob.crd.strict import schema_from_crd
from genjob.crd.violations import compiled, validate
from genjob.gitops.wiring import ENGINES
from tests.gitops.samples import SAMPLES, object_of, objects, rendered
from tests.test_schema_files import expanded, fields
from tests.whole_job import changed
from tools import make_gitops_schemas
from tools.declarations import Declarations

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

CRDS = Path(__file__).parent.parent.parent.parent / "shared/crds"
ROOTS = {root.file: root for root in make_gitops_schemas.ROOTS}
NEWER = {
    "/spec/healthCheckExprs/items required": "the kind became optional",
    "/spec/provider enum": "there is a new provider, aws",
}
"""Where the CRD has moved on since our package; what it refused, it allows now."""


def schema(name: str) -> dict[str, Any]:
    held: dict[str, Any] = json.loads((schemas_root() / name).read_text("utf-8"))
    return held


def strict_crd(name: str) -> JsonObject | None:
    """Return the project's own CRD made strict where it lies beside the checkout, else None."""
    root = ROOTS[name]
    group, version = root.api_version.split("/")
    plural = "gitrepositories" if root.kind == "GitRepository" else f"{root.kind.lower()}s"
    path = CRDS / f"{group}_{plural}.yaml"
    if not path.is_file():
        return None
    return schema_from_crd(yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader), version)


@pytest.mark.parametrize("name", ROOTS)
def test_every_fact_of_a_schema_is_one_of_the_crd(name: str) -> None:
    theirs = strict_crd(name)
    if theirs is None:
        return  # nothing to compare with
    ours = schema(name)
    facts, held = dict(fields(expanded(ours, ours["$defs"]))), dict(fields(theirs))
    wrong = [
        fact
        for fact in facts
        if fact.startswith("/spec")
        and facts[fact] != held.get(fact)
        and not fact.endswith(" properties")  # the CRD has newer ones; ours are compared one by one
    ]

    assert [] == [fact for fact in wrong if fact not in NEWER]


@pytest.mark.parametrize("name", ROOTS)
def test_what_we_render_is_accepted_by_the_crd_itself(name: str) -> None:
    theirs = strict_crd(name)
    if theirs is None:
        return  # nothing to hold it against
    bodies = [
        body
        for sample in SAMPLES
        for engine in ENGINES
        for body in objects(rendered(sample, engine))
        if body["kind"] == ROOTS[name].kind
    ]

    assert bodies
    assert [] == [found for body in bodies for found in validate(body, compiled(theirs))]


MISTAKES: list[tuple[str, tuple[str | int, ...], Json]] = [
    ("appproject-v1alpha1", ("sourceRepo",), []),
    ("appproject-v1alpha1", ("namespaceResourceWhitelist", 0), {"kind": "PyTorchJob"}),
    ("applicationset-v1alpha1", ("goTemplate",), "true"),
    ("applicationset-v1alpha1", ("template", "spec", "project"), None),
    ("applicationset-v1alpha1", ("template", "spec", "syncPolicy", "automated", "heal"), True),
    ("kustomization-v1", ("interval",), "10 min"),
    ("kustomization-v1", ("prune",), "yes"),
    ("kustomization-v1", ("ignore",), [{"path": "/spec"}]),
    ("kustomization-v1", ("sourceRef", "kind"), "Repository"),
    ("gitrepository-v1", ("url",), "git@git.example.com:ml/x.git"),
    ("gitrepository-v1", ("ref", "brnch"), "main"),
]
"""What stands where in a spec, and makes it one that the API server refuses or drops fields of."""


@pytest.mark.parametrize(("stem", "path", "value"), MISTAKES, ids=str)
def test_a_mistake_is_found_by_our_schema_and_by_the_crd(
    stem: str, path: tuple[str | int, ...], value: Json
) -> None:
    (name,) = (each for each in ROOTS if f"/{stem}." in each)
    bodies = [each for engine in ENGINES for each in objects(rendered("one-cluster", engine))]
    body = changed(object_of(bodies, ROOTS[name].kind), ("spec", *path), value)
    theirs = strict_crd(name)

    assert 1 == len(validate(body, compiled(schema(name))))
    assert theirs is None or 1 == len(validate(body, compiled(theirs)))


def test_the_schemas_are_what_their_packages_say() -> None:
    if not all(root.package.archive.is_file() for root in ROOTS.values()):
        return  # the packages are fetched by `make gitops-schemas` alone
    for name, text in make_gitops_schemas.schemas().items():
        assert text.encode() == (schemas_root() / name).read_bytes(), "run make gitops-schemas"


DECLARED = """\
/**
 * A comment; "with": signs;
 */
export interface IJob extends IComNamed {
    "queue"?: IComQueue;
}
export declare class Job extends Model<IJob> implements IJob {
    "name": string;
    "queue"?: IComQueue;
    "args"?: Array<string>;
    "labels"?: {
        [key: string]: string;
    };
    "mode"?: "a" | "b";
    "steps": Array<{
        "retries"?: number;
    }>;
    static kind: "Job";
    constructor(data?: ModelData<IJob>);
}
export type { IJob as IComJob, Job as ComJob };
export type IQueue = string;
export type Queue = IQueue;
export type { IQueue as IComQueue, Queue as ComQueue };
"""


def test_each_form_of_a_declaration_becomes_its_schema() -> None:
    job, shared = Declarations([DECLARED]).schema("ComJob", {})

    texts = {"type": "string"}
    retries = {"type": "integer", "format": "int64"}
    step = {"type": "object", "additionalProperties": False, "properties": {"retries": retries}}
    assert job == {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "steps"],
        "properties": {
            "name": texts,
            "queue": {"$ref": "#/$defs/Queue"},
            "args": {"type": "array", "items": texts},
            "labels": {"type": "object", "additionalProperties": texts},
            "mode": {"type": "string", "enum": ["a", "b"]},
            "steps": {"type": "array", "items": step},
        },
    }
    assert {"Queue": texts} == shared


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("Record<string, string>", "a type in an unknown form"),
        ("string | null", "a type in an unknown form"),
        ("IComNowhere", "type 'ComNowhere' is declared nowhere"),
    ],
)
def test_a_declaration_that_is_not_understood_is_an_error(form: str, problem: str) -> None:
    text = DECLARED.replace('"name": string', f'"name": {form}')

    with pytest.raises(ValueError, match=problem):
        Declarations([text]).schema("ComJob", {})
