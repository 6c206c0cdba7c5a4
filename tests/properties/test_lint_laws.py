"""Laws of lint: what render writes is read back and sound, and no text is ever a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from genjob.checks import check_bodies
from genjob.codes import Code
from genjob.crd.library import SchemaSet
from genjob.foreign.live import declared
from genjob.foreign.reading import ManifestFile, read_manifests
from genjob.foreign.templates import placeholders
from genjob.linting.conditions import Conditions
from genjob.linting.linting import lint
from genjob.model.environment import Target
from genjob.yamltext import to_yaml, to_yaml_documents
from tests.experiments_strategy import environments, experiments
from tests.linting.test_linting import CONFIG, JOB
from tests.rendered_experiment import objects

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

CONDITIONS = Conditions(Target())


def read(text: str) -> ManifestFile:
    return read_manifests(text.encode("utf-8", "surrogatepass"), "a.yaml", command="genjob lint -")


@settings(max_examples=60)
@given(experiment=experiments(), environment=environments())
def test_what_is_rendered_is_read_as_itself_and_has_the_same_findings(
    experiment: JsonObject, environment: JsonObject
) -> None:
    bodies = [each.body for each in objects(to_yaml(experiment), to_yaml(environment))]
    file = read(to_yaml_documents(bodies))
    expected = check_bodies([declared(body) for body in bodies], Target(), SchemaSet())

    assert () == file.diagnostics
    assert bodies == [written.body for written in file.objects]
    known = {finding.code for _, finding in expected}
    found = {each.code for each in lint([file], CONDITIONS).diagnostics}
    if any(map(placeholders, bodies)):  # a finding about such a value is left out
        assert Code.TEMPLATE in found
        assert found <= known | {Code.TEMPLATE}
    else:
        assert known == found


PIECES = st.sampled_from(
    [
        *("{{ x }}", "${X}", "<X>", "&a ", "*a", "<<: ", "---\n", "...\n", "!!str ", "- ", ": "),
        *(
            "{",
            "}",
            "[",
            "]",
            "'",
            '"',
            "\n",
            "  ",
            "\t",
            "#",
            "null",
            "yes",
            "|\n",
            "\x00",
            "\ud800",
        ),
        *("kind: List\n", "items:\n", "PyTorchJob", "\r\n", "\ufeff", "? ", "%YAML 1.1\n", "0755"),
    ]
)


@settings(max_examples=300)
@given(data=st.data())
def test_a_spoiled_manifest_has_findings_inside_it_and_never_crashes(data: st.DataObject) -> None:
    text = f"{JOB}---\n{CONFIG}"
    for piece in data.draw(st.lists(PIECES, min_size=1, max_size=4)):
        at, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        text = text[:at] + piece + text[min(end, at + 20) :]
    file = read(text)
    lines = file.text.split("\n")

    for found in lint([file], CONDITIONS).diagnostics:
        assert 1 <= found.location.line <= len(lines)
        assert 1 <= found.location.column <= len(lines[found.location.line - 1]) + 1


@given(st.binary(max_size=200))
def test_any_bytes_are_objects_or_findings_or_neither(source: bytes) -> None:
    lint([read_manifests(source, "a.yaml", command="x")], CONDITIONS)
