"""A name → what is wrong with it, in words; an empty text when Kubernetes takes it.

Source: https://github.com/kubernetes/apimachinery/blob/v0.31.0/pkg/util/validation/validation.go
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_letters, ascii_lowercase, digits

from genjob.wording import quoted

LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253
PORT_NAME_LENGTH = 15

LOWER = ascii_lowercase + digits
ANY_CASE = ascii_letters + digits

_KNOWN = 4096
"""Names that are remembered: the objects of many experiments have the same labels."""


def dns_1035_label(name: str) -> str:
    """Say what keeps a name from being that of a Service: it also begins with a letter."""
    if name[:1] in tuple(digits):
        return f"begins with {quoted(name[0])}, not with a letter"
    return dns_label(name)


@lru_cache(maxsize=_KNOWN)
def dns_label(name: str) -> str:
    """Say what keeps a name from being a DNS-1123 label, that of a container or a volume."""
    return _word(name, LOWER, "-", LABEL_LENGTH)


@lru_cache(maxsize=_KNOWN)
def dns_subdomain(name: str) -> str:
    """Say what keeps a name from being a DNS-1123 subdomain, that of most objects."""
    if fault := _word(name, LOWER, "-.", SUBDOMAIN_LENGTH):
        return fault
    between_labels = re.search(r"-\.|\.[-.]", name)
    return f"contains {quoted(between_labels[0])}" if between_labels else ""


@lru_cache(maxsize=_KNOWN)
def qualified_name(name: str) -> str:
    """Say what keeps a name from being a label key: `name` or `dns.prefix/name`."""
    prefix, slash, local = name.rpartition("/")
    if slash and (fault := dns_subdomain(prefix)):
        return f"has a prefix that {fault}"
    return _word(local, ANY_CASE, "-_.", LABEL_LENGTH)


@lru_cache(maxsize=_KNOWN)
def label_value(value: str) -> str:
    """Say what keeps a text from being the value of a label; an empty one is allowed."""
    return _word(value, ANY_CASE, "-_.", LABEL_LENGTH) if value else ""


def port_name(name: str) -> str:
    """Say what keeps a text from being the name of a port."""
    if fault := _word(name, LOWER, "-", PORT_NAME_LENGTH):
        return fault
    if "--" in name:
        return "contains '--'"
    return "" if any(c in ascii_lowercase for c in name) else "has no letter"


@lru_cache(maxsize=_KNOWN)
def config_key(key: str) -> str:
    """Say what keeps a text from being a key of a ConfigMap or a Secret: it becomes a file name."""
    if key == "." or key.startswith(".."):
        return f"begins with {quoted(key[:2])}"
    if len(key) > SUBDOMAIN_LENGTH:
        return _too_long(key, SUBDOMAIN_LENGTH)
    return _characters(key, ANY_CASE + "-_.") if key else "is empty"


def label_suggestion(name: str) -> str:
    """Return the DNS-1035 label nearest to a name, of at most 63 characters."""
    lowered = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    started = lowered if lowered[:1].isalpha() else f"job-{lowered}"
    return started[:LABEL_LENGTH].strip("-")


def _word(text: str, inner: str, separators: str, longest: int) -> str:
    if not text:
        return "is empty"
    if len(text) > longest:
        return _too_long(text, longest)
    if fault := _characters(text, inner + separators):
        return fault
    if text[0] in separators:
        return f"begins with {quoted(text[0])}"
    return f"ends with {quoted(text[-1])}" if text[-1] in separators else ""


def _characters(text: str, allowed: str) -> str:
    wrong = next((c for c in text if c not in allowed), None)
    if wrong is None:
        return ""
    return "contains a space" if wrong == " " else f"contains {quoted(wrong)}"


def _too_long(text: str, longest: int) -> str:
    return f"has {len(text)} characters, {longest} are allowed"
