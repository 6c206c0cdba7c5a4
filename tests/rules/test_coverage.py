"""Known wrong combinations → the code that finds them, or why no manifest can show them.

The numbers are those of the collection that the rules were made from: 90 combinations of fabrics
and NCCL, 22 points of the training operator, and 18 conflicts between two variables.
"""

from __future__ import annotations

import re

import pytest

from genjob.allowances import code_of

CODE = re.compile(r"GJ[0-9]{3}")

COMBINATIONS: dict[int, str] = {
    1: "GJ220",
    2: "GJ221",
    3: "GJ203",
    4: "GJ203",
    5: "GJ210",
    6: "GJ211",
    7: "GJ212: a note, because Pod Identity is not in the manifest",
    8: "GJ206",
    9: "GJ206",
    10: "GJ213",
    11: "GJ214: a warning, because few machines have ten adapters",
    12: "GJ215",
    13: "GJ216",
    14: "GJ206",
    15: "GJ222",
    16: "GJ230: a note, because the image is not in the manifest",
    17: "GJ235 for too many, GJ236 for too few",
    18: "GJ231; GJ225 for EFA without the device",
    19: "GJ232",
    20: "GJ233: a note, because a DataLoader is not in the manifest",
    21: "GJ234",
    22: "GJ226: a warning, because a runtime may lift the limit",
    23: "GJ227",
    24: "GJ469",
    25: "GJ470 for too large, GJ471 for too small",
    26: "GJ261",
    27: "GJ262",
    28: "GJ263",
    29: "GJ259",
    30: "GJ264",
    31: "GJ205, GJ206",
    32: "GJ265",
    33: "GJ256 when switched off, GJ238 on GPUs without it",
    34: "not visible: the fabric manager and the free memory are not in a manifest",
    35: "GJ266",
    36: "GJ207, GJ208",
    37: "GJ207",
    38: "GJ202",
    39: "GJ245: its weight depends on the fabric and on the image",
    40: "GJ247",
    41: "GJ204",
    42: "GJ248",
    43: "GJ205",
    44: "GJ237 for another machine; whether the image has the file is not visible",
    45: "GJ229",
    46: "not visible: the namespace of a network attachment is not in the manifest",
    47: "GJ240, GJ241",
    48: "GJ242",
    49: "GJ222, GJ224",
    50: "GJ243",
    51: "GJ649",
    52: "GJ623",
    53: "GJ624: a warning, because recent PyTorch compares addresses too",
    54: "GJ228",
    55: "GJ278",
    56: "GJ643",
    57: "GJ645",
    58: "GJ647",
    59: "GJ625",
    60: "GJ358, GJ359",
    61: "GJ644",
    62: "GJ646",
    63: "GJ631",
    64: "GJ632",
    65: "GJ635, GJ636",
    66: "GJ626: a note, because Workers usually end with the Master",
    67: "GJ627",
    68: "GJ628",
    69: "GJ629; GJ696 when the job is annotated in place of its pods",
    70: "GJ630",
    71: "GJ620",
    72: "GJ640; GJ697 for what needs a flag of the operator",
    73: "GJ280, GJ281, GJ695, GJ360",
    74: "GJ207",
    75: "GJ270",
    76: "GJ271",
    77: "GJ272; GJ205 for a boolean",
    78: "GJ273; CUDA IPC and GPUDirect stacks of a program are not visible",
    79: "GJ275; whether a program is of Megatron without the variable is not visible",
    80: "GJ276",
    81: "GJ277; without the variable torchrun sets 1, which is no mistake",
    82: "GJ362: a note, because a machine may be given to one pod",
    83: "GJ237",
    84: "GJ244 where the vendor documents rails; elsewhere they are not visible",
    85: "GJ239",
    86: "GJ222 where the fabric is known, GJ223 where it is not",
    87: "GJ642",
    88: "GJ698",
    89: "GJ699",
    90: "not visible: the kernel module of the machine is not in a manifest",
}

OPERATOR: dict[int, str] = {
    1: "GJ620",
    2: "GJ619",
    3: "GJ630",
    4: "GJ631",
    5: "GJ632",
    6: "GJ358, GJ359",
    7: "GJ647",
    8: "GJ643, GJ644, GJ625",
    9: "GJ646",
    10: "GJ626",
    11: "GJ627, GJ628",
    12: "GJ635, GJ636",
    13: "GJ649, GJ623, GJ624",
    14: "GJ280",
    15: "GJ629, GJ696",
    16: "GJ642",
    17: "not visible: the image of the operator's init container is a flag of the operator",
    18: "GJ641",
    19: "GJ640",
    20: "GJ698",
    21: "not visible: how the CRD was applied is not in a job",
    22: "not visible: which CRDs a cluster has is not in a job",
}

CONFLICTS: dict[str, str] = {
    "NCCL_IB_DISABLE=1 with other NCCL_IB_*": "GJ250; GJ222 where the fabric is known",
    "NCCL_IB_DISABLE=1 with NCCL_NET=IB": "GJ251",
    "NCCL_NET=Socket with devices": "GJ221",
    "NCCL_SOCKET_NTHREADS * NCCL_NSOCKS_PERTHREAD > 64": "GJ252",
    "NCCL_MIN_CTAS > NCCL_MAX_CTAS": "GJ253",
    "NCCL_CUMEM_ENABLE=0 with NVLS or MNNVL": "GJ254",
    "NCCL_ALGO without CollNet, NCCL_COLLNET_ENABLE=1": "GJ255",
    "NCCL_ALGO names NVLS, NCCL_NVLS_ENABLE=0": "GJ256",
    "NCCL_GRAPH_STREAM_ORDERING=0 with mixing": "GJ257",
    "NCCL_IB_AR_THRESHOLD > NCCL_BUFFSIZE": "GJ258",
    "NCCL_IB_GID_INDEX with the choice of one": "GJ246",
    "NCCL_DEBUG_SUBSYS without NCCL_DEBUG": "GJ259",
    "NCCL_P2P_DISABLE=1 with NCCL_P2P_LEVEL": "GJ260",
    "both names of the allocator's settings": "GJ272",
    "TORCH_NCCL_DUMP_ON_TIMEOUT=1 without a buffer": "GJ274",
    "TORCH_NCCL_X and NCCL_X both set": "GJ207: whatever stands beside the old name",
    "OMP_NUM_THREADS * nproc_per_node > CPUs": "GJ277",
    "TORCH_ELASTIC_SHUTDOWN_TIMEOUT >= grace period": "GJ698",
}

ANSWERS = [*COMBINATIONS.items(), *OPERATOR.items(), *CONFLICTS.items()]


def test_every_number_has_an_answer() -> None:
    assert [*range(1, 91)] == [*COMBINATIONS]
    assert [*range(1, 23)] == [*OPERATOR]
    assert 18 == len(CONFLICTS)


@pytest.mark.parametrize(("number", "answer"), ANSWERS)
def test_an_answer_is_a_code_that_exists_or_a_reason(number: int | str, answer: str) -> None:
    codes = CODE.findall(answer)

    assert set() == {*codes} - {*code_of()}, number
    assert codes or answer.startswith("not visible: ")
