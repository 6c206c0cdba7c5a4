"""The rules on NCCL, fabrics and launching: code → name, severity and check, a family a block.

They look at a `Network`, which is read of a job once for all of them. The cluster takes what they
speak of, so an experiment may allow itself their errors too.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from genjob.diagnostics import Severity
from genjob.rules import (
    fabric_devices,
    fabric_efa,
    fabric_gke,
    fabric_ib,
    fabric_machine,
    fabric_rights,
    launch_network,
    nccl_choice,
    nccl_combination,
    nccl_interfaces,
    operator_life,
    pod_sizes,
    role_difference,
    torch_env,
)
from genjob.rules.network import Network
from genjob.rules.rule import Rule

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.INFO

Rows: TypeAlias = tuple[Rule[Network], ...]

INTERFACE_RULES: Final[Rows] = (
    Rule(
        "GJ210", "loopback-interface", ERROR, nccl_interfaces.loopback_interface, is_allowable=True
    ),
    Rule(
        "GJ211", "exclusion-without-loopback", WARNING, nccl_interfaces.exclusion_without_loopback
    ),
    Rule("GJ212", "exclusion-on-aws", NOTE, nccl_interfaces.exclusion_on_aws),
    Rule("GJ213", "interface-not-in-pod", WARNING, nccl_interfaces.interface_not_in_pod),
    Rule("GJ214", "hca-name-is-prefix", WARNING, nccl_interfaces.hca_name_is_prefix),
    Rule("GJ215", "more-hcas-than-devices", WARNING, nccl_interfaces.more_hcas_than_devices),
    Rule("GJ216", "one-hca-of-many", WARNING, nccl_interfaces.one_hca_of_many),
)

DEVICE_RULES: Final[Rows] = (
    Rule("GJ220", "rdma-without-device", WARNING, fabric_devices.rdma_without_device),
    Rule(
        "GJ221", "fabric-switched-off", ERROR, fabric_devices.fabric_switched_off, is_allowable=True
    ),
    Rule("GJ222", "variable-of-another-fabric", WARNING, fabric_devices.variable_of_another_fabric),
    Rule("GJ223", "two-fabrics-mixed", WARNING, fabric_devices.two_fabrics_mixed),
    Rule(
        "GJ224",
        "net-of-another-fabric",
        ERROR,
        fabric_devices.net_of_another_fabric,
        is_allowable=True,
    ),
    Rule(
        "GJ225",
        "efa-provider-without-device",
        ERROR,
        fabric_devices.efa_provider_without_device,
        is_allowable=True,
    ),
)

RIGHTS_RULES: Final[Rows] = (
    Rule("GJ226", "rdma-without-locked-memory", WARNING, fabric_rights.rdma_without_locked_memory),
    Rule("GJ227", "locked-memory-of-non-root", WARNING, fabric_rights.locked_memory_of_non_root),
    Rule("GJ228", "privileged-beside-device", NOTE, fabric_rights.privileged_beside_device),
    Rule(
        "GJ229", "networks-differ-from-devices", WARNING, fabric_rights.networks_differ_from_devices
    ),
)

EFA_RULES: Final[Rows] = (
    Rule("GJ230", "efa-may-fall-back", NOTE, fabric_efa.efa_may_fall_back),
    Rule("GJ231", "provider-not-efa", WARNING, fabric_efa.provider_not_efa),
    Rule("GJ232", "device-rdma-not-there", WARNING, fabric_efa.device_rdma_not_there),
    Rule("GJ233", "huge-pages-and-fork", NOTE, fabric_efa.huge_pages_and_fork),
    Rule("GJ234", "plugin-owned-setting", WARNING, fabric_efa.plugin_owned_setting),
)

MACHINE_RULES: Final[Rows] = (
    Rule(
        "GJ235",
        "more-devices-than-machine",
        ERROR,
        fabric_machine.more_devices_than_machine,
        is_allowable=True,
    ),
    Rule("GJ236", "fewer-devices-than-machine", WARNING, fabric_machine.fewer_devices_than_machine),
    Rule("GJ237", "file-of-another-machine", WARNING, fabric_machine.file_of_another_machine),
    Rule("GJ238", "nvls-where-there-is-none", WARNING, fabric_machine.nvls_where_there_is_none),
    Rule("GJ239", "mnnvl-without-domain", WARNING, fabric_machine.mnnvl_without_domain),
)

GKE_RULES: Final[Rows] = (
    Rule(
        "GJ240",
        "gke-interfaces-missing",
        ERROR,
        fabric_gke.gke_interfaces_missing,
        is_allowable=True,
    ),
    Rule(
        "GJ241",
        "gke-interfaces-on-host-network",
        WARNING,
        fabric_gke.gke_interfaces_on_host_network,
    ),
    Rule(
        "GJ242",
        "daemon-keeps-pod-running",
        ERROR,
        fabric_gke.daemon_keeps_pod_running,
        is_allowable=True,
    ),
    Rule("GJ243", "part-of-gke-machine", WARNING, fabric_gke.part_of_gke_machine),
    Rule("GJ244", "cross-nic-on-rails", WARNING, fabric_gke.cross_nic_on_rails),
)

IB_RULES: Final[Rows] = (
    Rule("GJ245", "gid-index-fixed", WARNING, fabric_ib.gid_index_fixed),
    Rule("GJ246", "gid-choice-ignored", WARNING, fabric_ib.gid_choice_ignored),
    Rule("GJ247", "roce-without-traffic-class", WARNING, fabric_ib.roce_without_traffic_class),
    Rule("GJ248", "ib-timeout-zero", WARNING, fabric_ib.ib_timeout_zero),
)

COMBINATION_RULES: Final[Rows] = (
    Rule(
        "GJ250", "ib-settings-while-disabled", WARNING, nccl_combination.ib_settings_while_disabled
    ),
    Rule(
        "GJ251",
        "net-ib-while-disabled",
        ERROR,
        nccl_combination.net_ib_while_disabled,
        is_allowable=True,
    ),
    Rule("GJ252", "too-many-sockets", WARNING, nccl_combination.too_many_sockets),
    Rule("GJ253", "channels-crossed", WARNING, nccl_combination.channels_crossed),
    Rule("GJ254", "cumem-needed", ERROR, nccl_combination.cumem_needed, is_allowable=True),
    Rule("GJ255", "collnet-excluded", WARNING, nccl_combination.collnet_excluded),
    Rule(
        "GJ256",
        "nvls-algorithm-switched-off",
        ERROR,
        nccl_combination.nvls_algorithm_switched_off,
        is_allowable=True,
    ),
    Rule("GJ257", "graph-mixing-unordered", WARNING, nccl_combination.graph_mixing_unordered),
    Rule(
        "GJ258",
        "adaptive-routing-unreachable",
        WARNING,
        nccl_combination.adaptive_routing_unreachable,
    ),
    Rule(
        "GJ259",
        "debug-subsystem-without-debug",
        NOTE,
        nccl_combination.debug_subsystem_without_debug,
    ),
    Rule("GJ260", "p2p-level-while-disabled", WARNING, nccl_combination.p2p_level_while_disabled),
)

CHOICE_RULES: Final[Rows] = (
    Rule("GJ261", "p2p-switched-off", WARNING, nccl_choice.p2p_switched_off),
    Rule("GJ262", "shm-switched-off", WARNING, nccl_choice.shm_switched_off),
    Rule("GJ263", "verbose-log", WARNING, nccl_choice.verbose_log),
    Rule("GJ264", "one-log-for-all", WARNING, nccl_choice.one_log_for_all),
    Rule("GJ265", "algorithm-without-ring", WARNING, nccl_choice.algorithm_without_ring),
    Rule("GJ266", "ll128-forced", WARNING, nccl_choice.ll128_forced),
)

TORCH_RULES: Final[Rows] = (
    Rule("GJ270", "hangs-never-abort", WARNING, torch_env.hangs_never_abort),
    Rule("GJ271", "debugging-slows-training", WARNING, torch_env.debugging_slows_training),
    Rule("GJ272", "two-allocator-settings", WARNING, torch_env.two_allocator_settings),
    Rule(
        "GJ273", "expandable-segments-registered", WARNING, torch_env.expandable_segments_registered
    ),
    Rule("GJ274", "dump-that-never-comes", WARNING, torch_env.dump_that_never_comes),
    Rule("GJ275", "cuda-connections-misfit", WARNING, torch_env.cuda_connections_misfit),
    Rule("GJ276", "visible-devices-set", WARNING, torch_env.visible_devices_set),
    Rule("GJ277", "threads-above-cpus", NOTE, torch_env.threads_above_cpus),
    Rule("GJ278", "gloo-with-gpus", WARNING, torch_env.gloo_with_gpus),
)

ROLE_RULES: Final[Rows] = (
    Rule(
        "GJ280", "nccl-differs-between-roles", WARNING, role_difference.nccl_differs_between_roles
    ),
    Rule(
        "GJ281",
        "devices-differ-between-roles",
        WARNING,
        role_difference.devices_differ_between_roles,
    ),
    Rule(
        "GJ569",
        "tolerations-differ-between-roles",
        WARNING,
        role_difference.tolerations_differ_between_roles,
    ),
    Rule(
        "GJ695", "images-differ-between-roles", WARNING, role_difference.images_differ_between_roles
    ),
)

SIZE_RULES: Final[Rows] = (
    Rule("GJ362", "gpus-without-cpu-or-memory", NOTE, pod_sizes.gpus_without_cpu_or_memory),
    Rule("GJ471", "shared-memory-small", NOTE, pod_sizes.shared_memory_small),
    Rule("GJ472", "shared-memory-without-size", NOTE, pod_sizes.shared_memory_without_size),
)

LAUNCH_RULES: Final[Rows] = (
    Rule("GJ623", "host-network-default-port", WARNING, launch_network.host_network_default_port),
    Rule("GJ624", "host-network-rendezvous", WARNING, launch_network.host_network_rendezvous),
    Rule("GJ625", "local-rendezvous", ERROR, launch_network.local_rendezvous, is_allowable=True),
    Rule("GJ629", "service-mesh-side-car", WARNING, launch_network.service_mesh_side_car),
    Rule("GJ696", "mesh-opt-out-on-job", WARNING, launch_network.mesh_opt_out_on_job),
)

LIFE_RULES: Final[Rows] = (
    Rule("GJ626", "workers-kept-after-success", NOTE, operator_life.workers_kept_after_success),
    Rule("GJ627", "exit-code-never-retries", WARNING, operator_life.exit_code_never_retries),
    Rule("GJ628", "restarts-without-end", WARNING, operator_life.restarts_without_end),
    Rule("GJ697", "gang-needs-operator-flag", NOTE, operator_life.gang_needs_operator_flag),
    Rule("GJ698", "grace-period-too-short", WARNING, operator_life.grace_period_too_short),
    Rule("GJ699", "image-tag-moves", NOTE, operator_life.image_tag_moves),
)

NETWORK_RULES: Final[Rows] = (
    *INTERFACE_RULES,
    *DEVICE_RULES,
    *RIGHTS_RULES,
    *EFA_RULES,
    *MACHINE_RULES,
    *GKE_RULES,
    *IB_RULES,
    *COMBINATION_RULES,
    *CHOICE_RULES,
    *TORCH_RULES,
    *ROLE_RULES,
    *SIZE_RULES,
    *LAUNCH_RULES,
    *LIFE_RULES,
)
