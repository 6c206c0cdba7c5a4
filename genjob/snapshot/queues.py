"""Objects of Kueue → its queues, quotas and flavors, in both spellings of its API.

Source: https://kueue.sigs.k8s.io/docs/reference/kueue.v1beta1/ and kueue.v1beta2 (cohortName).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.rules.walk import as_list, as_object, get, parts
from genjob.yamltext import to_flow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from genjob.jsontypes import Json, JsonObject


def local_queues(items: Iterable[JsonObject]) -> list[Json]:
    """Return the LocalQueues, by namespace and name."""
    found: list[JsonObject] = [
        _filled(
            namespace=get(item, "metadata", "namespace"),
            name=get(item, "metadata", "name"),
            cluster_queue=get(item, "spec", "clusterQueue"),
            stop_policy=_stop_policy(item),
        )
        for item in items
    ]
    return [*sorted(found, key=to_flow)]


def cluster_queues(items: Iterable[JsonObject]) -> JsonObject:
    """Return the ClusterQueues by name, with one row for each quota."""
    return {
        name: _filled(
            cohort=get(item, "spec", "cohortName") or get(item, "spec", "cohort"),
            stop_policy=_stop_policy(item),
            quotas=sorted(_quotas(item), key=to_flow),
        )
        for name, item in by_name(items)
    }


def flavors(items: Iterable[JsonObject]) -> JsonObject:
    """Return the ResourceFlavors by name."""
    return {
        name: _filled(
            node_labels=as_object(get(item, "spec", "nodeLabels")),
            tolerations=as_list(get(item, "spec", "tolerations")),
        )
        for name, item in by_name(items)
    }


def by_name(items: Iterable[JsonObject]) -> Iterator[tuple[str, JsonObject]]:
    """Yield objects with their names, in the order of these."""
    yield from sorted(((str(get(item, "metadata", "name")), item) for item in items), key=_first)


def _first(pair: tuple[str, JsonObject]) -> str:
    return pair[0]


def _quotas(item: JsonObject) -> Iterator[JsonObject]:
    for _, group in parts((), get(item, "spec", "resourceGroups")):
        for _, flavor in parts((), group.get("flavors")):
            for _, resource in parts((), flavor.get("resources")):
                yield _filled(
                    resource=resource.get("name"),
                    flavor=flavor.get("name"),
                    nominal=_text(resource.get("nominalQuota")),
                    borrowing_limit=_text(resource.get("borrowingLimit")),
                )


def _text(quantity: Json) -> Json:
    return None if quantity is None else str(quantity)


def _stop_policy(item: JsonObject) -> Json:
    policy = get(item, "spec", "stopPolicy")
    return None if policy == "None" else policy


def _filled(**fields: Json) -> JsonObject:
    """Return the fields that say something."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}
