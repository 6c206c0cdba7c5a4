"""Hypothesis strategies for experiments and environments, built from the fields of the models.

What is built is what people write, as data: texts are awkward, but every document is valid. A
field whose type is not known here fails loudly, so that a new one cannot be forgotten.
"""

from __future__ import annotations

import types
import typing
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from genjob.catalog.fabrics import FABRICS, Site
from genjob.model.base import Duration, Quantity, Type
from genjob.model.env import EnvFrom, EnvSource
from genjob.model.environment import Environment, NodePool
from genjob.model.experiment import NOT_IN_LAYERS, Experiment, Pod
from genjob.model.fields import is_model
from genjob.model.scheduling import Topology
from genjob.model.storage import KINDS, Pvc, Storage
from tests.strategies import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn, SearchStrategy
    from pydantic import BaseModel

    from genjob.jsontypes import Json, JsonObject

MOST_FIELDS = 8
"""Optional fields of one mapping: enough to meet each other, few enough to read."""

SPAN = 200
"""How far above its lower bound an integer goes."""

LABELS = ("team", "example.com/tier", "no", "08", "app.kubernetes.io/part-of")
VARIABLES = ("LR", "ROOT", "A_PATH", "NCCL_DEBUG", "FLAG", "_x")
FILES = {"train.py": b"rate = 1e-4\n", "data/table.bin": b"\x00\xff", "no": b""}

ONE_OF: dict[type[BaseModel], tuple[str, ...]] = {
    Experiment: ("script", "module", "command"),
    Storage: KINDS,
    Pvc: ("claim", "size"),
    EnvSource: ("secret", "config_map", "field", "resource"),
    EnvFrom: ("secret", "config_map"),
    Topology: ("required", "preferred"),
}
"""Fields of which a mapping has exactly one."""

BESIDE: dict[tuple[type[BaseModel], str], frozenset[str]] = {
    (Pvc, "claim"): frozenset(),
    (EnvSource, "field"): frozenset(),
    (EnvSource, "resource"): frozenset({"divisor"}),
    (EnvSource, "secret"): frozenset({"optional"}),
    (EnvSource, "config_map"): frozenset({"optional"}),
}
"""Fields that may stand beside the chosen one, where not all may."""

WITH: dict[tuple[type[BaseModel], str], str] = {
    (EnvSource, "secret"): "key",
    (EnvSource, "config_map"): "key",
}
"""The field that a chosen one needs."""

_CONTAINERS: tuple[JsonObject, ...] = (
    {"name": "fetch", "image": "busybox:1.36", "env": [{"name": "URL", "value": "1e-4"}]},
    {"name": "fetch", "image": "registry.example.com/fetch:2", "args": ["no", "08"]},
    {"name": "board", "image": "board", "ports": [{"containerPort": 6006}]},
)
_TERM: JsonObject = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "no"}}}
_ZONE: JsonObject = {"key": "zone", "operator": "In", "values": ["1", "b"]}


def _named_lists(items: SearchStrategy[JsonObject]) -> SearchStrategy[Json]:
    unique = st.lists(items, max_size=2, unique_by=lambda item: str(item.get("name", item)))
    return unique.map(lambda found: [*found])


RAW: dict[str, SearchStrategy[Json]] = {
    "init_containers": _named_lists(st.sampled_from(_CONTAINERS)),
    "sidecars": _named_lists(st.sampled_from(_CONTAINERS)),
    "tolerations": st.lists(
        st.fixed_dictionaries({"key": st.sampled_from(LABELS), "operator": st.just("Exists")}),
        max_size=3,
    ),
    "topology_spread": st.lists(st.just({"maxSkew": 1, "topologyKey": "zone"}), max_size=2),
    "metrics": st.lists(st.just({"type": "Resource", "resource": {"name": "cpu"}}), max_size=1),
    "projected": st.lists(st.just({"secret": {"name": "no"}}), max_size=2),
    "affinity": st.sampled_from(
        (
            {},
            {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [_TERM]}},
            {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [_TERM]}},
            {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [{"matchExpressions": [_ZONE]}, {}]
                    }
                }
            },
        )
    ),
    "job_overrides": st.sampled_from(
        (
            {},
            {"runPolicy": {"backoffLimit": 3, "cleanPodPolicy": "All"}},
            {"runPolicy": {"schedulingPolicy": {"queue": "08"}}},
        )
    ),
    "pod_overrides": st.sampled_from(
        (
            {},
            {"hostname": "08", "terminationGracePeriodSeconds": 5},
            {
                "containers": [
                    {"name": "pytorch", "stdin": True, "env": [{"name": "LR", "value": "0"}]}
                ]
            },
            {
                "volumes": [{"name": "extra", "emptyDir": {}}],
                "tolerations": [{"operator": "Exists"}],
            },
        )
    ),
}
"""Raw Kubernetes by the name of its field."""

_NCCL: SearchStrategy[Json] = st.fixed_dictionaries(
    {},
    optional={
        "ib_disable": st.booleans(),
        "ib_timeout": st.integers(0, 31),
        "cross_nic": st.sampled_from((0, 1, 2)),
        "buffsize": st.sampled_from(("8Mi", "1e6", 4194304)),
        "algo": st.sampled_from(("Ring", ["Ring", "Tree"])),
        "ib_hca": st.lists(st.sampled_from(("mlx5_0", "no", "08")), min_size=1, max_size=3),
        "topo_file": st.sampled_from(("/etc/topo.xml", "1e-4", 10)),
    },
)
"""A variable of each type."""

_FABRICS: SearchStrategy[Json] = st.sampled_from(
    [
        name
        for name, fabric in FABRICS.items()
        if fabric.joins_machines
        and not any(fabric.unmet(site) for site in (Site(), Site(networks=("data",))))
    ]
)
"""Fabrics that machines are joined by and that need nothing of the node pool."""

_OBJECT_NAMES = st.sampled_from(("nfs", "08", "no", "a.b"))

SPECIAL: dict[tuple[str, str], SearchStrategy[Json]] = {
    ("Experiment", "run"): st.sampled_from(
        ({"name": "stable"}, {"name": "content", "id": "08"}, {"name": "content"}, {"id": "no"})
    ),
    ("Resources", "accelerator"): st.sampled_from(("a100", ["a100"], ["h100", "a100"])),
    ("Experiment", "nccl"): _NCCL,
    ("Pod", "nccl"): _NCCL,
    ("NodePool", "nccl"): _NCCL,
    ("Network", "fabric"): _FABRICS,
    ("NodePool", "fabric"): _FABRICS,
    ("NodePool", "accelerator"): st.sampled_from(("a100", "t4")),
    ("NodePool", "instance_type"): st.sampled_from(("p4d.24xlarge", "m6i.4xlarge")),
    ("Storage", "name"): st.sampled_from(("data", "out", "no", "08", "x-1")),
    ("Storage", "files"): st.lists(st.sampled_from([*FILES]), min_size=1, max_size=3, unique=True),
    ("Pvc", "name"): _OBJECT_NAMES,
    ("Environment", "namespace"): st.just("team-a"),
    ("Environment", "storage_classes"): st.dictionaries(
        st.sampled_from(("default", *LABELS)), _OBJECT_NAMES, max_size=3
    ),
    ("Queue", "local_queue"): _OBJECT_NAMES,
    ("Registry", "mirror"): st.dictionaries(
        st.sampled_from(("docker.io", "docker.io/library", "registry.example.com")),
        st.sampled_from(("mirror.example.com", "mirror.example.com:5000/hub")),
        max_size=3,
    ),
}
"""Fields whose values mean something to the others."""

NEVER = frozenset({("Scheduling", "node_pool"), ("Environment", "defaults")})
"""Fields that need another document to be right; they have golden cases."""

_KEYS: dict[str, tuple[str, ...]] = {"env": VARIABLES, "extended": ("rdma/ib", "example.com/x")}

_QUANTITIES = st.sampled_from(("1", "1e3", "512Gi", "500m", "0.5", "8Mi", "2G"))
_DURATIONS = st.sampled_from(("72h", "90m", "1h30m", "30", "1d"))
_BY_TYPE: dict[Any, SearchStrategy[Json]] = {
    Quantity: _QUANTITIES,
    Duration: _DURATIONS,
    bool: st.booleans(),
    float: st.floats(0, 1000),
    str: words().filter(bool),
}


def experiments() -> SearchStrategy[JsonObject]:
    """Return experiments named `train` that run in `dev`, most often with other values there."""
    return st.builds(
        lambda experiment, override, master, worker: {
            **experiment,
            "version": "genjob/v1",
            "name": "train",
            "environments": {"dev": override},
            **({"master": master} if master else {}),
            **({"worker": worker} if worker else {}),
        },
        _fields(Experiment, without=("version", "name", "environments", "master", "worker")),
        overrides(),
        st.just({}) | pods(),
        st.just({}) | pods(),
    )


def pods() -> SearchStrategy[JsonObject]:
    """Return what one role may have otherwise than the other: at most one program."""
    return _fields(Pod).filter(lambda section: len({*section} & {*ONE_OF[Experiment]}) <= 1)


def overrides() -> SearchStrategy[JsonObject]:
    """Return fields of an experiment that a layer may set."""
    optional = [
        name for name in Experiment.model_fields if name not in {*NOT_IN_LAYERS, "master", "worker"}
    ]
    chosen = st.lists(st.sampled_from(optional), unique=True, max_size=MOST_FIELDS)
    one_program = chosen.filter(lambda names: len({*names} & {*ONE_OF[Experiment]}) <= 1)
    return one_program.flatmap(
        lambda names: st.fixed_dictionaries({name: _value(Experiment, name) for name in names})
    )


def environments() -> SearchStrategy[JsonObject]:
    """Return environments named `dev` whose last node pool has whatever was asked for."""
    last = {"name": "last", "accelerator": "a100", "gpus_per_node": 8}
    return st.builds(
        lambda environment, pools: {
            **environment,
            "version": "genjob/v1",
            "name": "dev",
            "node_pools": [*(pools if isinstance(pools, list) else ()), last],
        },
        _fields(Environment, without=("version", "name", "node_pools", "policy", "target")),
        _named_lists(_fields(NodePool)),
    )


@st.composite
def _fields(draw: DrawFn, model: type[BaseModel], without: tuple[str, ...] = ()) -> JsonObject:
    """Return a valid mapping of a model: what it needs, and some of what it may have."""
    open_names = [name for name in model.model_fields if name not in without]
    needed = [name for name in open_names if model.model_fields[name].is_required()]
    rivals = ONE_OF.get(model, ())
    optional = [
        name
        for name in open_names
        if name not in {*needed, *rivals, *WITH.values()} and (model.__name__, name) not in NEVER
    ]
    if rivals:
        chosen = draw(st.sampled_from(rivals))
        needed += [chosen, *([WITH[model, chosen]] if (model, chosen) in WITH else [])]
        optional = [n for n in optional if n in BESIDE.get((model, chosen), frozenset(optional))]
    some = st.lists(st.sampled_from(optional), unique=True, max_size=MOST_FIELDS)
    names = [*needed, *(draw(some) if optional else [])]
    return {name: draw(_value(model, name)) for name in dict.fromkeys(names)}


@cache
def _value(model: type[BaseModel], name: str) -> SearchStrategy[Json]:
    if (model.__name__, name) in SPECIAL:
        return SPECIAL[model.__name__, name]
    if name in RAW:
        return RAW[name]
    field = model.model_fields[name]
    return _typed(Annotated[field.annotation, *(field.metadata or [None])], name)


def _typed(annotation: Any, name: str) -> SearchStrategy[Json]:  # noqa: ANN401 # a type
    """Return values of one type; `name` is the field's, for the keys of mappings."""
    if annotation in _BY_TYPE:
        return _BY_TYPE[annotation]
    if is_model(annotation):
        return _fields(annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin not in _BY_ORIGIN:
        raise TypeError(f"write a strategy for {annotation}, or for the field '{name}'")
    return _BY_ORIGIN[origin](arguments, name)


def _annotated(arguments: tuple[Any, ...], name: str) -> SearchStrategy[Json]:
    below, *constraints = arguments
    return _integers(constraints) if below is int else _typed(below, name)


def _union(arguments: tuple[Any, ...], name: str) -> SearchStrategy[Json]:
    return st.one_of([_typed(a, name) for a in arguments if a is not types.NoneType])


def _mapping(arguments: tuple[Any, ...], name: str) -> SearchStrategy[Json]:
    keys = st.sampled_from(_KEYS.get(name, LABELS))
    return st.dictionaries(keys, _typed(arguments[1], name), max_size=3)


def _list(arguments: tuple[Any, ...], name: str) -> SearchStrategy[Json]:
    (item,) = arguments
    if is_model(item) and "name" in item.model_fields:
        return _named_lists(_fields(item))
    return st.lists(_typed(item, name), min_size=1, max_size=3)


def _integers(constraints: list[Any]) -> SearchStrategy[Json]:
    """Return integers within the bounds of an annotation, near the lower one."""
    found: list[Any] = []
    for each in constraints:
        found += each.metadata if isinstance(each, FieldInfo) else [each]
    lows = [int(str(bound.ge)) for bound in found if isinstance(bound, Ge)]
    lows += [each.core["schema"].get("ge", 0) for each in found if isinstance(each, Type)]
    highs = [int(str(bound.le)) for bound in found if isinstance(bound, Le)]
    low = max([0, *lows])
    return st.integers(low, min([low + SPAN, *highs]))


_BY_ORIGIN: dict[Any, Callable[[tuple[Any, ...], str], SearchStrategy[Json]]] = {
    Annotated: _annotated,
    typing.Union: _union,
    types.UnionType: _union,
    Literal: lambda choices, _: st.sampled_from(choices),
    list: _list,
    dict: _mapping,
}
"""What makes the values of a composed type, from its arguments."""
