"""Names that people give → names that Kubernetes accepts, or what is wrong with them."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias

from genjob.model.base import refusal, word

MAX_NAME = 63
MAX_OBJECT_NAME = 253

_DNS_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_SUFFIX = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_DNS_1123 = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)


def dns_1035(name: str) -> str:
    """Return a name that can name a Service.

    Raises:
        PydanticCustomError: when it cannot.

    Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ (v1.31)
    """
    if is_name(name):
        return name
    if len(name) > MAX_NAME:
        raise refusal(f"at most {MAX_NAME} characters", f"{len(name)} are too many; shorten it")
    raise refusal(
        "a name of lower-case letters, digits and '-' that begins with a letter and does not end "
        "with '-'",
        _suggested(name),
    )


def is_name(name: str) -> bool:
    """Return whether a name can name a Service."""
    return len(name) <= MAX_NAME and _DNS_1035.fullmatch(name) is not None


def _suggested(name: str) -> str:
    label = suggested_name(name)
    return f"write '{label}'" if label else ""


def suggested_name(name: str) -> str:
    """Return the nearest name that can name a Service, or nothing when there is none."""
    label = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    label = label if label[:1].isalpha() else f"job-{label}"
    return label if is_name(label) else ""


def suffix(name: str) -> str:
    """Return a name that can stand behind another one and a '-'.

    Raises:
        PydanticCustomError: when it cannot.
    """
    if _SUFFIX.fullmatch(name):
        return name
    raise refusal("lower-case letters, digits and '-', such as '3' or 'warm-up'")


def dns_1123(name: str) -> str:
    """Return a name that can name an object of most kinds.

    Raises:
        PydanticCustomError: when it cannot.

    Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ (v1.31)
    """
    if _DNS_1123.fullmatch(name) and len(name) <= MAX_OBJECT_NAME:
        return name
    raise refusal("a name of lower-case letters, digits, '-' and '.'")


Engine: TypeAlias = Literal["argocd", "flux", "none"]
"""What applies the rendered files to a cluster."""

Name: TypeAlias = Annotated[
    str,
    word(
        dns_1035,
        {"type": "string", "pattern": f"^{_DNS_1035.pattern}$", "maxLength": MAX_NAME},
    ),
]
"""The name of an experiment, an environment or a namespace: a DNS-1035 label."""

ObjectName: TypeAlias = Annotated[
    str,
    word(
        dns_1123,
        {"type": "string", "pattern": f"^{_DNS_1123.pattern}$", "maxLength": MAX_OBJECT_NAME},
    ),
]
"""The name of an object that exists in the cluster."""

Suffix: TypeAlias = Annotated[
    str,
    word(suffix, {"type": "string", "pattern": f"^{_SUFFIX.pattern}$"}),
]
"""The end of a name."""
