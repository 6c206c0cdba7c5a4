"""Laws of held runs, over experiments and environments that people could write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings

from genjob.kustomize.overlay import base_files, overlay_files
from genjob.kustomize.rebuild import expected
from genjob.manifests import manifests
from genjob.runs.changes import changes_of_run
from genjob.runs.hold import hold, keep_policy, keep_queue
from genjob.runs.identity import essence, job_of, objects_digest, run_hash
from genjob.yamltext import to_yaml
from tests.experiments_strategy import environments, experiments
from tests.rendered_experiment import HEADER, PLACE, objects, resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from genjob.jsontypes import JsonObject
    from genjob.manifest import Manifest


def built(base: Sequence[Manifest], wanted: Sequence[Manifest]) -> list[JsonObject]:
    """Return what is read back from the files of a base and an overlay."""
    overlay = overlay_files(base, wanted, place=PLACE, header=HEADER)
    return expected(base_files(base, header=HEADER), overlay)


def bodies(manifests: Sequence[Manifest]) -> list[JsonObject]:
    return [manifest.body for manifest in manifests]


@settings(max_examples=60)
@given(experiments(), environments())
def test_a_run_that_is_read_back_has_the_identity_that_it_was_rendered_with(
    experiment: JsonObject, environment: JsonObject
) -> None:
    text = to_yaml(experiment)
    base, wanted = objects(text, None), objects(text, to_yaml(environment))
    found = built(base, wanted)

    assert run_hash(job_of(bodies(wanted))) == run_hash(job_of(found))
    assert objects_digest(bodies(wanted)) == objects_digest(found)


@settings(max_examples=60)
@given(experiments(), environments())
def test_the_name_of_a_run_does_not_reach_its_identity(
    experiment: JsonObject, environment: JsonObject
) -> None:
    job = resolved(to_yaml(experiment), to_yaml(environment))
    named = manifests(replace(job, run="another-name"))

    assert run_hash(job_of(bodies(manifests(job)))) == run_hash(job_of(bodies(named)))


@settings(max_examples=60)
@given(experiments(), environments(), environments())
def test_a_held_run_is_the_run_that_it_was_on_any_base(
    experiment: JsonObject, before: JsonObject, after: JsonObject
) -> None:
    text = to_yaml(experiment)
    base, now = objects(text, None), objects(text, to_yaml(after))
    old = built(base, objects(text, to_yaml(before)))

    held = hold(now, old)

    assert essence(job_of(old)) == essence(job_of(bodies(held)))
    assert objects_digest(bodies(held)) == objects_digest(built(base, held))
    assert objects_digest(bodies(held)) == objects_digest(bodies(hold(now, built(base, held))))


@settings(max_examples=60)
@given(experiments(), environments(), environments())
def test_nothing_acts_in_a_run_whose_policy_and_queue_are_kept_too(
    experiment: JsonObject, before: JsonObject, after: JsonObject
) -> None:
    text = to_yaml(experiment)
    base, now = objects(text, None), objects(text, to_yaml(after))
    old = built(base, objects(text, to_yaml(before)))

    held = keep_queue(keep_policy(hold(now, old), old), old)

    assert () == changes_of_run(job_of(old), job_of(bodies(held)))
