"""What a section cannot say together is refused; one passing and one failing input each."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from genjob.model.environment import Environment
from genjob.model.experiment import Experiment
from genjob.model.workspace import Workspace
from tests.written import HEAD, PROD, raw

WITHOUT_PROGRAM = HEAD.replace("script: train.py\n", "")

ACCEPTED = [
    HEAD,
    WITHOUT_PROGRAM + "module: train\n",
    WITHOUT_PROGRAM + "command: [python, train.py]\n",
    HEAD + "env: {A: 1e-4, B: {secret: s, key: k}, C: {config_map: c, key: k}}\n",
    HEAD + "env: {D: {field: status.podIP}, E: {resource: limits.cpu, divisor: 1m}}\n",
    HEAD + "env_from: [{secret: s, prefix: P_}, {config_map: c, optional: true}]\n",
    HEAD + "storage: [{name: a, mount_path: /a, pvc: {claim: b}}]\n",
    HEAD + "storage: [{name: a, mount_path: /a, pvc: {size: 1Gi, storage_class: c}}]\n",
    HEAD + "storage: [{name: a, mount_path: /a, config_map: {name: c, mode: 0o444}}]\n",
    HEAD + "scheduling: {topology: {preferred: rack}}\n",
    HEAD + "resources: {accelerator: h100}\n",
    HEAD + "resources: {accelerator: [v100, a100]}\n",
]
REFUSED = [
    (WITHOUT_PROGRAM, "found none; what an experiment runs is exactly one of"),
    (HEAD + "module: train\n", "found 'script' and 'module'"),
    (HEAD + "env: {A: {secret: s}}\n", "'key' is missing"),
    (HEAD + "env: {A: {field: f, key: k}}\n", "'key' belongs to 'secret' or 'config_map'"),
    (HEAD + "env: {A: {secret: s, config_map: c, key: k}}\n", "found 'secret' and 'config_map'"),
    (HEAD + "env_from: [{optional: true}]\n", "found none; an entry of env_from"),
    (HEAD + "storage: [{name: a, mount_path: /a}]\n", "found none; a storage"),
    (HEAD + "storage: [{name: a, mount_path: /a, pvc: {}}]\n", "found none; a pvc"),
    (
        HEAD
        + "storage: [{name: a, mount_path: /a, pvc: {claim: b, access_mode: ReadWriteOnce}}]\n",
        "belong to a claim that is made with 'size'",
    ),
    (HEAD + "storage: [{name: a, mount_path: /a, config_map: {name: c, mode: 0o1000}}]\n", "511"),
    (HEAD + "storage: [{name: a, mount_path: /a, files: []}]\n", "at least 1 item"),
    (HEAD + "scheduling: {topology: {required: a, preferred: b}}\n", "a topology request"),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_an_experiment_may_say_this(text: str) -> None:
    assert Experiment.model_validate(raw(text)).name == "a"


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_an_experiment_may_not_say_this(text: str, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        Experiment.model_validate(raw(text))


@pytest.mark.parametrize(
    "mirror",
    ["mirror.example.com", "mirror:5000", "mirror.example.com/hub/", "10.0.0.1:5000/a/b_c"],
)
def test_a_mirror_is_a_registry_or_a_path_of_one(mirror: str) -> None:
    text = f'{PROD}registry: {{mirror: {{docker.io: "{mirror}"}}}}\n'

    assert {"docker.io": mirror} == Environment.model_validate(raw(text)).registry.mirror


@pytest.mark.parametrize("mirror", ["https://mirror", "a b", "mirror/Upper", "", "mirror//a"])
def test_a_mirror_is_nothing_else(mirror: str) -> None:
    with pytest.raises(ValidationError):
        Environment.model_validate(raw(f'{PROD}registry: {{mirror: {{a: "{mirror}"}}}}\n'))


def test_an_environment_says_little_and_means_much() -> None:
    model = Environment.model_validate(raw(PROD))

    assert model.cluster.server == "https://kubernetes.default.svc"
    assert (model.target.training_operator, model.target.kubernetes) == ("1.9", "1.31")


@pytest.mark.parametrize("folder", ["ml/experiments", "a"])
def test_a_folder_of_the_workspace_is_accepted(folder: str) -> None:
    model = Workspace.model_validate(raw(f"paths: {{bases: {folder}}}\n"))

    assert folder == model.paths.bases


@pytest.mark.parametrize(
    "folder", ["/srv", "../a", "a/../b", "a//b", "'C:a'", r"'a\b'", "a/", "''"]
)
def test_a_folder_outside_of_the_workspace_is_refused(folder: str) -> None:
    with pytest.raises(ValidationError):
        Workspace.model_validate(raw(f"paths: {{bases: {folder}}}\n"))
