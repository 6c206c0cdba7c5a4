"""`genjob explain`: goldens of both of its faces, the chain of one value, JSON, wrong calls.

A case is a folder of `tests/explain`: a workspace beside what is printed of its experiment.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import MakesWorkspace, RunsCommand

CASES = Path(__file__).parent.parent / "explain"
NAMES = sorted(path.name for path in CASES.iterdir())
FACES: dict[str, tuple[str, ...]] = {"values.txt": (), "network.txt": ("--network",)}
WIDTH = 100
TWO_ROLES = CASES / "master-and-workers"

HEAD = "version: genjob/v1\nname: train\nimage: train:1.0\n"
PROD = "version: genjob/v1\nname: prod\nnamespace: ml-prod\n"


def explained(run_cli: RunsCommand, root: Path, *args: str) -> str:
    """Return what is printed of the experiment `train` in `prod`."""
    ran = run_cli("explain", "train", "--env", "prod", "-C", root, *args)
    assert 0 == ran.exit_code, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", NAMES)
def test_an_explanation_is_exactly_what_is_expected(
    name: str, face: str, run_cli: RunsCommand, *, update_golden: bool
) -> None:
    expected = CASES / name / face
    found = explained(run_cli, CASES / name, *FACES[face])
    if update_golden:
        expected.write_text(found, encoding="utf-8", newline="\n")

    assert expected.read_text(encoding="utf-8") == found


@pytest.mark.parametrize("name", NAMES)
def test_ranks_and_picture_fit_a_terminal_and_stay_short(name: str, run_cli: RunsCommand) -> None:
    lines = explained(run_cli, CASES / name, "--network").splitlines()

    assert WIDTH >= max(map(len, lines))
    assert 100 > len(lines)


@pytest.mark.parametrize("name", NAMES)
def test_ascii_has_the_same_columns(name: str, run_cli: RunsCommand) -> None:
    drawn = explained(run_cli, CASES / name, "--network").splitlines()
    plain = explained(run_cli, CASES / name, "--network", "--ascii")

    assert plain.isascii()
    assert [*map(len, drawn)] == [*map(len, plain.splitlines())]


def test_a_stream_that_cannot_draw_gets_ascii(
    run_cli: RunsCommand, monkeypatch: pytest.MonkeyPatch, repo: MakesWorkspace
) -> None:
    root = repo(
        {
            "environments/prod.yaml": PROD,
            "experiments/train/experiment.yaml": HEAD
            + "script: träin.py\nenvironments: {prod: {}}\n",
        }
    )
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    run_cli("explain", "train", "--env", "prod", "-C", root)
    stream.flush()
    text = written.getvalue().decode("ascii")

    assert "auto > 1" in text
    assert "tr\\xe4in.py" in text


def test_one_value_is_shown_with_every_layer_the_losing_ones_too(run_cli: RunsCommand) -> None:
    assert """\
nccl.ib_timeout is 22 in prod

wins   22  experiment, environment prod  experiments/train/experiment.yaml:19
loses  20  node pool h100                environments/prod.yaml:11
loses  21  environment defaults          environments/prod.yaml:15
""" == explained(run_cli, TWO_ROLES, "nccl.ib_timeout")


def test_a_default_is_the_lowest_layer(run_cli: RunsCommand) -> None:
    assert """\
nodes is 4 in prod

wins   4  experiment  experiments/train/experiment.yaml:5
loses  1  default
""" == explained(run_cli, TWO_ROLES, "nodes")
    assert """\
nproc_per_node is auto, that is '8' in prod

wins  auto  default
""" == explained(run_cli, TWO_ROLES, "nproc_per_node")


def test_an_environment_variable_is_one_value_and_a_section_is_several(
    run_cli: RunsCommand,
) -> None:
    assert "env.WANDB_API_KEY is {secret: wandb, key: api-key} in prod\n" in explained(
        run_cli, TWO_ROLES, "env.WANDB_API_KEY"
    )
    section = explained(run_cli, TWO_ROLES, "scheduling").splitlines()
    assert ["scheduling.queue", "scheduling.spread", "scheduling.node_selector.pool"] == [
        line.split()[0] for line in section[3:]
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("storage[1].pvc.size", "storage[1].pvc.size is 500Gi in prod"),
        ("storage.out.pvc.size", "storage[1].pvc.size is 500Gi in prod"),
        ("resources.extended['rdma/ib']", "resources.extended['rdma/ib'] is 8 in prod"),
        ("resources.extended.rdma/ib", "resources.extended['rdma/ib'] is 8 in prod"),
        ("network.fabric", "network.fabric is auto, that is 'infiniband' in prod"),
        ("elastic.rdzv_host", "elastic.rdzv_host is not set in prod"),
        ("env.NO", "env.NO is not set in prod"),
        ("storage[9]", "storage[9] is not set in prod"),
    ],
)
def test_a_value_is_named_by_its_path(path: str, expected: str, run_cli: RunsCommand) -> None:
    assert expected == explained(run_cli, TWO_ROLES, path).splitlines()[0]


def test_a_value_that_a_higher_layer_ruled_out_is_told(
    run_cli: RunsCommand, repo: MakesWorkspace
) -> None:
    root = repo(
        {
            "environments/prod.yaml": PROD,
            "experiments/train/experiment.yaml": HEAD
            + "command: [sh]\nenvironments: {prod: {script: a.py}}\n",
        }
    )

    assert """\
command is not set in prod

unset  [sh]  experiment  experiments/train/experiment.yaml:4
""" == explained(run_cli, root, "command")


def test_tolerations_add_up(run_cli: RunsCommand, repo: MakesWorkspace) -> None:
    pool = "node_pools: [{name: cpu, tolerations: [{key: a, operator: Exists}]}]\n"
    root = repo(
        {
            "environments/prod.yaml": PROD + pool + "defaults: {security: {capabilities: [A]}}\n",
            "experiments/train/experiment.yaml": HEAD + "script: a.py\n"
            "security: {capabilities: [B]}\nenvironments: {prod: {}}\n",
        }
    )

    assert """\
security.capabilities is [A, B] in prod

adds  [B]  experiment            experiments/train/experiment.yaml:5
adds  [A]  environment defaults  environments/prod.yaml:5
""" == explained(run_cli, root, "security.capabilities")


def test_what_the_operator_overwrites_is_told(run_cli: RunsCommand, repo: MakesWorkspace) -> None:
    root = repo(
        {
            "environments/prod.yaml": PROD,
            "experiments/train/experiment.yaml": HEAD
            + 'script: a.py\nenv: {RANK: "7"}\nenvironments: {prod: {}}\n',
        }
    )
    lines = explained(run_cli, root, "--network").splitlines()

    assert ["RANK", "0", "operator, not '7' of experiment.yaml:5"] == next(
        line.split(maxsplit=2) for line in lines if line.startswith("RANK ")
    )


def test_roles_that_would_choose_different_networks_are_told_apart(
    run_cli: RunsCommand, repo: MakesWorkspace
) -> None:
    root = repo(
        {
            "environments/prod.yaml": PROD,
            "experiments/train/experiment.yaml": HEAD + "script: a.py\nnodes: 2\n"
            "resources: {gpus_per_node: 1}\nenv: {NCCL_NET: Socket}\n"
            "master: {env: {NCCL_NET: IBext}}\nenvironments: {prod: {}}\n",
        }
    )
    lines = run_cli("explain", "train", "--env", "prod", "--network", "-C", root).stdout

    assert "Transport of the Master: NET/IBext" in lines
    assert "Transport of the Worker: NET/Socket" in lines


def test_json_of_values_names_layers_files_and_lines(run_cli: RunsCommand) -> None:
    data = json.loads(explained(run_cli, TWO_ROLES, "--format", "json"))
    by_path = {value["path"]: value for value in data["values"]}
    place = {"file": "experiments/train/experiment.yaml", "line": 12, "column": 25}

    assert ("train", "prod", "h100", "infiniband") == (
        *(data[key] for key in ("experiment", "environment", "node_pool", "fabric")),
    )
    assert {
        "path": "env_from[0].config_map",
        "value": "shared",
        "means": "",
        "is_set": True,
        "chain": [
            {"effect": "wins", "layer": "experiment", "value": "shared", **place},
        ],
    } == by_path["env_from[0].config_map"]
    assert "08" == by_path["config.EPOCHS"]["value"]


@pytest.mark.parametrize(
    ("path", "value", "effects"),
    [
        ("nccl.ib_timeout", "22", ["wins", "loses", "loses"]),
        ("nproc_per_node", "auto", ["wins"]),
        ("scheduling.tolerations", None, []),
    ],
)
def test_json_of_one_value_has_the_losing_layers(
    path: str, value: str | None, effects: list[str], run_cli: RunsCommand
) -> None:
    (found,) = json.loads(explained(run_cli, TWO_ROLES, path, "--format", "json"))["values"]

    assert (path, value, value is not None) == (found["path"], found["value"], found["is_set"])
    assert effects == [claim["effect"] for claim in found["chain"]]


def test_json_of_the_network_has_every_pod_with_its_variables(run_cli: RunsCommand) -> None:
    data = json.loads(explained(run_cli, TWO_ROLES, "--network", "--format", "json"))
    worker = data["pods"][3]

    assert ({"least": 32, "most": 32}, "32") == (data["ranks"], data["world_size"])
    assert ("train-worker-2", 3, [24, 31]) == (
        *(worker[key] for key in ("name", "node_rank", "ranks")),
    )
    assert {"name": "RANK", "value": "3"} in worker["env"]["pytorch"]
    assert {"NET/IB"} == {each["between"] for each in data["transports"].values()}
    assert [f"train-{name}" for name in ("master-0", "worker-0", "worker-1", "worker-2")] == [
        service["name"] for service in data["services"]
    ]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nccl.ib_timeot",), "there is no field 'nccl.ib_timeot'; did you mean 'ib_timeout'?"),
        (("nodez",), "there is no field 'nodez'; did you mean 'nodes'?"),
        (("a[",), "'a[' is no path; write it as in nccl.ib_hca"),
        (("nodes", "--network"), "say either PATH or --network"),
    ],
)
def test_a_wrong_call_is_told(args: tuple[str, ...], message: str, run_cli: RunsCommand) -> None:
    ran = run_cli("explain", "train", "--env", "prod", "-C", TWO_ROLES, *args)

    assert (2, "") == (ran.exit_code, ran.stdout)
    assert message in ran.stderr


def test_an_experiment_with_errors_is_explained_as_far_as_it_resolves(
    run_cli: RunsCommand, repo: MakesWorkspace
) -> None:
    files = {
        "environments/prod.yaml": PROD,
        "experiments/train/experiment.yaml": HEAD + "script: a.py\nnodes: 2\n"
        "pod_overrides: {hostPID: sometimes}\nenvironments: {prod: {}}\n",
    }
    ran = run_cli("explain", "train", "nodes", "--env", "prod", "-C", repo(files))

    assert 1 == ran.exit_code
    assert "error:" in ran.stderr
    assert ran.stdout.startswith("nodes is 2 in prod\n")


def test_an_experiment_that_does_not_resolve_is_told_as_by_validate(
    run_cli: RunsCommand, repo: MakesWorkspace
) -> None:
    files = {
        "environments/prod.yaml": PROD,
        "experiments/train/experiment.yaml": HEAD + "node: 2\nenvironments: {prod: {}}\n",
    }
    root = repo(files)
    ran = run_cli("explain", "train", "--env", "prod", "-C", root)

    assert (1, "") == (ran.exit_code, ran.stdout)
    assert run_cli("validate", "train", "--env", "prod", "-C", root).stderr == ran.stderr


@pytest.mark.parametrize(
    ("name", "environment", "message"),
    [
        ("train", "dev", "there is no environment 'dev'"),
        ("nobody", "prod", "there is no experiment 'nobody'"),
        ("idle", "prod", "experiment 'idle' does not name environment 'prod'"),
    ],
)
def test_what_is_not_there_is_told(
    name: str, environment: str, message: str, run_cli: RunsCommand, repo: MakesWorkspace
) -> None:
    body = "script: a.py\n"
    root = repo(
        {
            "environments/prod.yaml": PROD,
            "experiments/train/experiment.yaml": HEAD + body + "environments: {prod: {}}\n",
            "experiments/idle/experiment.yaml": HEAD.replace("train\n", "idle\n") + body,
        }
    )
    ran = run_cli("explain", name, "--env", environment, "-C", root)

    assert (1, "") == (ran.exit_code, ran.stdout)
    assert message in ran.stderr
