"""The objects of an overlay → how the cluster takes and runs them otherwise than we say.

Everything is returned in lines for a test to show; no lines mean that all is as it should be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.prediction import predicted_pods, predicted_services
from genjob.rules.walk import get
from tests.cluster.api import eventually
from tests.cluster.comparison import lost, pod_differences, service_differences
from tests.cluster.overlays import provide
from tests.cluster.running_jobs import (
    complaints,
    is_of_multikueue,
    names,
    pods_of,
    resumed,
    services_of,
)

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject
    from tests.cluster.api import Cluster
    from tests.cluster.overlays import Overlay


def applied(cluster: Cluster, overlay: Overlay) -> list[str]:
    """Apply an overlay; return what was refused, warned of, dropped or changed."""
    provide(cluster, overlay)
    problems: list[str] = []
    for body in overlay.objects:
        answer = cluster.apply(body)
        problems += lost(body, answer.body) if answer.is_accepted else [answer.message]
        problems += answer.warnings
    return problems


def unlike_the_prediction(cluster: Cluster, overlay: Overlay) -> list[str]:
    """Wait for the pods and Services of a job; return how they differ from the prediction."""
    if is_of_multikueue(overlay.job):
        return [f"found {name}" for name in pods_of(cluster, overlay.job)]
    job = resumed(cluster, overlay.job)
    pods, services = predicted_pods(job), predicted_services(job)
    found = eventually(lambda: pods_of(cluster, job), lambda made: len(made) >= len(pods))
    beside = eventually(lambda: services_of(cluster, job), lambda made: len(made) >= len(services))
    if {*found} != names(pods) or {*beside} != names(services):
        wrong = f"found {sorted(found)} and {sorted(beside)}, predicted {sorted(names(pods))}"
        return [wrong, *complaints(cluster, job)]
    return [
        *(f"{p.name}: {line}" for p in pods for line in pod_differences(p, found[p.name])),
        *(f"{s.name}: {line}" for s in services for line in service_differences(s, beside[s.name])),
    ]


def changed_by_applying_again(cluster: Cluster, overlay: Overlay) -> list[str]:
    """Apply an overlay that is applied; return the kinds of the objects that this changed.

    A job that was resumed here is left out: applying it suspends it again.
    """
    is_resumed = bool(get(overlay.job, "spec", "runPolicy", "suspend"))
    objects = overlay.objects[:-1] if is_resumed else overlay.objects
    return [str(body["kind"]) for body in objects if not _stays(cluster, body)]


def _stays(cluster: Cluster, body: JsonObject) -> bool:
    """Apply once more; the operator may write a status in between, and then it is tried again."""

    def is_unchanged() -> bool:
        before, after = cluster.get(body), cluster.apply(body).body
        return _revision(before) is not None and _revision(before) == _revision(after)

    return eventually(is_unchanged, bool)


def _revision(body: JsonObject | None) -> str | None:
    found = get(body, "metadata", "resourceVersion")
    return None if found is None else str(found)
