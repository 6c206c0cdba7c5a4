"""The codes of findings of our own stages, in one table: code → name → what it means.

A code never changes its meaning. Findings of reading a file (GJ0) have theirs in `document.Code`,
rules on rendered objects in `rules.RULES`. Imports nothing of ours.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class CodeTable(StrEnum):
    """A table of findings; a member's name in kebab-case is the name of the finding."""

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        """Make a member from its row of the table."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    @property
    def slug(self) -> str:
        """The name in kebab-case, as documentation shows it."""
        return self.name.lower().replace("_", "-")


class Code(CodeTable):
    """The findings of our own stages, but of reading a file."""

    # what people write
    UNKNOWN_KEY = "GJ101", "A key that does not exist at its place."
    MISSING_KEY = "GJ102", "A key that must be there."
    WRONG_VALUE = "GJ103", "A value of the wrong type, or out of its bounds."
    MISPLACED_KEY = "GJ104", "A key that belongs to the experiment as a whole, in an override."
    NAME_DIFFERS = "GJ105", "A name that is not that of its file or folder."
    REQUIRED_FIELD_MISSING = "GJ106", "A field that the environment's policy demands."
    UNKNOWN_VERSION = "GJ107", "A version of Kubernetes or of the operator without schemas here."
    UNKNOWN_ENVIRONMENT = "GJ108", "An environment that has no file."
    UNKNOWN_EXPERIMENT = "GJ109", "An experiment that has no folder."
    NOT_EXACTLY_ONE = "GJ110", "None or several of the fields of which exactly one must be set."
    NAME_TWICE = "GJ111", "Two things of one list with one name."
    WRONG_FILE_NAME = "GJ112", "A file beside those that are read, whose name is not quite theirs."
    MADE_TWICE = "GJ113", "An object of one environment that two experiments make."

    UNKNOWN_ALLOWANCE = "GJ114", "A code or name under `allow` that no finding has."
    IDLE_ALLOWANCE = "GJ115", "An allowance that allows nothing."

    # a variable of NCCL, PyTorch or a fabric, under `nccl`, in an environment or a ConfigMap
    UNKNOWN_VARIABLE = "GJ202", "A variable that nobody reads, such as a misspelled one."
    MISREAD_VALUE = "GJ203", "A value that is read otherwise than it looks: `true` is 0 to NCCL."
    VALUE_OUT_OF_RANGE = "GJ204", "A number outside of what its reader takes."
    UNKNOWN_WORD = "GJ205", "A word that the variable does not know, or not in this case."
    MALFORMED_LIST = "GJ206", "A list or a text that its reader splits otherwise than it looks."
    DEPRECATED_VARIABLE = "GJ207", "A variable or a way to write it that has a successor."
    REMOVED_VARIABLE = "GJ208", "A variable that current releases do not read any more."

    # a resolved experiment in its environment
    NCCL_SET_TWICE = "GJ201", "One NCCL variable, set under `nccl` and under `env` or `config`."
    UNKNOWN_ACCELERATOR = "GJ301", "An accelerator that no node pool and no table knows."
    GPU_LIMIT_EXCEEDED = "GJ302", "More GPUs than the environment's policy allows for one run."
    MACHINE_TOO_SMALL = "GJ303", "More than a machine of any node pool has."
    TOO_FEW_MACHINES = "GJ304", "More nodes than the node pool has machines."
    FILE_NOT_BESIDE = "GJ401", "A file to mount that is not in the experiment's folder."
    FILES_COLLIDE = "GJ402", "Two files of one storage that would be one key of a ConfigMap."
    WRITTEN_TWICE = "GJ407", "A directory that two experiments of one environment write."
    UNKNOWN_STORAGE_CLASS = "GJ403", "A storage class that the environment does not list."
    UNKNOWN_REFERENCE = "GJ404", "A Secret, ConfigMap or claim that the environment does not list."
    CLAIM_DIFFERS = "GJ406", "One claim, described otherwise for the Master than for the Workers."
    FILE_TOO_LARGE = "GJ405", "A file to mount that no ConfigMap can hold."
    NO_NODE_POOL = "GJ501", "No node pool of the environment fits."
    UNKNOWN_QUEUE = "GJ502", "A queue that the environment does not list."
    FABRIC_NOT_THERE = "GJ503", "A fabric that the machines do not have."
    POOL_VALUE_MISSING = "GJ504", "What a fabric needs, and the node pool does not say."
    UNKNOWN_INSTANCE_TYPE = "GJ505", "An instance type that is nearly a known one."
    SUSPEND_BESIDE_QUEUE = "GJ606", "`suspend` of a job that has a queue: it belongs to Kueue."
    MASTER_OF_ELASTIC = "GJ607", "A `master` section of an elastic job, which has no Master."
    IMAGE_WITHOUT_DIGEST = "GJ608", "An image without a digest where the environment demands one."

    # a rendered object beside its schema
    UNKNOWN_FIELD = "GJ601", "A field that its schema does not have: the API server drops it."
    WRONG_FIELD_TYPE = "GJ602", "A field of the wrong type."
    MISSING_FIELD = "GJ603", "A field that the schema demands."
    WRONG_FIELD_VALUE = "GJ604", "A value that the schema does not allow."
    NO_SCHEMA = "GJ605", "An object of a kind or version that has no schema here."

    UNWRITABLE_VALUE = "GJ609", "A value that Kustomize would not hand on as it is."

    # a manifest that somebody else wrote
    TEMPLATE = "GJ801", "A manifest with variables that wait to be filled in."
    OLD_API = "GJ802", "A PyTorchJob of an API version that the operator does not serve."
    FOREIGN_JOB = "GJ803", "A PyTorchJob of another operator."
    EMBEDDED_JOB = "GJ804", "A PyTorchJob inside another object."
    OTHER_KIND = "GJ805", "An object with the fields of a PyTorchJob and another kind."
    NOTHING_TO_CHECK = "GJ806", "A file without an object that can be checked."
    LEFT_OUT = "GJ807", "A part of an imported manifest that is no affair of an experiment."
    MENDED = "GJ808", "A mistake of an imported manifest that was mended."
    DIFFERS = "GJ809", "A part of an imported manifest that its experiment does not render."
    ALREADY_THERE = "GJ810", "An experiment to import that is there already, or imported twice."
    NO_JOB = "GJ811", "Files to import without a PyTorchJob."
    UPGRADED = "GJ812", "An old form in an imported manifest, which is written as it is today."

    # the rendered tree
    FOREIGN_FILE = "GJ701", "A file in the way of a rendered one, not written by genjob."
    LINK_IN_THE_WAY = "GJ702", "A symbolic link where a file or a folder is needed."
    PATHS_DIFFER_BY_CASE = "GJ703", "Two rendered paths that differ by case alone."
    BLOCKED_PATH = "GJ704", "A folder where a file is needed, or the reverse."
    WRITE_REFUSED = "GJ705", "The operating system refused a write."

    # the runs that Git declares
    BROKEN_LOCK = "GJ710", "The lock of a run cannot be read."
    LOST_LOCK = "GJ711", "A rendered overlay without the lock of its run."
    LOCK_DIFFERS = "GJ712", "A lock that does not say what the committed overlay builds to."
    RUN_ID_TAKEN = "GJ713", "A change to what runs under the `run.id` of the committed run."
    CLAIM_STAYS = "GJ714", "A claim that cannot change as it is wanted: its data outlives runs."
    STALE_OVERLAY = "GJ715", "A changed base below an overlay that cannot be rendered again."

    # two states of a workspace, compared through Git
    NOT_A_REPOSITORY = "GJ820", "A workspace that is in no Git repository."
    UNKNOWN_REVISION = "GJ821", "A revision that the clone does not have, or not completely."
    NO_MERGE_BASE = "GJ822", "No main branch to compare with, or no common commit with it."
    NO_WORKSPACE_THERE = "GJ823", "A revision that has no workspace: everything counts as new."
    UNREADABLE_THERE = "GJ824", "A file that cannot be used as it was at the revision."

    # the environment's policy, and what its cluster has room for
    NODE_LIMIT_EXCEEDED = "GJ840", "More nodes than the environment's policy allows for one run."
    DEADLINE_TOO_LATE = "GJ841", "A run that may take longer than the environment's policy allows."
    FORBIDDEN_FIELD = "GJ842", "A field that the environment's policy forbids."
    REGISTRY_NOT_ALLOWED = "GJ843", "An image from where the environment's policy allows none."
    QUOTA_EXCEEDED = "GJ844", "A run that asks for more than its queue has."
    QUEUE_OVERSUBSCRIBED = "GJ845", "Runs of one queue that ask for more than it has, together."
    POOL_OVERSUBSCRIBED = "GJ846", "Runs of one node pool that ask for more than it has, together."

    # what the snapshot of a cluster says otherwise
    NODE_NOT_THERE = "GJ847", "Labels that no node of the cluster has."
    TAINT_NOT_TOLERATED = "GJ848", "A taint that keeps the pods from all nodes with their labels."
    NODE_TOO_SMALL = "GJ849", "More than a pod may have of any node that takes it."
    NODES_MISSING = "GJ850", "Fewer nodes in the cluster than the environment says."
    QUEUE_NOT_THERE = "GJ851", "A queue that the cluster does not have in the namespace."
    QUEUE_STOPPED = "GJ852", "A queue that is stopped: it admits nothing."
    RESOURCE_WITHOUT_QUOTA = "GJ853", "A resource that pods ask for and their queue has none of."
    CLASS_NOT_THERE = "GJ854", "A storage or priority class that the cluster does not have."
    CRD_DIFFERS = "GJ855", "A PyTorchJob of the cluster that is not the one checked for."
    VERSION_DIFFERS = "GJ856", "A version of Kubernetes that is not the one checked for."

    # an object before a cluster
    CLUSTER_REFUSES = "GJ860", "An object that the cluster does not take."
    CLUSTER_WARNS = "GJ861", "An object that the cluster takes with a warning."
