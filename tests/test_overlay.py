"""Base and wanted objects become files that a reviewer can read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from genjob.kustomize.engine import build, find_engine
from genjob.kustomize.mismatch import same_objects
from genjob.kustomize.overlay import Place, base_files, overlay_files
from genjob.manifest import Manifest, plain
from genjob.patch import json_equal
from tests.kustomize_build import write

if TYPE_CHECKING:
    from pathlib import Path

    from genjob.jsontypes import Json, JsonObject

PLACE = Place("ml-prod", "../../../bases/llama")
HEADER = "Rendered by genjob from experiments/llama/experiment.yaml"


def thing(kind: str, name: str, **content: Json) -> JsonObject:
    """Return an object of a core kind."""
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, **content}


def llama(name: str, workers: int) -> Manifest:
    """Return a small job."""
    roles: JsonObject = {"Worker": {"replicas": workers}}
    body = thing("PyTorchJob", name, spec={"pytorchReplicaSpecs": roles})
    return Manifest("pytorchjob", {**body, "apiVersion": "kubeflow.org/v1"})


def placed(*manifests: Manifest) -> list[Manifest]:
    """Return the objects in the namespace of PLACE."""
    return [
        Manifest(m.slot, {**m.body, "metadata": {**_metadata(m.body), "namespace": "ml-prod"}})
        for m in manifests
    ]


def _metadata(body: JsonObject) -> JsonObject:
    metadata = body["metadata"]
    assert isinstance(metadata, dict)
    return metadata


def overlay(base: list[Manifest], wanted: list[Manifest]) -> dict[str, str]:
    """Return the overlay's files without a header, for reading."""
    return overlay_files(base, wanted, place=PLACE, header="")


def test_a_base_is_a_kustomization_and_one_file_for_each_object() -> None:
    config = Manifest("config", thing("ConfigMap", "llama-config-1f", data={"LR": "1e-4"}))

    files = base_files([llama("llama", 1), config], header=HEADER)

    assert {
        "kustomization.yaml": f"# {HEADER}\n"
        "apiVersion: kustomize.config.k8s.io/v1beta1\n"
        "kind: Kustomization\n"
        "resources:\n"
        "- config.yaml\n"
        "- pytorchjob.yaml\n",
        "pytorchjob.yaml": f"# {HEADER}\n"
        "apiVersion: kubeflow.org/v1\n"
        "kind: PyTorchJob\n"
        "metadata:\n"
        "  name: llama\n"
        "spec:\n"
        "  pytorchReplicaSpecs:\n"
        "    Worker:\n"
        "      replicas: 1\n",
        "config.yaml": f"# {HEADER}\n"
        "apiVersion: v1\n"
        "kind: ConfigMap\n"
        "metadata:\n"
        "  name: llama-config-1f\n"
        "data:\n"
        '  LR: "1e-4"\n',
    } == files


def test_an_overlay_renames_and_patches_the_job() -> None:
    """The namespace stands in the kustomization alone; no patch repeats it."""
    files = overlay([llama("llama", 1)], placed(llama("llama-7f3a9c12", 15)))

    assert files == {
        "kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\n"
        "kind: Kustomization\n"
        "namespace: ml-prod\n"
        "resources:\n"
        '- "../../../bases/llama"\n'
        "patches:\n"
        "- path: patch.yaml\n"
        "  target:\n"
        "    kind: PyTorchJob\n"
        "    name: llama\n"
        "    group: kubeflow.org\n"
        "    version: v1\n",
        "patch.yaml": "- op: replace\n"
        "  path: /metadata/name\n"
        "  value: llama-7f3a9c12\n"
        "- op: replace\n"
        "  path: /spec/pytorchReplicaSpecs/Worker/replicas\n"
        "  value: 15\n",
    }


def test_an_overlay_that_changes_nothing_is_a_namespace_and_a_base() -> None:
    assert overlay([llama("llama", 1)], placed(llama("llama", 1))) == {
        "kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\n"
        "kind: Kustomization\n"
        "namespace: ml-prod\n"
        "resources:\n"
        '- "../../../bases/llama"\n'
    }


def test_an_object_of_the_environment_alone_gets_its_own_file() -> None:
    claim = Manifest("pvc-data", thing("PersistentVolumeClaim", "llama-data"))

    files = overlay([llama("llama", 1)], placed(llama("llama", 1), claim))

    assert 'resources:\n- "../../../bases/llama"\n- pvc-data.yaml\n' in files["kustomization.yaml"]
    assert (
        files["pvc-data.yaml"]
        == "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: llama-data\n"
    )


def test_an_object_of_the_base_alone_is_deleted() -> None:
    claim = Manifest("pvc-data", thing("PersistentVolumeClaim", "llama-data"))

    files = overlay([llama("llama", 1), claim], placed(llama("llama", 1)))

    assert "patches:\n- path: pvc-data.delete.yaml\n" in files["kustomization.yaml"]
    assert "$patch" in files["pvc-data.delete.yaml"]
    assert {"kustomization.yaml", "pvc-data.delete.yaml"} == files.keys()


def test_a_renamed_config_map_is_patched_where_its_slot_stays() -> None:
    old = Manifest("config", thing("ConfigMap", "llama-config-1f", data={"LR": "1e-4"}))
    new = Manifest("config", thing("ConfigMap", "llama-config-08", data={"LR": "3e-05"}))

    files = overlay([old], placed(new))

    assert {"kustomization.yaml", "config.patch.yaml"} == files.keys()
    assert files["config.patch.yaml"] == (
        '- op: replace\n  path: /data/LR\n  value: "3e-05"\n'
        "- op: replace\n  path: /metadata/name\n  value: llama-config-08\n"
    )


def test_one_name_in_another_slot_is_the_same_object() -> None:
    """A storage may get another name in the experiment and keep its claim."""
    old = Manifest("pvc-data", thing("PersistentVolumeClaim", "shared", spec={"size": "1Gi"}))
    new = Manifest("pvc-corpus", thing("PersistentVolumeClaim", "shared", spec={"size": "2Gi"}))

    assert {"kustomization.yaml", "pvc-data.patch.yaml"} == overlay([old], placed(new)).keys()


def test_a_slot_of_another_kind_is_deleted_and_added() -> None:
    old = Manifest("files-code", thing("ConfigMap", "code"))
    new = Manifest("files-code", thing("Secret", "code"))

    files = overlay([old], placed(new))

    assert {"kustomization.yaml", "files-code.delete.yaml", "files-code.yaml"} == files.keys()


def test_a_dot_in_a_target_matches_a_dot_alone(tmp_path: Path) -> None:
    """Kustomize reads the name of a target as a regular expression."""
    base = [
        Manifest("a", thing("ConfigMap", "a.b", data={"k": "1"})),
        Manifest("b", thing("ConfigMap", "aXb", data={"k": "1"})),
    ]
    wanted = placed(
        Manifest("a", thing("ConfigMap", "a.b", data={"k": "2"})),
        Manifest("b", thing("ConfigMap", "aXb", data={"k": "1"})),
    )

    assert not same_objects(really_built(tmp_path, base, wanted), [m.body for m in wanted])


def test_two_objects_that_swap_names_are_patched_in_place(tmp_path: Path) -> None:
    """Kustomize finds a target by every name that an object has had; so no name is swapped."""
    base = [
        Manifest("a", thing("ConfigMap", "x", data={"k": "1"})),
        Manifest("b", thing("ConfigMap", "y", data={"k": "no"})),
    ]
    wanted = placed(
        Manifest("a", thing("ConfigMap", "y", data={"k": "1"})),
        Manifest("b", thing("ConfigMap", "x", data={"k": "no"})),
    )

    assert not same_objects(really_built(tmp_path, base, wanted), [m.body for m in wanted])


def test_deleted_added_and_renamed_objects_build(tmp_path: Path) -> None:
    base = [
        llama("llama", 1),
        Manifest("config", thing("ConfigMap", "c-1f", data={"LR": "1e-4"})),
        Manifest("pvc-out", thing("PersistentVolumeClaim", "llama-out")),
    ]
    wanted = placed(
        llama("llama-7f3a9c12", 15),
        Manifest("config", thing("ConfigMap", "c-08", data={"LR": "no"})),
        Manifest("pvc-data", thing("PersistentVolumeClaim", "llama-data")),
    )

    assert not same_objects(really_built(tmp_path, base, wanted), [m.body for m in wanted])


def test_empty_annotations_of_a_base_do_not_break_a_patch_below_them(tmp_path: Path) -> None:
    """Kustomize drops them when it reads the base, and would then find no parent."""
    base = Manifest("c", thing("ConfigMap", "c"))
    _metadata(base.body)["annotations"] = {}
    wanted = placed(Manifest("c", thing("ConfigMap", "c")))
    _metadata(wanted[0].body)["annotations"] = {"a/b~c": "on"}

    assert not same_objects(really_built(tmp_path, [base], wanted), [m.body for m in wanted])


def test_an_object_for_another_namespace_is_our_own_fault() -> None:
    with pytest.raises(ValueError, match="'ml-prod/c' is not meant for namespace 'ml-dev'"):
        overlay_files(
            [],
            placed(Manifest("c", thing("ConfigMap", "c"))),
            place=Place("ml-dev", "../x"),
            header="",
        )


def test_a_float_that_is_an_integer_is_written_as_one() -> None:
    body = thing("ConfigMap", "c", spec=[1.0, -0.0, 1.5, 1e300, "1.0", True])

    assert json_equal([1, 0, 1.5, 1e300, "1.0", True], plain(body)["spec"])


def test_the_given_objects_stay_as_they_are() -> None:
    wanted = placed(llama("llama", 1))

    overlay([llama("llama", 2)], wanted)

    assert placed(llama("llama", 1)) == wanted


def really_built(folder: Path, base: list[Manifest], wanted: list[Manifest]) -> list[JsonObject]:
    """Return what the real Kustomize builds of the written files."""
    place = folder / "overlays" / "prod" / "llama"
    for path, files in (
        (folder / "bases" / "llama", base_files(base, header=HEADER)),
        (place, overlay_files(base, wanted, place=PLACE, header=HEADER)),
    ):
        path.mkdir(parents=True)
        for name, text in files.items():
            write(path / name, text)
    return build(find_engine(os.environ), place)
