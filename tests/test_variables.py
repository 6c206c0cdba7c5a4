"""Texts of environment variables: what their readers make of names, numbers and words."""

from __future__ import annotations

import pytest

from genjob.catalog.variables import REGISTRY
from genjob.codes import Code
from genjob.diagnostics import Severity
from genjob.variables import Problem, check_text, environment_name, field_name
from genjob.variables.names import check_field_name, edits

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


def said(name: str, text: str) -> tuple[str, Severity, str, str] | None:
    """Return the problem of a text as a row of the tables below."""
    problem = check_text(name, text)
    if problem is None:
        return None
    return problem.code, problem.severity, problem.message, problem.hint


def test_a_field_and_its_variable_are_one_rule() -> None:
    assert environment_name("ib_hca") == "NCCL_IB_HCA"
    assert field_name("NCCL_IB_HCA") == "ib_hca"


def test_a_variable_of_another_family_has_no_field() -> None:
    with pytest.raises(ValueError, match="'TORCH_NCCL_NAN_CHECK' does not begin with NCCL_"):
        field_name("TORCH_NCCL_NAN_CHECK")


def test_a_field_of_the_tables_has_a_known_name() -> None:
    assert check_field_name("ib_hca") is None


def test_the_code_of_a_problem_is_that_of_its_fault() -> None:
    assert Problem(Code.MISREAD_VALUE, "").code == "GJ203"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("", "", 0),
        ("ab", "", 2),
        ("", "ab", 2),
        ("DISABEL", "DISABLE", 1),
        ("IFNAMES", "IFNAME", 1),
        ("HCA", "HAC", 1),
        ("ABCD", "BADC", 2),
        ("ca", "abc", 3),
    ],
)
def test_a_swap_of_two_letters_is_one_edit(one: str, other: str, expected: int) -> None:
    assert expected == edits(one, other)


@pytest.mark.parametrize(
    ("name", "severity", "reader", "hint"),
    [
        ("NCCL_IB_DISABEL", ERROR, "NCCL", "did you mean 'NCCL_IB_DISABLE'?"),
        ("nccl_debug", ERROR, "NCCL", "did you mean 'NCCL_DEBUG'?"),
        ("NCCL_IB_DISABLE_ALL", WARNING, "NCCL", "did you mean 'NCCL_IB_DISABLE'?"),
        ("NCCL_FOO_BAR", WARNING, "NCCL", "'genjob nccl' lists those that are read"),
        (
            "TORCH_NCCL_ASYNC_ERROR_HANDLNG",
            ERROR,
            "PyTorch",
            "did you mean 'TORCH_NCCL_ASYNC_ERROR_HANDLING'?",
        ),
        ("FI_PROVIDERS", WARNING, "libfabric", "did you mean 'FI_PROVIDER'?"),
        ("NCCL_FASTRAK_NUM_FLOW", WARNING, "FasTrak", "did you mean 'NCCL_FASTRAK_NUM_FLOWS'?"),
        ("UCX_TL", WARNING, "UCX", "did you mean 'UCX_TLS'?"),
    ],
)
def test_a_name_that_nobody_reads_is_told_with_the_nearest(
    name: str, severity: Severity, reader: str, hint: str
) -> None:
    message = f"'{name}' is no variable that {reader} reads"
    expected = Problem(Code.UNKNOWN_VARIABLE, message, hint, severity, at_key=True)
    assert expected == check_text(name, "1")


@pytest.mark.parametrize(
    "name",
    [
        *("PATH", "LD_LIBRARY_PATH", "HYDRA_FULL_ERROR", "", "WORLD_SIZ"),
        *("NCCL_VERSION", "NCCL_HOME"),  # images set them for themselves
        *("NCCL_FASTRAK_NEW_KNOB", "NCCL_TESTS_SPLIT_MASK", "NCCL_UCX_RNDV_THRESH"),
        *("FI_OFI_RXM_USE_SRX", "UCX_RC_TIMEOUT", "PET_ROLE", "TORCH_HOME", "CUDA_HOME"),
        *("NCCL_GIN_IB_TC", "NCCL_LL128_C2C"),  # in the source alone
    ],
)
def test_a_name_of_which_nothing_is_known_is_left_alone(name: str) -> None:
    assert check_text(name, "1") is None


@pytest.mark.parametrize(
    ("name", "severity", "hint"),
    [
        (
            "NCCL_SOCKET_TIMEOUT_MS",
            WARNING,
            "write NCCL_SOCKET_RETRY_CNT and NCCL_SOCKET_RETRY_SLEEP_MSEC",
        ),
        ("NCCL_TIMEOUT", WARNING, "pass timeout= to init_process_group"),
        ("NCCL_ENABLE_MONITORING", WARNING, "write TORCH_NCCL_ENABLE_MONITORING"),
        ("NCCL_SOCKET_IFNAMES", ERROR, "write NCCL_SOCKET_IFNAME"),
        ("MASTER_IP", WARNING, "write MASTER_ADDR"),
    ],
)
def test_a_name_that_cheat_sheets_hand_on_is_told_with_what_they_mean(
    name: str, severity: Severity, hint: str
) -> None:
    message = f"'{name}' is no variable that any program reads"
    expected = Problem(Code.UNKNOWN_VARIABLE, message, hint, severity, at_key=True)
    assert expected == check_text(name, "1")


@pytest.mark.parametrize(
    ("name", "severity", "message", "hint"),
    [
        (
            "NCCL_IB_GDR_LEVEL",
            WARNING,
            "'NCCL_IB_GDR_LEVEL' is deprecated since NCCL 2.4.0",
            "write NCCL_NET_GDR_LEVEL",
        ),
        (
            "NCCL_MIN_NCHANNELS",
            INFO,
            "'NCCL_MIN_NCHANNELS' is deprecated since NCCL 2.17",
            "write NCCL_MIN_CTAS, from NCCL 2.17 on",
        ),
        (
            "NCCL_ASYNC_ERROR_HANDLING",
            WARNING,
            "'NCCL_ASYNC_ERROR_HANDLING' is deprecated since PyTorch 2.2",
            "write TORCH_NCCL_ASYNC_ERROR_HANDLING",
        ),
        (
            "NCCL_CHECK_POINTERS",
            INFO,
            "'NCCL_CHECK_POINTERS' is deprecated since NCCL 2.29.7",
            "write NCCL_CHECK_MODE with DEBUG_LOCAL, from NCCL 2.29.7 on",
        ),
        (
            "FI_EFA_FORK_SAFE",
            INFO,
            "'FI_EFA_FORK_SAFE' is deprecated with current releases of aws-ofi-nccl",
            "remove it: the plugin does this itself",
        ),
        (
            "NCCL_CHECKS_DISABLE",
            WARNING,
            "'NCCL_CHECKS_DISABLE' is deprecated since NCCL 2.2.12",
            "remove it",
        ),
    ],
)
def test_a_deprecated_name_is_told_with_the_new_one(
    name: str, severity: Severity, message: str, hint: str
) -> None:
    value = REGISTRY[name].choices[0] if REGISTRY[name].choices else "1"
    expected = Problem(Code.DEPRECATED_VARIABLE, message, hint, severity, at_key=True)
    assert expected == check_text(name, value)


def test_a_removed_variable_is_told_whatever_its_value() -> None:
    message = "'NCCL_TREE_THRESHOLD' does nothing since NCCL 2.5"
    hint = "remove it: it was 0 to say rings only; algo: Ring says that"
    expected = Problem(Code.REMOVED_VARIABLE, message, hint, WARNING, at_key=True)
    assert expected == check_text("NCCL_TREE_THRESHOLD", "8M")


def test_a_wrong_value_of_a_deprecated_variable_is_one_problem() -> None:
    assert said("NCCL_IB_GDR_LEVEL", "phb") == (
        "GJ205",
        WARNING,
        "NCCL_IB_GDR_LEVEL 'phb' is known as 'PHB', maybe not in other case",
        "write 'PHB'",
    )


def test_what_the_operator_overwrites_is_left_to_the_rule_on_that() -> None:
    assert check_text("PET_MASTER_PORT", "port") is None


@pytest.mark.parametrize("text", ["$(IFACE)", "${IFACE}", "$IFACE", "{{ .Values.interface }}"])
def test_a_text_that_is_completed_later_is_left_alone(text: str) -> None:
    assert check_text("NCCL_SOCKET_IFNAME", f"{text} ,=") is None
    assert check_text("NCCL_IB_TC", text) is None
