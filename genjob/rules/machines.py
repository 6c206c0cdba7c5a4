"""The placement of a pod → the type of machine that it certainly lands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.hardware import INSTANCE_TYPES
from genjob.rules.walk import as_list, as_object, as_str, get, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from genjob.catalog.hardware import InstanceType
    from genjob.jsontypes import JsonObject

INSTANCE_TYPE_LABELS: Final = (
    "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/instance-type",
)
SAGEMAKER: Final = "ml."
"""What SageMaker HyperPod puts before the name of an EC2 instance type."""

_REQUIRED: Final = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")

_BY_LABEL: Final = {
    label: machine
    for machine in INSTANCE_TYPES.values()
    if len(machine.selector) == 1
    for label in machine.selector.items()
}


def machine_of(pod: JsonObject) -> InstanceType | None:
    """Return the type of machine that the labels of a pod's placement name, or None.

    An affinity counts when it leaves one choice: one term, and one value of the label.
    """
    for key, text in _labels(pod):
        name = text.removeprefix(SAGEMAKER)
        machine = INSTANCE_TYPES.get(name) if key in INSTANCE_TYPE_LABELS else None
        if machine := machine or _BY_LABEL.get((key, text)):
            return machine
    return None


def _labels(pod: JsonObject) -> Iterator[tuple[str, str]]:
    for key, value in as_object(pod.get("nodeSelector")).items():
        if isinstance(value, str):
            yield key, value
    terms = as_list(get(pod, *_REQUIRED, "nodeSelectorTerms"))
    for _, expression in parts((), get(terms[0], "matchExpressions") if len(terms) == 1 else None):
        label, values = as_str(expression.get("key")), as_list(expression.get("values"))
        if expression.get("operator") == "In" and label and len(values) == 1:
            yield label, as_str(values[0]) or ""
