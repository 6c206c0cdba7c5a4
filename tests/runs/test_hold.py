"""A held run: what reaches the pods is as committed, what does not is as it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.runs.hold import hold, keep_policy, keep_queue
from genjob.runs.identity import essence
from tests.runs.a_run import by_slot, claim, config_map, job, pod, slots

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject


def held_job(now: JsonObject, old: JsonObject) -> JsonObject:
    return by_slot(hold(slots(("pytorchjob", now)), [old]))["pytorchjob"]


def test_the_pods_are_as_they_were() -> None:
    old = job(lr="1e-4", elasticPolicy={"minReplicas": 1})

    held = held_job(job(lr="2e-4", nprocPerNode="4"), old)

    assert essence(old) == essence(held)
    assert held["spec"] == old["spec"]


def test_what_the_run_had_not_is_not_there() -> None:
    held = held_job(job(elasticPolicy={"minReplicas": 1}), job())

    assert held == job()


def test_metadata_and_run_policy_are_as_they_are_now() -> None:
    now = job(lr="2e-4", runPolicy={"backoffLimit": 9})
    now["metadata"]["labels"]["team"] = "new"
    now["spec"]["pytorchReplicaSpecs"]["Worker"]["restartPolicy"] = "Never"

    held = held_job(now, job())

    assert held["metadata"] == now["metadata"]
    expected = job(runPolicy={"backoffLimit": 9})["spec"]
    expected["pytorchReplicaSpecs"]["Worker"]["restartPolicy"] = "Never"
    assert expected == held["spec"]


def test_a_role_that_the_run_did_not_have_is_left_out() -> None:
    now = job()
    now["spec"]["pytorchReplicaSpecs"]["Master"] = {"replicas": 1, "template": pod("1e-4")}

    assert job() == held_job(now, job())


def test_a_run_stays_in_its_namespace_with_all_that_it_uses() -> None:
    used = {"pytorchjob": job(), "pvc-data": claim(), "config": config_map("a-config-1")}
    now = {
        slot: body | {"metadata": {"name": body["metadata"]["name"]}} for slot, body in used.items()
    }

    found = by_slot(hold(slots(*now.items()), [*used.values()]))

    assert {"ml"} == {body["metadata"]["namespace"] for body in found.values()}
    assert used.keys() == found.keys()


def test_a_config_map_of_the_run_takes_the_slot_of_the_one_that_would_replace_it() -> None:
    now = slots(("pytorchjob", job()), ("config", config_map("a-config-22222222", LR="2")))
    old = config_map("a-config-11111111", LR="1")

    assert {"pytorchjob": job(), "config": old} == by_slot(hold(now, [job(), old]))


def test_a_config_map_that_nothing_would_replace_is_kept_in_a_slot_of_its_own() -> None:
    old = config_map("a-config-11111111", LR="1")

    found = by_slot(hold(slots(("pytorchjob", job())), [job(), old]))

    assert {"pytorchjob": job(), "held-configmap-a-config-11111111": old} == found


def test_a_config_map_that_the_run_does_not_use_is_left_out() -> None:
    now = slots(("pytorchjob", job()), ("config", config_map("a-config-22222222")))

    assert {"pytorchjob": job()} == by_slot(hold(now, [job()]))


def test_config_maps_of_one_stem_keep_apart() -> None:
    """The files of a storage, for the Workers and otherwise for the Master."""
    now = slots(
        ("pytorchjob", job()),
        ("files-code", config_map("a-code-33333333")),
        ("files-code.master", config_map("a-code-11111111", main="1")),
    )
    master, workers = config_map("a-code-11111111", main="1"), config_map("a-code-22222222")

    found = by_slot(hold(now, [job(), workers, master]))

    assert {"pytorchjob": job(), "files-code": workers, "files-code.master": master} == found


def test_a_claim_that_the_pods_mount_stays_when_nothing_asks_for_it_now() -> None:
    found = by_slot(hold(slots(("pytorchjob", job())), [job(), claim()]))

    assert {"pytorchjob": job(), "held-persistentvolumeclaim-a-data": claim()} == found


def test_a_claim_that_the_pods_do_not_mount_waits() -> None:
    now = slots(("pytorchjob", job()), ("pvc-data", claim()))

    assert {"pytorchjob": job()} == by_slot(hold(now, [job()]))


def test_the_size_of_a_claim_is_as_it_is_now() -> None:
    now = slots(("pytorchjob", job()), ("pvc-data", claim("2Ti")))

    assert {"pytorchjob": job(), "pvc-data": claim("2Ti")} == by_slot(hold(now, [job(), claim()]))


QUEUE = "kueue.x-k8s.io/queue-name"


def test_a_run_that_goes_on_can_keep_its_policy() -> None:
    old, now = job(), job(runPolicy={"backoffLimit": 1, "suspend": True})
    now["metadata"]["labels"] |= {QUEUE: "other", "team": "new"}
    now["spec"]["pytorchReplicaSpecs"]["Worker"]["restartPolicy"] = "Never"

    kept = by_slot(keep_policy(slots(("pytorchjob", now), ("pvc-data", claim())), [old]))

    assert kept["pytorchjob"] == old | {"metadata": now["metadata"]}
    assert kept["pvc-data"] == claim()


def test_a_run_that_goes_on_can_keep_its_queue_and_its_gang() -> None:
    old = job(runPolicy={"backoffLimit": 1, "schedulingPolicy": {"queue": "a"}})
    now = job(runPolicy={"backoffLimit": 2, "schedulingPolicy": {"queue": "b"}})
    old["metadata"]["labels"][QUEUE] = "nlp"
    now["metadata"]["labels"] |= {QUEUE: "other", "team": "new"}

    kept = by_slot(keep_queue(slots(("pytorchjob", now), ("pvc-data", claim())), [old]))

    policy = kept["pytorchjob"]["spec"]["runPolicy"]
    assert {"backoffLimit": 2, "schedulingPolicy": {"queue": "a"}} == policy
    assert {"team": "new", QUEUE: "nlp"} == kept["pytorchjob"]["metadata"]["labels"]
    assert kept["pvc-data"] == claim()


def test_a_run_that_had_no_queue_gets_none() -> None:
    now = job(runPolicy={"backoffLimit": 1, "schedulingPolicy": {"queue": "b"}})
    now["metadata"]["labels"][QUEUE] = "nlp"

    assert job() == by_slot(keep_queue(slots(("pytorchjob", now)), [job()]))["pytorchjob"]


def test_what_is_held_is_not_changed_in_place() -> None:
    now, old = job(lr="2e-4"), job()

    hold(slots(("pytorchjob", now)), [old])
    keep_policy(slots(("pytorchjob", now)), [old])
    keep_queue(slots(("pytorchjob", now)), [old])

    assert (job(lr="2e-4"), job()) == (now, old)
