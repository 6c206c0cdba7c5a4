"""A file of manifests is its objects, each with its places; what is none is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.diagnostics import Finding
from genjob.foreign.reading import ManifestFile, read_manifest_file, read_manifests

if TYPE_CHECKING:
    from pathlib import Path

JOB = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a}\n"
GIVEN = "genjob lint -"


def read(text: str) -> ManifestFile:
    return read_manifests(text.encode(), "job.yaml", command=GIVEN)


def kinds(text: str) -> list[str]:
    return [str(each.body.get("kind")) for each in read(text).objects]


def test_documents_and_lists_are_taken_apart() -> None:
    listed = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret}\n"
    jobs = "apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nitems:\n- {kind: PyTorchJob}\n"

    assert ["PyTorchJob", "Secret", "PyTorchJob"] == kinds(f"{JOB}---\n{listed}---\n{jobs}")


def test_a_finding_about_an_item_of_a_list_is_where_it_stands() -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  data: {a: b}\n"
    (secret,) = read(text).objects
    found = secret.diagnostic(Finding("GJ000", ("data", "a"), "m", at_key=True))

    assert ("job.yaml", 6, 10) == (found.location.file, found.location.line, found.location.column)
    assert "Secret" == secret.body["kind"]


def test_data_that_is_no_object_is_counted() -> None:
    other = "- a\n---\nimage: {tag: 1}\n---\nkind: 1\napiVersion: v1\n"

    assert (1, 3) == (len(read(f"{JOB}---\n{other}").objects), read(f"{JOB}---\n{other}").others)


def test_what_looks_like_a_job_is_one() -> None:
    assert [None] == [o.body.get("kind") for o in read("spec: {pytorchReplicaSpecs: {}}\n").objects]
    assert ["PyTorchJob"] == kinds("kind: PyTorchJob\n")


def test_a_file_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    read = read_manifest_file(tmp_path / "none.yaml", "none.yaml", command=GIVEN)

    assert ["cannot read the file: no such file or directory"] == [
        each.message for each in read.diagnostics
    ]


def test_a_file_on_disk_is_read(tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(JOB, encoding="utf-8")
    read = read_manifest_file(tmp_path / "job.yaml", "x.yaml", command=GIVEN)

    assert (1, JOB, ()) == (len(read.objects), read.text, read.diagnostics)


def test_a_template_that_is_no_yaml_is_one_finding_at_its_first_sign() -> None:
    text = "# {{ not this }}\nkind: PyTorchJob\n{{- if .Values.on }}\na: {{ name }}\n{{- end }}\n"
    (found,) = read(text).diagnostics

    assert ("GJ801", 3, 1) == (found.code, found.location.line, found.location.column)
    assert (
        "found the template 'if .Values.on', 'name' and 'end'; this is no manifest yet"
        == found.message
    )
    assert "fill it in first, as in `helm template . | genjob lint -`" == found.hint


def test_broken_yaml_without_a_template_stays_what_it_is() -> None:
    assert ["GJ001"] == [each.code for each in read("a: [1\n").diagnostics]
