"""What a researcher says → two digests: what reaches the pods, and what was typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from genjob.resolve.job import resolve
from genjob.runs.own import insists, own_part
from tests.written import HEAD, document, environment

if TYPE_CHECKING:
    from genjob.resolve.job import Job
    from genjob.runs.own import Own

TEXT = f"""\
{HEAD}resources: {{gpus_per_node: 1, memory: 64Gi}}
storage:
  - {{name: data, mount_path: /data, pvc: {{size: 1Ti}}}}
  - {{name: tmp, mount_path: /tmp/x, empty_dir: {{size: 1Gi}}}}
env: {{LR: 1e-4}}
environments: {{prod: {{args: [-v]}}}}
"""

EDITS: dict[str, tuple[str, str, str]] = {
    "a label": ("", "env:", "labels: {team: nlp}\nenv:"),
    "an annotation": ("", "env:", "annotations: {note: x}\nenv:"),
    "a label of the pods": ("", "env:", "pod_labels: {team: nlp}\nenv:"),
    "a label of the job alone": ("", "env:", "job_labels: {ticket: x}\nenv:"),
    "the name of the run": ("", "env:", 'run: {id: "3"}\nenv:'),
    "a comment": ("", "env:", "# said once more\nenv:"),
    "memory spelled otherwise": ("", "64Gi", "65536Mi"),
    "a size spelled otherwise": ("", "size: 1Gi", "size: 1024Mi"),
    "another size of a claim": ("", "1Ti", "2Ti"),
    "a section that says nothing": ("", "env:", "master: {}\nenv:"),
    "another environment": ("", "{args: [-v]}", "{args: [-v]}, dev: {nodes: 9}"),
    "a default that is written down": ("written", "env:", "nodes: 1\nenv:"),
    "a run policy": ("policy", "env:", "run_policy: {backoff_limit: 3}\nenv:"),
    "a default of the run policy": (
        "policy",
        "env:",
        "run_policy: {restart_policy: OnFailure}\nenv:",
    ),
    "a queue": ("queue", "env:", "scheduling: {queue: a}\nenv:"),
    "a gang": ("queue", "env:", "scheduling: {gang: {min_available: 1}}\nenv:"),
    "an image": ("said written", "train:1.0", "train:1.1"),
    "a variable": ("said written", "1e-4", "2e-4"),
    "a number, which is the text that was typed": ("said written", "1e-4", "0.0001"),
    "memory": ("said written", "64Gi", "65Gi"),
    "a mount": ("said written", "/data", "/data2"),
    "an argument of the override": ("said written", "[-v]", "[-vv]"),
    "an argument of the Workers": ("said written", "env:", "worker: {args: [-q]}\nenv:"),
    "an override of the job": (
        "said written",
        "env:",
        "job_overrides: {nprocPerNode: gpu}\nenv:",
    ),
    "an argument of the Master": ("said written", "env:", "master: {args: [-q]}\nenv:"),
    "a claim that exists": ("said written", "{size: 1Ti}", "{claim: data}"),
}
"""An edit → the digests that notice it, and the text that becomes another."""

PLAIN = ("", "")


def alone(edit: tuple[str, str] = PLAIN) -> Job:
    """Return the experiment with an edit and its override, without its environment."""
    assert edit[0] in TEXT
    job, problems = resolve(document(TEXT.replace(*edit, 1)), override="prod")
    assert job is not None, problems
    return job


def part(edit: tuple[str, str] = PLAIN) -> Own:
    return own_part(alone(edit))


@pytest.mark.parametrize("what", EDITS)
def test_a_digest_notices_what_it_is_for(what: str) -> None:
    noticed, *edit = EDITS[what]
    before, after = part(), part((edit[0], edit[1]))

    found = [name for name in before._fields if getattr(before, name) != getattr(after, name)]

    assert noticed.split() == found


def test_the_content_of_a_file_beside_reaches_the_pods() -> None:
    job = replace(alone(), files={"train.py": b"1"})
    edited = replace(alone(), files={"train.py": b"2"})

    assert own_part(job).said != own_part(edited).said
    assert own_part(job).written != own_part(edited).written


def test_the_digests_never_change() -> None:
    """A newer version of the program must find that nobody edited anything."""
    assert ["b019", "b019", "d827", "d827"] == [each[:4] for each in part()]


NODES = ("env:", "nodes: 1\nenv:")
SPREAD = ("env:", "scheduling: {spread: none}\nenv:")


@pytest.mark.parametrize(
    ("edit", "around", "expected"),
    [
        (NODES, "defaults: {nodes: 4}\n", True),
        (NODES, "defaults: {nodes: 1}\n", False),
        (NODES, "", False),
        (PLAIN, "defaults: {nodes: 4}\n", False),
        (("env:", "nodes: 2\nenv:"), "defaults: {nodes: 4}\n", False),
        (("env:", "ports: []\nenv:"), "defaults: {ports: [{name: a, port: 80}]}\n", True),
        (SPREAD, "defaults: {scheduling: {spread: required}}\n", True),
    ],
)
def test_an_experiment_insists_on_a_default_where_its_environment_says_otherwise(
    edit: tuple[str, str],
    around: str,
    expected: bool,  # noqa: FBT001 # a column of the table
) -> None:
    job, problems = resolve(document(TEXT.replace(*edit, 1)), environment(around), override="prod")
    assert job is not None, problems

    assert expected == insists(job, alone(edit))
