"""operator_services.py: what breaks each rule of a PyTorchJob, and what nearly does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Changed = Callable[[Mapping[str, object]], list[tuple[str, str, str, str]]]

BOARD = {"name": "board", "containerPort": 6006}
REFUSED = "; the Service is refused"


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"main > ports > 1 > name": ...}, "main > ports > 1"),
        ({"main > ports": [{"containerPort": 9000}]}, "main > ports > 0"),
        ({"main > ports > 1 > name": ""}, "main > ports > 1 > name"),
    ],
)
def test_a_port_of_the_training_container_has_a_name(
    changes: dict[str, object], at: str, changed_job: Changed
) -> None:
    message = "port 9000 of the training container has no name; its Service is refused"

    assert ("GJ687", at, message, "write 'name'") in changed_job(changes)


@pytest.mark.parametrize(
    ("ports", "message", "hint"),
    [
        (
            [{"name": "board", "containerPort": 23456}],
            f"port 23456 is also 'pytorchjob-port'{REFUSED}",
            "write another port, or name it 'pytorchjob-port'",
        ),
        (
            [BOARD, {"name": "udp", "containerPort": 6006, "protocol": "UDP"}],
            f"port 6006 is also 'board'{REFUSED}",
            "write another port",
        ),
    ],
)
def test_the_ports_of_a_service_differ_whatever_their_protocols(
    ports: list[dict[str, object]], message: str, hint: str, changed_job: Changed
) -> None:
    at = f"main > ports > {len(ports) - 1} > containerPort"

    assert [("GJ688", at, message, hint)] == changed_job({"main > ports": ports})


@pytest.mark.parametrize(
    "ports",
    [
        [],
        [BOARD],
        [{"name": "pytorchjob-port", "containerPort": 6006}, {**BOARD, "containerPort": 23456}],
        [BOARD, {"name": "web", "containerPort": 6007}],
    ],
)
def test_named_ports_that_differ_are_passed(
    ports: list[dict[str, object]], changed_job: Changed
) -> None:
    assert [] == changed_job({"main > ports": ports})


def test_the_ports_of_other_containers_make_no_service(changed_job: Changed) -> None:
    assert [] == changed_job({"pod > initContainers > 0 > ports": [{"containerPort": 23456}]})
