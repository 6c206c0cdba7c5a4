"""The pods and Services of a job: names, labels, and every variable by value.

What is expected was compared with what the operator's own code makes (v1.9.0) of the same jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.prediction import held_back, predicted_pods, predicted_services
from tests.hand_written import job, role

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

MASTER_ONLY = f"pytorchReplicaSpecs: {{Master: {role('')}}}"
BOTH = f"pytorchReplicaSpecs: {{Master: {role('')}, Worker: {role('', replicas=2)}}}"
WORKERS = f"pytorchReplicaSpecs: {{Worker: {role('', replicas=4)}}}"


def env(body: JsonObject, pod: int = 0, container: str = "pytorch") -> list[str]:
    """Return the variables of a container of a pod as `NAME=value`, in their order."""
    found = predicted_pods(body)[pod].containers[container]["env"]
    assert isinstance(found, list)
    return [f"{_get(entry, 'name')}={_get(entry, 'value')}" for entry in found]


def _get(entry: Json, key: str) -> Json:
    return entry.get(key) if isinstance(entry, dict) else None


def test_a_lone_master_is_told_that_it_is_the_only_one() -> None:
    assert [
        "PYTHONUNBUFFERED=1",
        "MASTER_PORT=23456",
        "PET_MASTER_PORT=23456",
        "MASTER_ADDR=llama-master-0",
        "PET_MASTER_ADDR=llama-master-0",
        "WORLD_SIZE=1",
        "RANK=0",
        "PET_NODE_RANK=0",
        "PET_NPROC_PER_NODE=auto",
        "PET_NNODES=1",
    ] == env(job(MASTER_ONLY))


def test_workers_are_ranked_behind_the_master() -> None:
    body = job(f"nprocPerNode: '8'\n{BOTH}")
    expected = [
        "PYTHONUNBUFFERED=1",
        "MASTER_PORT=23456",
        "PET_MASTER_PORT=23456",
        "MASTER_ADDR=llama-master-0",
        "PET_MASTER_ADDR=llama-master-0",
        "WORLD_SIZE=24",
        "RANK=2",
        "PET_NODE_RANK=2",
        "PET_NPROC_PER_NODE=8",
        "PET_NNODES=3",
    ]

    assert expected == env(body, pod=2)
    assert [0, 1, 2] == [pod.node_rank for pod in predicted_pods(body)]


@pytest.mark.parametrize(
    ("written", "world_size"),
    [("'8'", 24), ("auto", 3), ("gpu", 3), ("cpu", 3), ("'08'", 24), ("'+2'", 6), ("' 8'", 3)],
)
def test_world_size_counts_only_what_go_reads_as_a_number(written: str, world_size: int) -> None:
    found = env(job(f"nprocPerNode: {written}\n{BOTH}"))

    assert f"WORLD_SIZE={world_size}" in found
    assert f"PET_NPROC_PER_NODE={written.strip(chr(39))}" in found


def test_an_elastic_job_is_told_of_the_rendezvous_and_of_no_rank() -> None:
    spec = f"""
elasticPolicy:
  minReplicas: 2
  maxReplicas: 8
  maxRestarts: 0
  rdzvBackend: etcd-v2
  rdzvHost: etcd.example.com
  rdzvPort: 2379
  rdzvId: run-1
  rdzvConf: [{{key: join_timeout, value: "600"}}, {{key: is_host, value: "no"}}]
  standalone: true
{WORKERS}"""

    assert [
        "PYTHONUNBUFFERED=1",
        "PET_NPROC_PER_NODE=auto",
        "PET_RDZV_ENDPOINT=etcd.example.com:2379",
        "PET_RDZV_BACKEND=etcd-v2",
        "PET_NNODES=2:8",
        "PET_MAX_RESTARTS=0",
        "PET_RDZV_ID=run-1",
        "PET_RDZV_CONF=join_timeout=600,is_host=no",
        "PET_STANDALONE=",
    ] == env(job(spec), pod=3)


def test_an_empty_elastic_policy_means_all_workers_at_the_first() -> None:
    assert [
        "PYTHONUNBUFFERED=1",
        "PET_NPROC_PER_NODE=auto",
        "PET_RDZV_ENDPOINT=llama-worker-0:23456",
        "PET_RDZV_BACKEND=c10d",
        "PET_NNODES=4:4",
    ] == env(job(f"elasticPolicy: {{}}\n{WORKERS}"))


@pytest.mark.parametrize(
    ("policy", "nnodes"),
    [
        ("minReplicas: 2", "2:2"),
        ("maxReplicas: 9", "9:9"),
        ("minReplicas: 5, maxReplicas: 1", "5:1"),
    ],
)
def test_one_bound_stands_for_both_and_nobody_compares_them(policy: str, nnodes: str) -> None:
    assert f"PET_NNODES={nnodes}" in env(job(f"elasticPolicy: {{{policy}}}\n{WORKERS}"))


def test_the_deprecated_field_of_the_elastic_policy_takes_the_place_of_the_default() -> None:
    body = job(f"elasticPolicy: {{nProcPerNode: 4}}\n{WORKERS}")

    assert ["PET_NPROC_PER_NODE=4"] == [each for each in env(body) if "NPROC" in each]


def test_a_master_beside_an_elastic_policy_is_told_both() -> None:
    found = env(job(f"elasticPolicy: {{}}\n{BOTH}"))

    assert {"RANK=0", "WORLD_SIZE=3", "PET_NNODES=2:2"} <= {*found}


def test_workers_alone_are_told_no_rank_and_no_address() -> None:
    assert ["PYTHONUNBUFFERED=1", "PET_NPROC_PER_NODE=auto", "PET_NNODES=4"] == env(
        job(WORKERS), pod=1
    )


def test_the_port_of_the_master_is_told_to_all() -> None:
    ports = "ports: [{name: web, containerPort: 80}, {name: pytorchjob-port, containerPort: 29500}]"
    spec = f"pytorchReplicaSpecs: {{Master: {role(ports)}, Worker: {role('')}}}"

    assert "MASTER_PORT=29500" in env(job(spec), pod=1)
    assert [
        ("llama-master-0", {"web": 80, "pytorchjob-port": 29500}),
        ("llama-worker-0", {"pytorchjob-port": 23456}),
    ] == [(service.name, service.ports) for service in predicted_services(job(spec))]


def test_the_default_port_stands_in_the_container_too() -> None:
    (pod,) = predicted_pods(job(MASTER_ONLY))

    assert [{"name": "pytorchjob-port", "containerPort": 23456}] == pod.main["ports"]


def test_side_cars_are_told_the_same_and_init_containers_nothing() -> None:
    spec = """
pytorchReplicaSpecs:
  Worker:
    template:
      spec:
        initContainers: [{name: fetch, image: i, env: [{name: A, value: "1"}]}]
        containers:
        - {name: board, image: i, env: [{name: B, value: "no"}]}
        - {name: pytorch, image: i}
"""
    body = job(spec)
    (pod,) = predicted_pods(body)

    assert ["B=no", *env(body)] == env(body, container="board")
    assert [{"name": "A", "value": "1"}] == pod.init_containers["fetch"]["env"]


def test_workers_wait_for_the_name_of_the_master_after_their_own_init_containers() -> None:
    own = "initContainers: [{name: fetch, image: i}]"
    spec = f"pytorchReplicaSpecs: {{Master: {role('')}, Worker: {role('', beside=own)}}}"
    master, worker = predicted_pods(job(spec))

    assert [] == [*master.init_containers]
    assert ["fetch", "init-pytorch"] == [*worker.init_containers]
    assert "nslookup llama-master-0" in str(worker.init_containers["init-pytorch"]["command"])


def test_the_operator_stands_behind_what_people_write_and_takes_nothing_away() -> None:
    own = "env: [{name: RANK, value: '7'}, {name: PET_NNODES, value: '9'}]"
    found = env(job(f"pytorchReplicaSpecs: {{Master: {role(own)}}}"))

    assert ["RANK=7", "PET_NNODES=9", "PYTHONUNBUFFERED=1"] == found[:3]
    assert "PET_NNODES=1" == found[-1]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("restartPolicy: ExitCode,", "Never"),
        ("restartPolicy: Always,", "Always"),
        ("", "OnFailure"),
    ],
)
def test_the_restart_policy_is_that_of_the_role(written: str, expected: str) -> None:
    own = role("", beside="restartPolicy: Always").replace("{", f"{{{written}", 1)
    (pod,) = predicted_pods(job(f"pytorchReplicaSpecs: {{Master: {own}}}"))

    assert expected == pod.restart_policy


def test_pods_and_services_carry_the_labels_that_find_them() -> None:
    labels = "metadata: {labels: {team: nlp, training.kubeflow.org/job-name: mine}}"
    own = role("", replicas=2).replace("template: {", f"template: {{{labels}, ")
    spec = f"pytorchReplicaSpecs: {{Worker: {own}}}"
    selector = {
        "training.kubeflow.org/operator-name": "pytorchjob-controller",
        "training.kubeflow.org/job-name": "llama",
        "training.kubeflow.org/replica-type": "worker",
        "training.kubeflow.org/replica-index": "0",
    }
    first, second = predicted_pods(job(spec))
    service = predicted_services(job(spec))[0]

    assert {"team": "nlp", **selector, "training.kubeflow.org/job-role": "master"} == first.labels
    assert "training.kubeflow.org/job-role" not in second.labels
    assert (selector, selector) == (service.selector, service.labels)


@pytest.mark.parametrize(
    ("beside", "expected"),
    [("", "llama-master-0"), ("hostname: '08'", "08"), ("hostNetwork: true", None)],
)
def test_a_pod_is_called_as_its_name_unless_it_has_another(
    beside: str, expected: str | None
) -> None:
    (pod,) = predicted_pods(job(f"pytorchReplicaSpecs: {{Master: {role('', beside=beside)}}}"))

    assert expected == pod.hostname


def test_a_host_name_is_cut_where_a_dns_label_ends() -> None:
    (pod,) = predicted_pods(job(MASTER_ONLY, name="a" * 55))

    assert "a" * 55 + "-master" == pod.hostname


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("{}", ""),
        ("{suspend: true}", "it is suspended until someone resumes it"),
        ("{managedBy: kueue.x-k8s.io/multikueue}", "MultiKueue runs it in another cluster"),
    ],
)
def test_a_job_may_be_held_back(policy: str, expected: str) -> None:
    assert expected == held_back(job(f"runPolicy: {policy}\n{MASTER_ONLY}"))


def test_a_queue_holds_a_job_back() -> None:
    body = job(MASTER_ONLY)
    body["metadata"] = {"name": "llama", "labels": {"kueue.x-k8s.io/queue-name": "nlp"}}

    assert "Kueue holds it back until queue 'nlp' admits it" == held_back(body)


@pytest.mark.parametrize("spec", ["{}", "pytorchReplicaSpecs: {Master: null}", "[]", "null"])
def test_what_has_no_roles_has_no_pods(spec: str) -> None:
    assert ([], []) == (predicted_pods(job(spec)), predicted_services(job(spec)))
