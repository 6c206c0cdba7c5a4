"""What the writer's text looks like, and what it refuses to write."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING

import pytest

from genjob.yamltext import UnwritableError, to_yaml, to_yaml_documents, unwritable

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath, Json


def test_a_job_reads_as_people_write_one() -> None:
    job: Json = {
        "spec": {
            "pytorchReplicaSpecs": {
                "Worker": {
                    "template": {
                        "spec": {
                            "tolerations": [
                                {"effect": "NoSchedule", "operator": "Exists", "key": "gpu"},
                            ],
                            "containers": [
                                {
                                    "volumeMounts": [],
                                    "resources": {"limits": {"nvidia.com/gpu": "8"}},
                                    "env": [{"value": "1e-4", "name": "LR"}],
                                    "args": ["--epochs=10", "-v", "train.py"],
                                    "image": "registry.example.com:5000/llama:2.6.0",
                                    "name": "pytorch",
                                },
                            ],
                        },
                    },
                    "replicas": 7,
                },
            },
        },
        "metadata": {
            "annotations": {"note": "a: b"},
            "labels": {"team": "nlp", "on": "y"},
            "name": "llama",
        },
        "kind": "PyTorchJob",
        "apiVersion": "kubeflow.org/v1",
    }

    expected = """\
# written by genjob
#
# do not edit
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: llama
  labels:
    "on": "y"
    team: nlp
  annotations:
    note: "a: b"
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 7
      template:
        spec:
          containers:
          - name: pytorch
            image: registry.example.com:5000/llama:2.6.0
            args:
            - "--epochs=10"
            - "-v"
            - train.py
            env:
            - name: LR
              value: "1e-4"
            resources:
              limits:
                nvidia.com/gpu: "8"
            volumeMounts: []
          tolerations:
          - key: gpu
            operator: Exists
            effect: NoSchedule
"""
    assert expected == to_yaml(job, header="written by genjob\n\ndo not edit")


def test_a_patch_keeps_the_order_of_its_operations() -> None:
    operations: Json = [
        {"op": "test", "path": "/spec/b/0/name", "value": "no"},
        {"op": "remove", "path": "/spec/b/0"},
        {"op": "add", "path": "/spec/a", "value": {}},
    ]

    expected = """\
- op: test
  path: /spec/b/0/name
  value: "no"
- op: remove
  path: /spec/b/0
- op: add
  path: /spec/a
  value: {}
"""
    assert expected == to_yaml(operations)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-8, "-8"),
        (2**53, "9007199254740992"),
        (0.0001, "0.0001"),
        (1.0, "1.0"),
        (1e-7, "1.0e-07"),
        (2.5e22, "2.5e+22"),
        ({}, "{}"),
        ([], "[]"),
    ],
)
def test_values_that_are_not_strings_are_plain(value: Json, expected: str) -> None:
    assert f"{expected}\n" == to_yaml(value)


@pytest.mark.parametrize(
    "word",
    ["train.py", "/opt/model/train.py", "a:b", "_x", "nope", "e1", "Gi"],
)
def test_a_plain_word_is_not_quoted(word: str) -> None:
    assert f"{word}\n" == to_yaml(word)


@pytest.mark.parametrize(
    "text",
    ["1e-4", "08", "0o17", "1_000", "1:30", "y", "No", "OFF", "Null", "NaN", "inf", "~", "=", "a:"],
)
def test_a_string_that_a_reader_may_take_for_something_else_is_quoted(text: str) -> None:
    assert f'"{text}"\n' == to_yaml(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('say "é"\\', r'"say \"é\"\\"'),
        ("a\tb\r\n", r'"a\tb\r\n"'),
        ("a\u2028b\u2029c\ufeffd", r'"a\u2028b\u2029c\ufeffd"'),
        ("😀", '"😀"'),
        (" a\nb", r'" a\nb"'),
        ("\na", r'"\na"'),
        ("a \nb", r'"a \nb"'),
        ("a\nb ", r'"a\nb "'),
        ("", '""'),
    ],
)
def test_what_is_quoted_is_escaped_as_in_json(text: str, expected: str) -> None:
    assert f"{expected}\n" == to_yaml(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set -e\n\n  exec train\n", "run: |\n  set -e\n\n    exec train\n"),
        ("# no\n1e-4", "run: |-\n  # no\n  1e-4\n"),
        ("a\n\n", "run: |+\n  a\n\n"),
    ],
)
def test_lines_are_written_as_a_literal_block(text: str, expected: str) -> None:
    assert expected == to_yaml({"run": text})


def test_a_key_too_long_for_one_line_is_written_with_a_question_mark() -> None:
    key = "k" * 1001

    assert f"- ? {key}\n  : 1\n" == to_yaml([{key: 1}])


def test_shared_objects_are_written_out_each_time() -> None:
    shared: Json = {"a": 1}

    expected = "w:\n  a: 1\nx:\n- a: 1\n- a: 1\n"
    assert expected == to_yaml({"w": shared, "x": [shared, shared]})


def test_a_string_enum_is_written_as_its_value() -> None:
    class Answer(StrEnum):
        NO = "no"

    expected = '- "no"\n'
    assert expected == to_yaml([Answer.NO])


def test_documents_are_divided_by_three_hyphens_below_one_header() -> None:
    expected = "# h\na: 1\n---\n- 2\n"
    assert expected == to_yaml_documents([{"a": 1}, [2]], header="h")


@pytest.mark.parametrize(
    ("value", "path", "problem"),
    [
        ({"env": [{"value": "\x07"}]}, ("env", 0, "value"), "control character U+0007"),
        ({"a": {"b\x85": 1}}, ("a",), "control character U+0085"),
        (["a\nb\x00"], (0,), "control character U+0000"),
        ("\ud800", (), "half of a surrogate pair, U+D800"),
        ("\uffff", (), "noncharacter U+FFFF"),
        ({"a": {"<<": {}}}, ("a",), "a key '<<', which Kustomize takes for a merge"),
        ({"a": math.nan}, ("a",), "'nan' is not a finite number"),
        ({"a": -math.inf}, ("a",), "'-inf' is not a finite number"),
        ([2**53 + 1], (0,), "integer '9007199254740993' is beyond 2**53, Kustomize would round it"),
    ],
)
def test_what_would_not_come_back_is_refused(value: Json, path: DocPath, problem: str) -> None:
    with pytest.raises(UnwritableError) as refused:
        to_yaml({"fine": 1, "root": value})

    assert (("root", *path), problem) == (refused.value.path, refused.value.problem)


def test_a_refusal_says_where_and_what() -> None:
    with pytest.raises(ValueError, match=r"^spec\.args\.1: control character U\+001B$"):
        to_yaml({"spec": {"args": ["", "\x1b[0m"]}})


def test_a_refusal_of_the_whole_value_says_so() -> None:
    with pytest.raises(ValueError, match=r"^the document: 'inf' is not a finite number$"):
        to_yaml(math.inf)


@pytest.mark.parametrize("text", ["\t\n\r", "é😀\u2028\ufeff\u00a0\ufffd", "1e-4", ""])
def test_text_that_can_be_written_has_nothing_to_describe(text: str) -> None:
    assert unwritable(text) is None
