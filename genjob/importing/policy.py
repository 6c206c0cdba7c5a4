"""The `runPolicy` of a job → the fields `run_policy` and `scheduling.gang`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from genjob.importing.rest import (
    below,
    drop_if_empty,
    present,
    take_count,
    take_flag,
    take_text,
    take_word,
)
from genjob.model.duration import words
from genjob.prediction.defaults import DEFAULT_RESTART_POLICY
from genjob.quantity import read_quantity

if TYPE_CHECKING:
    from genjob.jsontypes import Json, JsonObject

_CLEAN: Final = ("Running", "All", "None")
_OPERATORS_CLEAN: Final = "None"
"""What the operator takes when nothing is said; an experiment's own default is another."""

_RESTART: Final = (DEFAULT_RESTART_POLICY, "Never", "Always", "ExitCode")
_MANAGERS: Final = ("kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue")


class Policy(NamedTuple):
    """The section `run_policy`, and `gang` of `scheduling`."""

    run_policy: JsonObject
    gang: JsonObject | None


def policy(spec: JsonObject, roles: JsonObject) -> Policy:
    """Take how a run ends. `roles` are the replica specs, the one that decides first."""
    rest = below(spec, "runPolicy")
    clean = take_word(rest, "cleanPodPolicy", _CLEAN)
    said = clean or (_OPERATORS_CLEAN if "cleanPodPolicy" not in rest else None)
    made = present(
        restart_policy=_restart_policy(roles),
        backoff_limit=take_count(rest, "backoffLimit"),
        active_deadline=_duration(rest, "activeDeadlineSeconds"),
        clean_pod_policy=None if said == _CLEAN[0] else said,
        ttl_seconds_after_finished=take_count(rest, "ttlSecondsAfterFinished"),
        suspend=take_flag(rest, "suspend"),
        managed_by=take_word(rest, "managedBy", _MANAGERS),
    )
    gang = _gang(rest) if isinstance(rest.get("schedulingPolicy"), dict) else None
    drop_if_empty(rest, "schedulingPolicy")
    drop_if_empty(spec, "runPolicy")
    return Policy(made, gang)


def _restart_policy(roles: JsonObject) -> str | None:
    """Take the restart policy of the first role, and of each other that has the same."""
    replicas = [below(roles, name) for name in roles]
    written = [each.get("restartPolicy", DEFAULT_RESTART_POLICY) for each in replicas]
    word = next((each for each in written if each in _RESTART), None)
    for each, own in zip(replicas, written, strict=True):
        if own == word:
            each.pop("restartPolicy", None)
        else:
            each.setdefault("restartPolicy", own)
    return None if word == DEFAULT_RESTART_POLICY else str(word) if word else None


def _gang(rest: JsonObject) -> JsonObject:
    own = below(rest, "schedulingPolicy")
    return present(
        min_available=take_count(own, "minAvailable", least=1),
        queue=take_text(own, "queue"),
        priority_class=take_text(own, "priorityClass"),
        min_resources=_amounts(own),
        schedule_timeout=_duration(own, "scheduleTimeoutSeconds"),
    )


def _amounts(rest: JsonObject) -> JsonObject:
    table = below(rest, "minResources")
    if not table or not all((read_quantity(each) or -1) >= 0 for each in table.values()):
        return {}
    del rest["minResources"]
    return table


def _duration(rest: JsonObject, key: str) -> Json:
    seconds = take_count(rest, key)
    return None if seconds is None else words(seconds)
