"""Numbers, flags, words and texts of environment variables: what their readers make of each."""

from __future__ import annotations

import pytest

from genjob.diagnostics import Severity
from genjob.variables import check_text
from genjob.variables.numbers import strtoll

ERROR, WARNING = Severity.ERROR, Severity.WARNING


def said(name: str, text: str) -> tuple[str, Severity, str, str] | None:
    """Return the problem of a text: its code, severity, message without the name, hint."""
    problem = check_text(name, text)
    if problem is None:
        return None
    message = problem.message.removeprefix(f"{name} ")
    return problem.code, problem.severity, message, problem.hint


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(("0", 0), ("42", 42), ("-2", -2), ("+7", 7), ("  9", 9), ("7x", 7), ("", 0)),
        *(("true", 0), ("8M", 8), ("4MB", 4), ("010", 8), ("08", 0), ("0x10", 16), ("0xg", 0)),
        *(("1e6", 1), ("- 1", 0), ("٣", 0), ("9" * 5000, 10**19)),
    ],
)
def test_a_number_is_read_as_c_reads_it(text: str, expected: int) -> None:
    assert expected == strtoll(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("NCCL_IB_DISABLE", text) for text in ("0", "1", "", " 1", "1 ", "0x1", "00")),
        *(("NCCL_IB_TC", text) for text in ("0", "106", "0x6a", "255", "")),
        *(("NCCL_IB_GID_INDEX", text) for text in ("-1", "3")),
        *(("NCCL_BUFFSIZE", text) for text in ("4194304", "0x400000", "1")),
        *(("NCCL_CROSS_NIC", text) for text in ("0", "1", "2")),
        *(("NCCL_CUMEM_ENABLE", text) for text in ("-2", "0", "1")),
        ("NCCL_SOCKET_RCVBUF", "-1"),
        ("NCCL_NET_OVERHEAD", "-2"),
        *(("UCX_IB_SL", text) for text in ("auto", "3")),
        *(("OMP_NUM_THREADS", text) for text in ("8", "4,2")),
        ("TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC", "010"),
        ("TORCH_DIST_INIT_BARRIER", "1"),
    ],
)
def test_a_number_that_is_read_as_it_says_passes(name: str, text: str) -> None:
    assert check_text(name, text) is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "NCCL_IB_DISABLE",
            "true",
            ("GJ203", ERROR, "'true' is 0 to NCCL, the opposite of what it says", 'write "1"'),
        ),
        (
            "NCCL_P2P_DISABLE",
            "Yes",
            ("GJ203", ERROR, "'Yes' is 0 to NCCL, the opposite of what it says", 'write "1"'),
        ),
        (
            "NCCL_IB_DISABLE",
            "no",
            ("GJ203", WARNING, "'no' is 0 to NCCL, which reads digits alone", 'write "0"'),
        ),
        (
            "NCCL_IB_DISABLE",
            "maybe",
            ("GJ203", ERROR, "'maybe' is 0 to NCCL, which reads digits alone", "write 0 or 1"),
        ),
        (
            "NCCL_BUFFSIZE",
            "8M",
            ("GJ203", ERROR, "'8M' is 8 bytes to NCCL, which reads no units", 'write "8388608"'),
        ),
        (
            "NCCL_BUFFSIZE",
            "4 MiB",
            ("GJ203", ERROR, "'4 MiB' is 4 bytes to NCCL, which reads no units", 'write "4194304"'),
        ),
        (
            "NCCL_BUFFSIZE",
            "8e6",
            (
                "GJ203",
                ERROR,
                "'8e6' is 8 bytes to NCCL, which reads no units",
                "write a number of bytes",
            ),
        ),
        (
            "NCCL_IB_TC",
            "010",
            ("GJ203", ERROR, "'010' is 8 to NCCL, which reads a leading 0 as octal", 'write "10"'),
        ),
        (
            "NCCL_IB_TC",
            "08",
            ("GJ203", ERROR, "'08' is 0 to NCCL, which reads a leading 0 as octal", 'write "8"'),
        ),
        (
            "NCCL_CROSS_NIC",
            "on",
            ("GJ203", ERROR, "'on' is 0 to NCCL, which reads digits alone", "write 0, 1 or 2"),
        ),
        (
            "TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC",
            "10m",
            ("GJ203", ERROR, "'10m' is no integer", "write an integer of 1 or more"),
        ),
        (
            "TORCH_DIST_INIT_BARRIER",
            "true",
            ("GJ203", WARNING, "'true' is no integer", 'write "1"'),
        ),
        (
            "NCCL_FASTRAK_NUM_FLOWS",
            "two",
            ("GJ203", WARNING, "'two' is no integer", "write an integer"),
        ),
        ("FI_EFA_CQ_SIZE", "8k", ("GJ203", WARNING, "'8k' is no integer", "write an integer")),
    ],
)
def test_a_number_that_is_read_as_another_is_told(
    name: str, text: str, expected: tuple[str, Severity, str, str]
) -> None:
    assert expected == said(name, text)


@pytest.mark.parametrize(
    ("name", "text", "severity", "found", "hint"),
    [
        ("NCCL_IB_TIMEOUT", "1800", ERROR, "1800", "write an integer from 0 to 31"),
        ("NCCL_IB_RETRY_CNT", "13", ERROR, "13", "write an integer from 0 to 7"),
        ("NCCL_IB_SL", "-1", WARNING, "-1", "write an integer from 0 to 15"),
        ("NCCL_IB_SUBNET_PREFIX_LEN", "129", WARNING, "129", "write an integer from 0 to 128"),
        ("NCCL_RAS_TIMEOUT_FACTOR", "0", ERROR, "0", "write an integer of 1 or more"),
        ("NCCL_MNNVL_ENABLE", "3", ERROR, "3", "write 0, 1 or 2"),
        ("NCCL_IB_DISABLE", "2", WARNING, "2", "write 0 or 1"),
        ("NCCL_BUFFSIZE", "-4096", ERROR, "-4096", "write a number of bytes"),
        ("NCCL_IB_TC", "9" * 30, ERROR, str(10**19), "write an integer from 0 to 255"),
        ("OMP_NUM_THREADS", "8,0", WARNING, "0", "write an integer of 1 or more"),
    ],
)
def test_a_number_out_of_its_range_is_told(
    name: str, text: str, severity: Severity, found: str, hint: str
) -> None:
    assert ("GJ204", severity, f"{found} is out of range", hint) == said(name, text)


def test_a_size_that_is_no_power_of_two_is_told_with_its_neighbours() -> None:
    expected = ("GJ204", WARNING, "1000 is not a power of two", "write 512 or 1024")
    assert expected == said("NCCL_BUFFSIZE", "1000")
    assert said("NCCL_BUFFSIZE", "0") == (
        "GJ204",
        WARNING,
        "0 is not a power of two",
        "write 1 or 2",
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("TORCH_NCCL_BLOCKING_WAIT", text) for text in ("1", "T", "Yes", "n", "FALSE")),
        *(("FI_EFA_USE_DEVICE_RDMA", text) for text in ("1", "on", "No")),
        *(("OFI_NCCL_ABORT_ON_ERROR", text) for text in ("t", "off")),
        *(("NCCL_PARAM_DUMP_ALL", text) for text in ("", "true", "0")),
    ],
)
def test_a_flag_takes_the_words_of_its_reader(name: str, text: str) -> None:
    assert check_text(name, text) is None


@pytest.mark.parametrize(
    ("name", "text", "severity", "reader"),
    [
        ("TORCH_NCCL_BLOCKING_WAIT", "on", ERROR, "PyTorch"),
        ("TORCH_NCCL_BLOCKING_WAIT", "", ERROR, "PyTorch"),
        ("NCCL_BLOCKING_WAIT", "enabled", ERROR, "PyTorch"),
        ("FI_EFA_USE_DEVICE_RDMA", "t", WARNING, "libfabric"),
        ("NCCL_PARAM_DUMP_ALL", "2", WARNING, "NCCL"),
    ],
)
def test_a_flag_in_a_word_that_its_reader_does_not_know_is_told(
    name: str, text: str, severity: Severity, reader: str
) -> None:
    expected = ("GJ203", severity, f"'{text}' is no flag that {reader} knows", 'write "1" or "0"')
    assert expected == said(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("NCCL_DEBUG", text) for text in ("WARN", "info", "Trace", "")),
        *(("NCCL_NET_GDR_LEVEL", text) for text in ("PIX", "SYS", "PXN")),
        ("NCCL_NET_MERGE_LEVEL", "PORT"),
        ("UCX_LOG_LEVEL", "INFO"),
        ("TORCH_DISTRIBUTED_DEBUG", "detail"),
        ("NCCL_NET", "AWS Libfabric"),
    ],
)
def test_a_word_that_its_reader_knows_passes(name: str, text: str) -> None:
    assert check_text(name, text) is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "NCCL_P2P_LEVEL",
            "nvl",
            ("GJ205", ERROR, "does not know 'nvl': it is compared letter by letter", "write 'NVL'"),
        ),
        (
            "NCCL_NET_GDR_LEVEL",
            "PHBB",
            ("GJ205", ERROR, "does not know 'PHBB'", "did you mean 'PHB'?"),
        ),
        ("NCCL_DEBUG", "INFOS", ("GJ205", ERROR, "does not know 'INFOS'", "did you mean 'INFO'?")),
        (
            "NCCL_SOCKET_FAMILY",
            "ipv6",
            ("GJ205", ERROR, "does not know 'ipv6'", "write 'AF_INET' or 'AF_INET6'"),
        ),
        (
            "NCCL_LAUNCH_MODE",
            "group",
            (
                "GJ205",
                WARNING,
                "'group' is known as 'GROUP', maybe not in other case",
                "write 'GROUP'",
            ),
        ),
        (
            "LOGLEVEL",
            "loud",
            (
                "GJ205",
                WARNING,
                "does not know 'loud'",
                "write 'DEBUG', 'INFO', 'WARNING', 'ERROR' or 'CRITICAL'",
            ),
        ),
        (
            "NCCL_P2P_LEVEL",
            "1",
            ("GJ207", WARNING, "'1' is an old way to write the level PIX", "write 'PIX'"),
        ),
        (
            "NCCL_NET_GDR_LEVEL",
            "50000",
            ("GJ207", WARNING, "'50000' is an old way to write the level SYS", "write 'SYS'"),
        ),
    ],
)
def test_a_word_that_its_reader_ignores_is_told(
    name: str, text: str, expected: tuple[str, Severity, str, str]
) -> None:
    assert expected == said(name, text)
