"""Variables that wait to be filled in: found where a value has a meaning, not in programs."""

from __future__ import annotations

import pytest

from genjob.foreign.templates import placeholders, template_finding
from tests.hand_written import job, role

WORKER = "{pytorchReplicaSpecs: {Worker: %s}}"


def found(spec: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the last key of each placeholder's route, and its names."""
    return [(str(each.path[-1]), each.names) for each in placeholders(job(spec))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("${N}", ("N",)),
        ("$N_1", ("N_1",)),
        ("${N:-4}", ("N",)),
        ("$A.dkr/${B}:$C", ("A", "B", "C")),
        ("${trialParameters.nodes}", ("trialParameters.nodes",)),
        ("{{ .Values.n }}", (".Values.n",)),
        ("{{- n | quote -}}", ("n | quote",)),
        ("<your project>/a", ("your project",)),
        ("{% if x %}", ("if x",)),
    ],
)
def test_each_sign_is_known_in_a_typed_field(text: str, names: tuple[str, ...]) -> None:
    assert [("image", names)] == found(WORKER % f"{{image: '{text}'}}")


@pytest.mark.parametrize("text", ["$(HOME)", "a$", "$1", "a < b", "1 <2> 3", "{a}", "$$", "<>"])
def test_what_is_no_placeholder_is_none(text: str) -> None:
    assert [] == found(WORKER % f"{{image: '{text}'}}")


@pytest.mark.parametrize(
    "container",
    [
        "args: ['${A}']",
        "command: [sh, -c, 'echo {{ x }} <y>']",
        "env: [{name: A, value: '$HOME/${B}'}]",
        "lifecycle: {postStart: {exec: {command: ['$A']}}}",
    ],
)
def test_a_program_has_signs_of_its_own(container: str) -> None:
    assert [] == found(WORKER % role(container))


def test_an_annotation_and_the_data_of_a_config_map_are_free_text() -> None:
    config = {"kind": "ConfigMap", "data": {"a": "${A}"}, "metadata": {"annotations": {"b": "$B"}}}

    assert [] == placeholders(config)  # type: ignore[arg-type] # literals are of narrower types


def test_the_name_of_a_variable_and_where_it_comes_from_are_typed() -> None:
    env = "env: [{name: $A, valueFrom: {secretKeyRef: {name: '${B}', key: c}}}]"

    assert [("name", ("A",)), ("name", ("B",))] == found(WORKER % role(env))


def test_a_key_can_be_a_placeholder() -> None:
    assert [("${LABEL}", ("LABEL",))] == found("{nodeSelector: {'${LABEL}': x}}")


def test_the_finding_names_each_variable_once_and_stands_at_the_first() -> None:
    body = job("{a: '${B}/${A}', c: '${A}', d: '<e>'}")
    finding = template_finding(placeholders(body), "genjob import -")

    assert ("spec", "a") == finding.path
    assert "found the placeholders 'B', 'A' and 'e'; this is a template" == finding.message
    assert "fill it in first: `envsubst < job.yaml-template | genjob import -`" == finding.hint


def test_of_many_variables_the_first_ones_are_named() -> None:
    body = job(f"{{a: '{' '.join(f'$V{n}' for n in range(10))}'}}")

    assert template_finding(placeholders(body), "x").message.endswith(
        "'V6' and 'V7' and 2 more; this is a template"
    )
