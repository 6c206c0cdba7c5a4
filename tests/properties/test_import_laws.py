"""What an experiment renders to is imported as an experiment that renders to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given

from genjob.foreign.reading import read_manifests
from genjob.importing.one import Destination, imported
from genjob.yamltext import to_yaml, to_yaml_documents
from tests.experiments_strategy import experiments
from tests.rendered_experiment import objects

if TYPE_CHECKING:
    from genjob.importing.one import Imported
    from genjob.jsontypes import JsonObject


def import_rendered(experiment: JsonObject) -> Imported:
    """Return what becomes of the objects of an experiment's base."""
    bodies = [manifest.body for manifest in objects(to_yaml(experiment), None)]
    text = to_yaml_documents(bodies)
    job, *others = read_manifests(text.encode(), "job.yaml", command="").objects
    return imported(job.body, job, others, Destination("experiments"))


@given(experiments())
def test_a_rendered_job_is_imported_with_proof(experiment: JsonObject) -> None:
    one = import_rendered(experiment)

    assert [] == [str(each) for each in one.differences if each.object.kind == "PyTorchJob"]
    assert one.files["experiments/train/experiment.yaml"]
