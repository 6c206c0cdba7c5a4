"""What people do to a repository, each as a function on what is written, with a number to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from genjob.jsontypes import Json, JsonObject

EXPERIMENTS = ("a", "b")
STORAGE, STORAGE_CLASS = "data", "fast"
ENVIRONMENTS = ("dev", "prod")

START: dict[str, JsonObject] = {
    "experiments/a/experiment.yaml": {
        "version": "genjob/v1",
        "name": "a",
        "image": "train:0",
        "script": "train.py",
        "nodes": 2,
        "env": {"LR": "1e-4"},
        "config": {"EPOCHS": "1"},
        "storage": [
            {
                "name": STORAGE,
                "mount_path": "/data",
                "pvc": {"size": "100Gi", "storage_class": STORAGE_CLASS},
            }
        ],
        "scheduling": {"queue": "nlp"},
        "environments": {"dev": {}, "prod": {"nodes": 3}},
    },
    "experiments/b/experiment.yaml": {
        "version": "genjob/v1",
        "name": "b",
        "image": "train:0",
        "module": "train",
        "environments": {"prod": {}},
    },
    **{
        f"environments/{name}.yaml": {
            "version": "genjob/v1",
            "name": name,
            "namespace": f"ml-{name}",
            "storage_classes": {STORAGE_CLASS: "gp3"},
            "queues": {"nlp": {"local_queue": "nlp"}},
            "defaults": {"env": {"REGION": "eu"}, "config": {"SITE": "x"}},
        }
        for name in ENVIRONMENTS
    },
}
"""The files of the repository before anything happens."""

Edit = "Callable[[JsonObject, int], None]"


def put(*path: str, text: str = "{}") -> Callable[[JsonObject, int], None]:
    """Return an edit that writes a text, made with the number, at a path of a file."""

    def edit(file: JsonObject, number: int) -> None:
        *parents, last = path
        here: Json = file
        for key in parents:
            assert isinstance(here, dict)
            here = here.setdefault(key, {})
        assert isinstance(here, dict)
        written = text.format(number)
        here[last] = int(written) if last in ("nodes", "backoff_limit") else written

    return edit


def _grow(file: JsonObject, number: int) -> None:
    match file.get("storage"):
        case [{"pvc": dict() as pvc}]:
            pvc["size"] = f"{100 + number}Gi"
        case _:
            pass  # an experiment without a claim


OF_PODS: dict[str, Callable[[JsonObject, int], None]] = {
    "image": put("image", text="train:{}"),
    "variable": put("env", "LR", text="{}e-4"),
    "setting": put("config", "EPOCHS"),
    "nodes": put("nodes", text="1{}"),
}
"""Edits of an experiment that reach its pods, in every environment that does not override them."""

OF_OVERRIDE: dict[str, Callable[[JsonObject, int], None]] = {
    "variable": put("env", "SEED"),
    "image": put("image", text="train:override-{}"),
}
"""Edits of an experiment's part for one environment."""

OF_METADATA: dict[str, Callable[[JsonObject, int], None]] = {
    "label": put("labels", "note", text="n{}"),
    "annotation": put("annotations", "note", text="n{}"),
    "policy": put("run_policy", "backoff_limit"),
    "default": put("launcher", text="torchrun"),
    "claim": _grow,
}
"""Edits of an experiment that do not reach its pods."""

OF_ENVIRONMENT: dict[str, Callable[[JsonObject, int], None]] = {
    "variable": put("defaults", "env", "REGION", text="r{}"),
    "setting": put("defaults", "config", "SITE", text="s{}"),
    "label": put("labels", "owner", text="o{}"),
    "namespace": put("namespace", text="ml-{}"),
    "queue": put("queues", "nlp", "local_queue", text="nlp-{}"),
    "class": put("storage_classes", STORAGE_CLASS, text="class-{}"),
    "mirror": put("registry", "mirror", "docker.io", text="hub-{}.example.com"),
    "deadline": put("defaults", "run_policy", "active_deadline", text="{}h"),
}
"""Edits of an environment."""
