"""A comparison → JSON for programs; docs/diff.md describes it.

Keys may be added in later versions, none is removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from genjob.difference.change import Brief, RunChange
    from genjob.difference.comparison import Comparison, EnvironmentChange
    from genjob.difference.fields import FieldChange
    from genjob.difference.objects import ObjectChange
    from genjob.difference.usage import Sum
    from genjob.jsontypes import Json, JsonObject
    from genjob.manifest import Identity


def comparison_json(comparison: Comparison) -> JsonObject:
    """Return a comparison: every run to which something happens, the worst first."""
    base = comparison.base
    return {
        "against": {"commit": base.commit, "is": base.said},
        "errors": comparison.errors,
        "verdicts": {str(verdict): count for verdict, count in comparison.verdicts.items()},
        "environments": [_environment(each) for each in comparison.environments],
        "wiring": [{"path": each.path, "diff": [*each.lines]} for each in comparison.wiring],
        "runs": [_run(each) for each in comparison.changed],
        "still_held": [
            {**_place(each), "held": [*each.still_held]}
            for each in comparison.runs
            if each.still_held
        ],
    }


def _environment(each: EnvironmentChange) -> JsonObject:
    queues: list[Json] = [
        {"name": use.name, "before": use.before, "after": use.after, "quota": use.quota}
        for use in each.queues
    ]
    return {
        "name": each.name,
        "engine": {"before": each.engines[0], "after": each.engines[1]},
        "before": _sum(each.before),
        "after": _sum(each.after),
        "queues": queues,
    }


def _sum(total: Sum) -> JsonObject:
    return {
        "runs": total.runs,
        "nodes": total.nodes,
        "gpus": total.gpus,
        "gpu_hours": _number(total.gpu_hours),
        "cost": _number(total.cost),
        "without_deadline": total.unbounded,
        "without_cost": total.unpriced,
    }


def _place(each: RunChange) -> JsonObject:
    return {"experiment": each.place.experiment, "environment": each.place.environment}


def _run(each: RunChange) -> JsonObject:
    held = each.after.held if each.after else ()
    return {
        **_place(each),
        "verdict": str(each.verdict),
        "notes": [*each.notes],
        "renamed_from": each.renamed_from,
        "held": [*held],
        "before": _side(each.before),
        "after": _side(each.after),
        "fields": [_field(change) for change in each.fields],
        "objects": [_object(change) for change in each.objects],
    }


def _side(run: Brief | None) -> Json:
    if run is None:
        return None
    usage = run.usage
    return {
        "run": run.name,
        "pods": {**usage.pods},
        "nodes": usage.nodes,
        "gpus": usage.gpus,
        "ranks": usage.ranks,
        "queue": usage.queue,
        "node_pool": usage.pool,
        "fabric": usage.fabric,
        "hours": _number(usage.hours),
        "gpu_hours": _number(usage.gpu_hours),
        "cost": _number(usage.cost),
    }


def _field(change: FieldChange) -> JsonObject:
    place = change.place
    return {
        "path": change.path,
        "before": change.before,
        "after": change.after,
        "layer": change.layer,
        "file": place.file if place else None,
        "line": place.line if place else None,
    }


def _object(change: ObjectChange) -> JsonObject:
    return {
        "before": _identity(change.before),
        "after": _identity(change.after),
        "diff": [*change.lines],
    }


def _identity(found: Identity | None) -> Json:
    return None if found is None else {**found._asdict()}


def _number(value: Fraction | None) -> Json:
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)
