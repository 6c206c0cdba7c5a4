"""A value of a rendered object → the field of the experiment that it came from."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from genjob.manifests.pod import template
from genjob.manifests.trace import Traced, fields, lay_over, source_of, traced, value_in
from genjob.rules.walk import REPLICA_SPECS, as_object, get
from tests.rendered_experiment import objects

if TYPE_CHECKING:
    from genjob.model.experiment import Experiment
    from genjob.resolve.job import Job


def pod() -> Traced:
    """Return a traced piece with everything that can be asked for."""
    env = Traced(("name", "A", ("env", "A")), ("value", "1e-4", ("env", "A")))
    container = fields(("name", "pytorch", ()), ("args", ["--x"], ("args",)), ("env", [env], ()))
    return fields(
        ("containers", [container], ()),
        ("tolerations", traced([{"key": "a"}, {"key": "b"}], ("t",)), ("t",)),
        ("initContainers", [*_list(traced([{"name": "s"}], ("sidecars",)))], ("init_containers",)),
    )


def _list(value: object) -> list[Traced]:
    assert isinstance(value, list)
    return [item for item in value if isinstance(item, Traced)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("containers", 0, "env", 0, "value"), ("env", "A")),
        (("containers", 0, "args", 0), ("args", 0)),
        (("containers", 0, "name"), ()),
        (("containers", 0), ()),
        (("tolerations", 1, "key"), ("t", 1, "key")),
        (("tolerations", 1, "effect"), ("t", 1, "effect")),
        (("initContainers", 0), ("sidecars", 0)),
        (("initContainers", 0, "image"), ("sidecars", 0, "image")),
        (("hostPID",), None),
    ],
)
def test_a_value_is_traced_to_its_field(
    path: tuple[str | int, ...], expected: tuple[str | int, ...] | None
) -> None:
    assert expected == source_of(pod(), path)


def test_what_nobody_traced_has_no_field() -> None:
    assert source_of({"a": {"b": 1}}, ("a", "b")) is None


def test_an_override_takes_over_the_values_that_it_sets_and_no_others() -> None:
    overrides = traced(
        {
            "containers": [{"name": "pytorch", "args": ["--y"]}, {"name": "log"}],
            "tolerations": [{"key": "b"}, {"key": "c"}],
            "hostPID": True,
        },
        ("o",),
    )
    assert isinstance(overrides, Traced)

    result = lay_over(pod(), overrides)

    assert ("o", "containers", 0, "args", 0) == source_of(result, ("containers", 0, "args", 0))
    assert ("env", "A") == source_of(result, ("containers", 0, "env", 0, "value"))
    assert ("o", "containers", 1) == source_of(result, ("containers", 1))
    assert ("o", "hostPID") == source_of(result, ("hostPID",))
    assert ["a", "b", "c"] == [value_in(result, ("tolerations", i, "key")) for i in range(3)]
    assert ("t", 0, "key") == source_of(result, ("tolerations", 0, "key"))
    assert ("o", "tolerations", 1, "key") == source_of(result, ("tolerations", 2, "key"))


def test_a_piece_laid_over_another_changes_neither() -> None:
    low = pod()

    lay_over(low, Traced(("containers", [], ("o",))))

    assert pod() == low


def test_fields_without_a_value_are_left_out() -> None:
    made = fields(("a", None, ()), ("b", [], ()), ("c", {}, ()), ("d", 0, ()), ("e", "", ()))

    assert {"d": 0, "e": ""} == made


def test_a_value_is_found_by_its_route() -> None:
    assert value_in(pod(), ("containers", 0, "env", 0, "value")) == "1e-4"
    assert value_in(pod(), ("containers", 4)) is None
    assert value_in(pod(), ("containers", "env")) is None


@pytest.mark.parametrize(("more", "made"), [("", 1), ("master: {args: [--rank-0]}\n", 2)])
def test_roles_that_do_not_differ_share_a_template_that_is_made_once(
    more: str, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles: list[object] = []

    def noted(job: Job, role: Experiment) -> Traced:
        roles.append(role)
        return template(job, role)

    monkeypatch.setattr(import_module("genjob.manifests.pytorchjob"), "template", noted)
    text = f"version: genjob/v1\nname: a\nimage: b\nscript: c\nnodes: 2\n{more}"
    specs = as_object(get(objects(text, None)[0].body, *REPLICA_SPECS))
    templates = {id(get(specs[role], "template")) for role in ("Master", "Worker")}

    assert (made, made) == (len(roles), len(templates))
