"""Security contexts of a container and its pod → the fields of `security`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.importing.rest import (
    below,
    drop_if_empty,
    present,
    take_count,
    take_flag,
    take_words,
)

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject


def security(pod: JsonObject, container: JsonObject) -> JsonObject:
    """Take what the training container may do, and the group of the pod's volumes."""
    own, of_pod = below(container, "securityContext"), below(pod, "securityContext")
    capabilities = below(own, "capabilities")
    made = present(
        run_as_user=take_count(own, "runAsUser"),
        run_as_group=take_count(own, "runAsGroup"),
        fs_group=take_count(of_pod, "fsGroup"),
        run_as_non_root=take_flag(own, "runAsNonRoot"),
        privileged=take_flag(own, "privileged"),
        allow_privilege_escalation=take_flag(own, "allowPrivilegeEscalation"),
        read_only_root_filesystem=take_flag(own, "readOnlyRootFilesystem"),
        capabilities=take_words(capabilities, "add"),
        drop_capabilities=take_words(capabilities, "drop"),
    )
    drop_if_empty(own, "capabilities")
    drop_if_empty(container, "securityContext")
    drop_if_empty(pod, "securityContext")
    return made
