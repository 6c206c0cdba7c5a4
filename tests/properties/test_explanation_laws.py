"""Laws of the explanation: each value has who set it, and everything can be printed and read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given

from genjob.explanation.as_json import network_json, values_json
from genjob.explanation.network import network_view
from genjob.explanation.paths import parse_path, spelled_out
from genjob.explanation.picture import picture
from genjob.explanation.table import WIDTH
from genjob.explanation.text import network_text, values_text
from genjob.explanation.values import all_values
from genjob.jsontypes import dotted
from genjob.manifests import manifests
from genjob.yamltext import to_yaml
from tests.experiments_strategy import environments, experiments
from tests.rendered_experiment import resolved

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject


@given(experiments(), environments())
def test_each_value_is_what_its_winning_layer_says(
    experiment: JsonObject, environment: JsonObject
) -> None:
    for value in all_values(resolved(to_yaml(experiment), to_yaml(environment))):
        assert value.claims
        assert isinstance(value.value, list) or value.claims[0].value == value.value


@given(experiments(), environments())
def test_the_path_of_each_value_leads_to_it(
    experiment: JsonObject, environment: JsonObject
) -> None:
    job = resolved(to_yaml(experiment), to_yaml(environment))
    for value in all_values(job):
        typed = parse_path(dotted(value.path))

        assert typed is not None
        assert value.path == spelled_out(job, typed)


@given(experiments(), environments())
def test_every_explanation_can_be_printed_and_read(
    experiment: JsonObject, environment: JsonObject
) -> None:
    job = resolved(to_yaml(experiment), to_yaml(environment))
    view = network_view(job, manifests(job))
    values = all_values(job)
    data = network_json(view) | values_json(job, values)

    assert data == json.loads(json.dumps(data))
    assert all(line.isprintable() for line in [*network_text(view), *values_text(job, values)])
    assert WIDTH >= max(map(len, picture(view)))


@given(experiments(), environments())
def test_every_variable_has_a_writer(experiment: JsonObject, environment: JsonObject) -> None:
    job = resolved(to_yaml(experiment), to_yaml(environment))
    layers = {layer.name for layer in job.layers} | {"operator"}

    for role in network_view(job, manifests(job)).roles:
        assert {variable.writer.layer for variable in role.variables} <= layers
