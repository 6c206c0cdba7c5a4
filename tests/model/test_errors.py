"""pydantic's errors become one finding for each mistake, in words and at a place of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel, ValidationError

from genjob.model.environment import Environment
from genjob.model.errors import findings
from genjob.model.experiment import Experiment
from genjob.model.workspace import Workspace
from tests.written import HEAD, PROD, raw

if TYPE_CHECKING:
    from genjob.diagnostics import Finding


def found(text: str, model: type[BaseModel] = Experiment) -> list[Finding]:
    """Return the findings of a text held against a model."""
    tree = raw(text)
    try:
        model.model_validate(tree)
    except ValidationError as error:
        return findings(error, model, tree)
    return []


def only(text: str, model: type[BaseModel] = Experiment) -> tuple[str, str, str, str]:
    """Return code, place, message and hint of the only finding of a text."""
    (finding,) = found(text, model)
    return finding.code, ".".join(map(str, finding.path)), finding.message, finding.hint


WRONG = "GJ103"
MESSAGES = [
    ("nodes: four", "nodes", "found 'four' (string); expected an integer", ""),
    ("nodes: 1.5", "nodes", "found 1.5 (number); expected an integer", ""),
    (
        "nodes: 08",
        "nodes",
        "found '08' (string); expected an integer",
        "write 8 without quotes or leading zeros",
    ),
    ("nodes: true", "nodes", "found true (boolean); expected an integer", ""),
    ("nodes: 0", "nodes", "found 0 (integer); expected at least 1", ""),
    (
        "nodes: <NODES>",
        "nodes",
        "found '<NODES>' (string); expected an integer",
        "variables are not substituted in this file; write the value",
    ),
    (
        "nproc_per_node: gpus",
        "nproc_per_node",
        "found 'gpus' (string); expected an integer or 'auto', 'detect', 'gpu', 'cpu' or 'xpu'",
        "did you mean 'gpu'?",
    ),
    (
        "nproc_per_node: Auto",
        "nproc_per_node",
        "found 'Auto' (string); expected an integer or 'auto', 'detect', 'gpu', 'cpu' or 'xpu'",
        "did you mean 'auto'?",
    ),
    (
        "working_dir: ''",
        "working_dir",
        "found an empty string; expected a text that is not empty",
        "",
    ),
    ("args: --x", "args", "found '--x' (string); expected a list", "write [--x]"),
    ("args: [[a]]", "args.0", "found a list of 1; expected a text", ""),
    (
        "security: {privileged: no}",
        "security.privileged",
        "found 'no' (string); expected true or false",
        "write false",
    ),
    (
        "resources: {memory: 8GiB}",
        "resources.memory",
        "found '8GiB' (string); expected a quantity such as '10Gi', '500m' or '4'",
        "write 8Gi",
    ),
    (
        "resources: {memory: lots}",
        "resources.memory",
        "found 'lots' (string); expected a quantity such as '10Gi', '500m' or '4'",
        "",
    ),
    (
        "resources: {accelerator: []}",
        "resources.accelerator",
        "found an empty list; expected at least 1 item",
        "",
    ),
]


@pytest.mark.parametrize(("text", "path", "message", "hint"), MESSAGES)
def test_a_wrong_value_is_named_with_what_was_expected(
    text: str, path: str, message: str, hint: str
) -> None:
    program = "" if text.startswith("command") else "script: c\n"
    head = "version: genjob/v1\nname: a\nimage: b\n" + program

    assert (WRONG, path, message, hint) == only(head + text + "\n")


def test_a_misspelled_key_is_not_also_reported_as_missing() -> None:
    text = HEAD.replace("image:", "imge:")

    assert only(text) == ("GJ101", "imge", "unknown key 'imge'", "did you mean 'image'?")


def test_a_missing_key_says_what_it_would_be() -> None:
    text = "version: genjob/v1\nname: prod\n"

    assert only(text, Environment) == (
        "GJ102",
        "",
        "'namespace' is missing",
        "write 'namespace: …': namespace that everything is created in",
    )


def test_a_key_that_belongs_elsewhere_is_sent_there() -> None:
    assert only(HEAD + "shm_size: 1Gi\n")[3] == "it belongs under 'resources'"
    assert only(HEAD + "network: {nodes: 2}\n")[3] == "it belongs outside of 'network'"


def test_a_key_near_nothing_gets_the_list_of_the_known_when_it_is_short() -> None:
    assert only(HEAD + "elastic: {min_nodes: 1, max_nodes: 2, zebra: 3}\n")[3] == (
        "known here: max_nodes, max_restarts, metrics, min_nodes, rdzv_backend, rdzv_conf, "
        "rdzv_host, rdzv_id, rdzv_port"
    )
    assert only("zebra: 1\n", Workspace)[3] == "known here: gitops, paths, repo, version"
    assert only(HEAD + "zebra: 1\n")[3] == (
        "`genjob schema show experiment` prints all that there are"
    )


def test_the_tags_of_unions_are_not_part_of_a_place() -> None:
    text = PROD + "node_pools: [{name: a, env: {A: {secret: b, kee: c}}}]\n"

    code, path, *_ = only(text, Environment)

    assert ("GJ101", "node_pools.0.env.A.kee") == (code, path)
