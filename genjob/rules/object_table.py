"""The rules on objects: code → name, severity and check, a family a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from genjob.diagnostics import Severity
from genjob.rules import (
    core,
    metadata,
    operator,
    operator_launch,
    operator_pods,
    operator_services,
    pod_affinity,
    pod_env,
    pod_mounts,
    pod_names,
    pod_ports,
    pod_resources,
    pod_scheduling,
    pod_security,
    pod_volumes,
    webhook,
)
from genjob.rules.rule import Rule

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

    Rows: TypeAlias = tuple[Rule[JsonObject], ...]

ERROR, WARNING = Severity.ERROR, Severity.WARNING

METADATA_RULES: Rows = (
    Rule("GJ650", "object-without-name", ERROR, metadata.object_without_name),
    Rule("GJ651", "label-key-invalid", ERROR, metadata.label_key_invalid),
    Rule("GJ652", "label-value-invalid", ERROR, metadata.label_value_invalid),
    Rule("GJ653", "annotation-key-invalid", ERROR, metadata.annotation_key_invalid),
    Rule("GJ654", "annotations-too-large", ERROR, metadata.annotations_too_large),
    Rule("GJ655", "object-too-large", WARNING, core.object_too_large),
)

WEBHOOK_RULES: Rows = (
    Rule("GJ610", "job-name-not-dns-label", ERROR, webhook.job_name_not_dns_label),
    Rule("GJ611", "elastic-without-worker", ERROR, webhook.elastic_without_worker),
    Rule("GJ612", "elastic-nproc-per-node", WARNING, webhook.elastic_nproc_per_node),
    Rule("GJ613", "two-nproc-per-node", ERROR, webhook.two_nproc_per_node),
    Rule("GJ614", "no-replica-specs", ERROR, webhook.no_replica_specs),
    Rule("GJ615", "unknown-replica-type", ERROR, webhook.unknown_replica_type),
    Rule("GJ616", "null-replica-spec", ERROR, webhook.null_replica_spec),
    Rule("GJ617", "no-containers", ERROR, webhook.no_containers),
    Rule("GJ618", "container-without-image", ERROR, webhook.container_without_image),
    Rule("GJ619", "no-pytorch-container", ERROR, webhook.no_pytorch_container),
    Rule("GJ620", "master-replicas-not-one", ERROR, webhook.master_replicas_not_one),
    Rule("GJ621", "worker-replicas-below-one", ERROR, webhook.worker_replicas_below_one),
    Rule("GJ622", "unknown-manager", ERROR, webhook.unknown_manager),
)

OPERATOR_RULES: Rows = (
    Rule("GJ358", "nproc-above-gpus", ERROR, operator_launch.nproc_above_gpus),
    Rule("GJ359", "nproc-below-gpus", WARNING, operator_launch.nproc_below_gpus),
    Rule("GJ360", "gpus-differ-between-roles", WARNING, operator_launch.gpus_differ_between_roles),
    Rule("GJ630", "pod-name-too-long", ERROR, operator.pod_name_too_long),
    Rule("GJ631", "workers-without-rendezvous", ERROR, operator.workers_without_rendezvous),
    Rule("GJ632", "master-with-elastic-policy", ERROR, operator.master_with_elastic_policy),
    Rule("GJ633", "elastic-bounds-crossed", ERROR, operator.elastic_bounds_crossed),
    Rule(
        "GJ634",
        "replicas-outside-elastic-bounds",
        ERROR,
        operator.replicas_outside_elastic_bounds,
    ),
    Rule("GJ635", "empty-rdzv-conf", ERROR, operator.empty_rdzv_conf),
    Rule("GJ636", "standalone-elastic", ERROR, operator.standalone_elastic),
    Rule("GJ637", "unknown-restart-policy", ERROR, operator.unknown_restart_policy),
    Rule("GJ638", "unknown-clean-pod-policy", ERROR, operator.unknown_clean_pod_policy),
    Rule("GJ639", "unknown-nproc-per-node", ERROR, operator.unknown_nproc_per_node),
    Rule("GJ640", "min-available-above-pods", ERROR, operator.min_available_above_pods),
    Rule("GJ641", "ttl-repeats-training", WARNING, operator.ttl_repeats_training),
    Rule("GJ642", "readiness-probe-on-master", WARNING, operator.readiness_probe_on_master),
    Rule("GJ643", "constant-node-rank", ERROR, operator_launch.constant_node_rank),
    Rule("GJ644", "constant-nnodes", ERROR, operator_launch.constant_nnodes),
    Rule("GJ645", "deprecated-launch-module", WARNING, operator_launch.deprecated_launch_module),
    Rule(
        "GJ646", "python-with-many-processes", WARNING, operator_launch.python_with_many_processes
    ),
    Rule("GJ647", "operator-env-overwritten", WARNING, operator_pods.operator_env_overwritten),
    Rule(
        "GJ648",
        "pod-restart-policy-overwritten",
        WARNING,
        operator_pods.pod_restart_policy_overwritten,
    ),
    Rule(
        "GJ649",
        "host-network-without-cluster-dns",
        ERROR,
        operator_pods.host_network_without_cluster_dns,
    ),
)

SERVICE_RULES: Rows = (
    Rule("GJ687", "service-port-without-name", ERROR, operator_services.service_port_without_name),
    Rule("GJ688", "service-port-twice", ERROR, operator_services.service_port_twice),
)

POD_RULES: Rows = (
    Rule("GJ660", "container-name-invalid", ERROR, pod_names.container_name_invalid),
    Rule("GJ661", "duplicate-container-name", ERROR, pod_names.duplicate_container_name),
    Rule("GJ662", "image-invalid", ERROR, pod_names.image_invalid),
    Rule("GJ663", "init-container-without-image", ERROR, pod_names.init_container_without_image),
    Rule("GJ664", "container-word-unknown", ERROR, pod_names.container_word_unknown),
    Rule("GJ665", "pod-word-unknown", ERROR, pod_names.pod_word_unknown),
    Rule("GJ666", "object-reference-invalid", ERROR, pod_names.object_reference_invalid),
    Rule("GJ667", "host-name-invalid", ERROR, pod_names.host_name_invalid),
    Rule("GJ668", "init-restart-policy-unknown", ERROR, pod_names.init_restart_policy_unknown),
    Rule("GJ669", "init-container-with-probe", ERROR, pod_names.init_container_with_probe),
    Rule("GJ678", "dns-policy-without-servers", ERROR, pod_names.dns_policy_without_servers),
    Rule("GJ679", "duplicate-entry", WARNING, pod_names.duplicate_entry),
    Rule("GJ670", "env-name-invalid", ERROR, pod_env.env_name_invalid),
    Rule("GJ671", "env-name-unusual", WARNING, pod_env.env_name_unusual),
    Rule("GJ672", "duplicate-env-name", WARNING, pod_env.duplicate_env_name),
    Rule("GJ673", "env-value-twice", ERROR, pod_env.env_value_twice),
    Rule("GJ674", "env-source-not-one", ERROR, pod_env.env_source_not_one),
    Rule("GJ675", "env-reference-invalid", ERROR, pod_env.env_reference_invalid),
    Rule("GJ676", "env-field-unknown", ERROR, pod_env.env_field_unknown),
    Rule("GJ677", "env-resource-unknown", ERROR, pod_env.env_resource_unknown),
    Rule("GJ680", "port-out-of-range", ERROR, pod_ports.port_out_of_range),
    Rule("GJ681", "port-name-invalid", ERROR, pod_ports.port_name_invalid),
    Rule("GJ682", "port-protocol-unknown", ERROR, pod_ports.port_protocol_unknown),
    Rule("GJ683", "duplicate-port-name", ERROR, pod_ports.duplicate_port_name),
    Rule("GJ684", "duplicate-port", WARNING, pod_ports.duplicate_port),
    Rule("GJ685", "host-port-taken", ERROR, pod_ports.host_port_taken),
    Rule("GJ686", "host-port-differs", ERROR, pod_ports.host_port_differs),
    Rule(
        "GJ690", "privileged-without-escalation", ERROR, pod_security.privileged_without_escalation
    ),
    Rule("GJ691", "sys-admin-without-escalation", ERROR, pod_security.sys_admin_without_escalation),
    Rule("GJ692", "capability-with-prefix", WARNING, pod_security.capability_with_prefix),
    Rule("GJ693", "root-as-non-root", ERROR, pod_security.root_as_non_root),
    Rule("GJ694", "user-id-out-of-range", ERROR, pod_security.user_id_out_of_range),
)

RESOURCE_RULES: Rows = (
    Rule("GJ350", "quantity-invalid", ERROR, pod_resources.quantity_invalid),
    Rule("GJ351", "quantity-negative", ERROR, pod_resources.quantity_negative),
    Rule("GJ352", "resource-name-unknown", ERROR, pod_resources.resource_name_unknown),
    Rule("GJ353", "extended-resource-fraction", ERROR, pod_resources.extended_resource_fraction),
    Rule("GJ354", "request-above-limit", ERROR, pod_resources.request_above_limit),
    Rule("GJ355", "device-request-differs", ERROR, pod_resources.device_request_differs),
    Rule("GJ356", "device-without-limit", ERROR, pod_resources.device_without_limit),
    Rule("GJ357", "huge-pages-alone", ERROR, pod_resources.huge_pages_alone),
    Rule("GJ361", "huge-page-fraction", ERROR, pod_resources.huge_page_fraction),
)

VOLUME_RULES: Rows = (
    Rule("GJ450", "volume-name-invalid", ERROR, pod_volumes.volume_name_invalid),
    Rule("GJ451", "duplicate-volume-name", ERROR, pod_volumes.duplicate_volume_name),
    Rule("GJ452", "volume-with-two-sources", ERROR, pod_volumes.volume_with_two_sources),
    Rule("GJ453", "volume-without-source", WARNING, pod_volumes.volume_without_source),
    Rule("GJ454", "volume-reference-empty", ERROR, pod_volumes.volume_reference_empty),
    Rule("GJ455", "host-path-invalid", ERROR, pod_volumes.host_path_invalid),
    Rule("GJ456", "nfs-path-relative", ERROR, pod_volumes.nfs_path_relative),
    Rule("GJ457", "empty-dir-medium-unknown", ERROR, pod_volumes.empty_dir_medium_unknown),
    Rule("GJ458", "empty-dir-size-invalid", ERROR, pod_volumes.empty_dir_size_invalid),
    Rule("GJ459", "file-mode-out-of-range", ERROR, pod_volumes.file_mode_out_of_range),
    Rule("GJ460", "projected-source-not-one", ERROR, pod_volumes.projected_source_not_one),
    Rule("GJ461", "item-path-invalid", ERROR, pod_volumes.item_path_invalid),
    Rule("GJ462", "mount-without-volume", ERROR, pod_mounts.mount_without_volume),
    Rule("GJ463", "duplicate-mount-path", ERROR, pod_mounts.duplicate_mount_path),
    Rule("GJ464", "mount-path-empty", ERROR, pod_mounts.mount_path_empty),
    Rule("GJ465", "mount-path-with-colon", WARNING, pod_mounts.mount_path_with_colon),
    Rule("GJ466", "sub-path-invalid", ERROR, pod_mounts.sub_path_invalid),
    Rule("GJ467", "two-sub-paths", ERROR, pod_mounts.two_sub_paths),
    Rule("GJ468", "mount-propagation-unknown", ERROR, pod_mounts.mount_propagation_unknown),
    Rule("GJ469", "no-shared-memory", WARNING, pod_mounts.no_shared_memory),
    Rule("GJ470", "shared-memory-above-limit", WARNING, pod_mounts.shared_memory_above_limit),
)

PLACEMENT_RULES: Rows = (
    Rule("GJ550", "node-selector-invalid", ERROR, pod_scheduling.node_selector_invalid),
    Rule("GJ551", "toleration-word-unknown", ERROR, pod_scheduling.toleration_word_unknown),
    Rule(
        "GJ552", "toleration-exists-with-value", ERROR, pod_scheduling.toleration_exists_with_value
    ),
    Rule("GJ553", "toleration-without-key", ERROR, pod_scheduling.toleration_without_key),
    Rule("GJ554", "toleration-label-invalid", ERROR, pod_scheduling.toleration_label_invalid),
    Rule(
        "GJ555",
        "toleration-seconds-without-no-execute",
        ERROR,
        pod_scheduling.toleration_seconds_without_no_execute,
    ),
    Rule("GJ556", "spread-skew-not-positive", ERROR, pod_scheduling.spread_skew_not_positive),
    Rule("GJ557", "spread-action-unknown", ERROR, pod_scheduling.spread_action_unknown),
    Rule("GJ558", "spread-topology-key-empty", ERROR, pod_scheduling.spread_topology_key_empty),
    Rule("GJ559", "duplicate-spread", ERROR, pod_scheduling.duplicate_spread),
    Rule("GJ560", "selector-operator-unknown", ERROR, pod_affinity.selector_operator_unknown),
    Rule("GJ561", "selector-values-missing", ERROR, pod_affinity.selector_values_missing),
    Rule("GJ562", "selector-values-unused", ERROR, pod_affinity.selector_values_unused),
    Rule("GJ563", "selector-key-invalid", ERROR, pod_affinity.selector_key_invalid),
    Rule("GJ568", "selector-value-invalid", ERROR, pod_affinity.selector_value_invalid),
    Rule("GJ564", "match-label-invalid", ERROR, pod_affinity.match_label_invalid),
    Rule("GJ565", "no-node-selector-terms", ERROR, pod_affinity.no_node_selector_terms),
    Rule(
        "GJ566", "affinity-topology-key-invalid", ERROR, pod_affinity.affinity_topology_key_invalid
    ),
    Rule("GJ567", "affinity-weight-out-of-range", ERROR, pod_affinity.affinity_weight_out_of_range),
)

JOB_RULES: Rows = (
    *METADATA_RULES,
    *WEBHOOK_RULES,
    *OPERATOR_RULES,
    *SERVICE_RULES,
    *POD_RULES,
    *RESOURCE_RULES,
    *VOLUME_RULES,
    *PLACEMENT_RULES,
)

OBJECT_NAME = Rule("GJ656", "object-name-invalid", ERROR, core.object_name_invalid)

CLAIM_RULES: Rows = (
    Rule("GJ480", "access-modes-missing", ERROR, core.access_modes_missing),
    Rule("GJ481", "access-mode-unknown", ERROR, core.access_mode_unknown),
    Rule("GJ482", "access-modes-exclusive", ERROR, core.access_modes_exclusive),
    Rule("GJ483", "storage-missing", ERROR, core.storage_missing),
    Rule("GJ484", "storage-invalid", ERROR, core.storage_invalid),
    Rule("GJ485", "volume-mode-unknown", ERROR, core.volume_mode_unknown),
    Rule("GJ486", "storage-class-invalid", ERROR, core.storage_class_invalid),
)

CONFIG_MAP_RULES: Rows = (
    Rule("GJ490", "config-key-invalid", ERROR, core.config_key_invalid),
    Rule("GJ491", "config-key-twice", ERROR, core.config_key_twice),
    Rule("GJ493", "binary-data-not-base64", ERROR, core.binary_data_not_base64),
    Rule("GJ492", "config-map-too-large", ERROR, core.config_map_too_large),
)

LIST_RULES: Rows = (Rule("GJ657", "duplicate-object", ERROR, core.duplicate_object),)
