"""A rule on a rendered object → what its finding says to a person who writes an experiment.

Rules speak of the object, in Kubernetes' words. Where the field of an experiment has another name,
or nothing in the object is the field, the row here says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from genjob.jsontypes import DocPath


class Advice(NamedTuple):
    """The hint in words of an experiment, and the field to point at when the object has none."""

    hint: str
    path: DocPath | None = None


ADVICE: dict[str, Advice] = {
    "GJ226": Advice("write 'security: {capabilities: [IPC_LOCK]}'"),
    "GJ233": Advice("set 'resources.hugepages_2mi' to 5120Mi, or FI_EFA_USE_HUGE_PAGE to 0"),
    "GJ239": Advice("claim one with 'pod_overrides', or write 2: use it where it is"),
    "GJ240": Advice("write the annotation under 'pod_annotations'"),
    "GJ241": Advice("remove host_network"),
    "GJ242": Advice("move it to 'sidecars'"),
    "GJ247": Advice(
        "set 'nccl.ib_tc' to the lossless class of the network, 4 times its DSCP",
        path=("network", "fabric"),
    ),
    "GJ278": Advice("write 'backend: nccl'", path=("network", "backend")),
    "GJ280": Advice("set the same for both", path=("master",)),
    "GJ362": Advice("set 'resources.cpu' and 'memory'", path=("resources", "gpus_per_node")),
    "GJ469": Advice("set 'resources.shm_size', such as 64Gi", path=("resources", "gpus_per_node")),
    "GJ610": Advice("shorten it: the run's '-<hash>' and the pods' '-worker-<n>' come behind it"),
    "GJ472": Advice("write a 'size', or set 'resources.shm_size' in its place"),
    "GJ569": Advice("write the same tolerations for both", path=("master",)),
    "GJ623": Advice("set 'network.master_port', another one for each job"),
    "GJ626": Advice("write 'clean_pod_policy: Running'"),
    "GJ627": Advice("write 'restart_policy: OnFailure', and a 'backoff_limit'"),
    "GJ628": Advice(
        "set 'run_policy.backoff_limit' or 'active_deadline'", path=("resources", "gpus_per_node")
    ),
    "GJ633": Advice("write a 'min_nodes' that is not above 'max_nodes'"),
    "GJ634": Advice("write 'nodes' from 'min_nodes' to 'max_nodes'", path=("nodes",)),
    "GJ641": Advice("remove it; 'clean_pod_policy: Running' frees the machines"),
    "GJ648": Advice("write 'run_policy.restart_policy', or remove it"),
    "GJ649": Advice("write 'dns_policy: ClusterFirstWithHostNet', or leave it out"),
    "GJ678": Advice("write 'pod_overrides: {dnsConfig: {nameservers: […]}}'"),
    "GJ696": Advice("write it under 'pod_annotations'"),
    "GJ848": Advice(
        "add the toleration to the node pool or to the experiment, or take the snapshot again",
        path=("scheduling", "tolerations"),
    ),
}
"""Code of a rule → its advice; the hint of the rule itself is right for all the others."""
