"""A spoiled file is never a crash: every finding stands inside it, or what is left is sound."""

from __future__ import annotations

import json
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genjob.diagnostics import has_errors
from genjob.kustomize.mismatch import same_objects
from genjob.kustomize.rebuild import expected
from genjob.rendering import Selection, plan, render
from genjob.workspace.loading import load
from tests.strategies import AWKWARD_WORDS

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from genjob.jsontypes import DocPath, Json, JsonObject
    from genjob.rendering import Rendering
    from genjob.workspace.loading import Loaded

EXPERIMENT = "experiments/a/experiment.yaml"
ENVIRONMENT = "environments/prod.yaml"
SETTINGS = "genjob.yaml"

SOUND: dict[str, JsonObject] = {
    EXPERIMENT: yaml.safe_load("""
        version: genjob/v1
        name: a
        labels: {team: nlp}
        image: registry.example.com/train:1.0
        script: train.py
        args: [--lr]
        nodes: 2
        resources: {gpus_per_node: 8, accelerator: h100, cpu: "8", memory: 64Gi, shm_size: 8Gi}
        network: {fabric: auto, master_port: 23456}
        nccl: {debug: WARN, ib_hca: [mlx5_0, mlx5_3]}
        env: {A: a, HUB: {secret: hub, key: token}}
        env_from: [{config_map: shared}]
        config: {EPOCHS: "10"}
        ports: [{name: http, port: 80}]
        storage:
          - {name: data, mount_path: /data, pvc: {claim: data}}
          - {name: out, mount_path: /out, pvc: {size: 1Gi, storage_class: shared}}
          - {name: code, mount_path: /code, files: [train.py]}
        scheduling:
          queue: nlp
          tolerations: [{key: spot, operator: Exists}]
          affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}}
        run_policy: {active_deadline: 72h, backoff_limit: 3}
        security: {capabilities: [SYS_NICE]}
        sidecars: [{name: log, image: "log:1", args: [-f]}]
        pod_overrides: {terminationGracePeriodSeconds: 60}
        master: {env: {A: b}, storage: [{name: data, read_only: true}]}
        environments:
          prod: {nodes: 4, env: {HUB: hub}, storage: [{name: out, pvc: {claim: out}}]}
    """),
    ENVIRONMENT: yaml.safe_load("""
        version: genjob/v1
        name: prod
        namespace: ml-prod
        labels: {cost: gpu}
        target: {kubernetes: "1.31"}
        registry: {mirror: {registry.example.com: mirror.example.com}}
        node_pools:
          - name: ib
            accelerator: h100
            gpus_per_node: 8
            fabric: infiniband
            fabric_resources: {rdma/ib: 8}
            node_selector: {pool: ib}
            tolerations: [{key: gpu, operator: Exists}]
            nccl: {ib_tc: 106}
            env: {P: p}
        storage_classes: {shared: efs-sc}
        queues: {nlp: {local_queue: nlp, gpus: 128}}
        defaults: {run_policy: {clean_pod_policy: All}}
        policy: {max_gpus_per_run: 256, require: [scheduling.queue]}
        provides: {secrets: [hub], config_maps: [shared], pvcs: [data, out]}
    """),
    SETTINGS: yaml.safe_load("""
        version: genjob/v1
        gitops: {engine: none}
        paths: {bases: bases, overlays: overlays}
    """),
}

WORDS = st.sampled_from((*AWKWARD_WORDS, "h100", "prod", "a", "../../x", "A", "1Gi", "-1", "72h"))
SCALARS: SearchStrategy[Json] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS | st.text()
)
VALUES: SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Json, path: DocPath = ()) -> list[DocPath]:
    """Return the route of every value in a tree but the root."""
    items: list[tuple[str | int, Json]] = []
    if isinstance(value, dict):
        items = [*value.items()]
    elif isinstance(value, list):
        items = [*enumerate(value)]
    return [p for key, below in items for p in ((*path, key), *places(below, (*path, key)))]


@st.composite
def spoiled(draw: DrawFn) -> dict[str, JsonObject]:
    """Spoil one to three places of the sound files."""
    files = deepcopy(SOUND)
    for _ in range(draw(st.integers(1, 3))):
        file = draw(st.sampled_from([EXPERIMENT, EXPERIMENT, ENVIRONMENT, SETTINGS]))
        routes = places(files[file])
        if routes:
            _spoil(draw, files[file], draw(st.sampled_from(routes)))
    return files


def _spoil(draw: DrawFn, root: JsonObject, route: DocPath) -> None:
    *above, last = route
    holder: Json = root
    for key in above:
        holder = holder[key]  # type: ignore[index] # the route was read from this tree
    if isinstance(holder, list) and isinstance(last, int):
        holder[last : last + 1] = draw(
            st.sampled_from([[], [holder[last]] * 2]) | VALUES.map(lambda value: [value])
        )
    elif isinstance(holder, dict) and isinstance(last, str):
        value = holder.pop(last)
        match draw(st.sampled_from(["delete", "replace", "rename", "add"])):
            case "replace":
                holder[last] = draw(VALUES)
            case "rename":
                holder[draw(WORDS | st.text())] = value
            case "add":
                holder[last] = value
                holder[draw(WORDS)] = draw(VALUES)
            case _:  # deleted
                pass


def rendered(files: dict[str, JsonObject]) -> tuple[Loaded, Rendering]:
    """Write files as JSON, which is YAML, and render the workspace that they make."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for file, tree in files.items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(json.dumps(tree, indent=1), encoding="utf-8")
        (root / "experiments/a/train.py").write_text("print(1e-4)\n", encoding="utf-8")
        loaded = load(root)
        return loaded, render(loaded, Selection())


def test_the_sound_files_have_no_findings() -> None:
    _, rendering = rendered(SOUND)

    assert [] == rendering.diagnostics


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(files=spoiled())
def test_every_finding_stands_inside_its_file_and_what_has_none_builds(
    files: dict[str, JsonObject],
) -> None:
    loaded, rendering = rendered(files)

    for found in rendering.diagnostics:
        lines = json.dumps(files[found.location.file], indent=1).split("\n")
        assert 1 <= found.location.line <= len(lines)
        assert 1 <= found.location.column <= len(lines[found.location.line - 1]) + 1
        assert found.message
    if not has_errors(rendering.diagnostics):
        _builds(loaded, rendering)


def _builds(loaded: Loaded, rendering: Rendering) -> None:
    """Check that the written base and overlay come to the objects of the rendering."""
    texts = plan(loaded, rendering, Selection()).files
    paths = loaded.settings.paths
    for one in rendering.experiments:
        base = _below(texts, f"{paths.bases}/{one.name}/")
        for environment, objects in one.overlays.items():
            overlay = _below(texts, f"{paths.overlays}/{environment}/{one.name}/")
            wanted = [manifest.body for manifest in objects]
            assert [] == same_objects(expected(base, overlay), wanted)


def _below(texts: object, folder: str) -> dict[str, str]:
    assert isinstance(texts, dict)
    return {path.removeprefix(folder): text for path, text in texts.items() if folder in path}
