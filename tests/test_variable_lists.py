"""Lists and texts with a grammar: whether their reader splits them as they were meant."""

from __future__ import annotations

import pytest

from genjob.diagnostics import Severity
from genjob.variables import check_text

ERROR, WARNING = Severity.ERROR, Severity.WARNING
INSIDE = "inside: ^ and = stand once, in this order, before the first name"
HCAS = ",".join(f"mlx5_{index}" for index in range(33))


def said(name: str, text: str) -> tuple[str, Severity, str, str] | None:
    """Return the problem of a text: its code, severity, message without name and text, hint."""
    problem = check_text(name, text)
    if problem is None:
        return None
    message = problem.message.removeprefix(f"{name} ").removeprefix(f"'{text}' ")
    return problem.code, problem.severity, message, problem.hint


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(
            ("NCCL_SOCKET_IFNAME", text)
            for text in (
                "eth0",
                "eth",
                "=eth0,eth1",
                "^lo,docker",
                "^=lo",
                "eth0.100",
                "",
                "veth@if3",
            )
        ),
        *(
            ("NCCL_IB_HCA", text)
            for text in ("mlx5", "=mlx5_0:1,mlx5_1:1", "^=mlx5_3,mlx5_4", "mlx5_0::0:0", HCAS[:-8])
        ),
        ("NCCL_OOB_NET_IFNAME", "=mlx5_0:1"),
        *(("GLOO_SOCKET_IFNAME", text) for text in ("eth0", "eth0,eth1", "e")),
        ("NCCL_GPUDIRECTTCPX_SOCKET_IFNAME", "eth1,eth2,eth3,eth4"),
        *(("NCCL_DEBUG_SUBSYS", text) for text in ("INIT,NET", "^init", "ALL,^COLL", "")),
        *(
            ("NCCL_ALGO", text)
            for text in (
                *("Ring", "ring,TREE", "^Tree", "NVLSTree", "allreduce:tree"),
                *("ring;allreduce:tree,collnetdirect", "allreduce:^nvls;broadcast:ring"),
            )
        ),
        *(("NCCL_PROTO", text) for text in ("Simple", "^LL128", "allreduce:LL,LL128")),
        *(("NCCL_NETDEVS_POLICY", text) for text in ("AUTO", "max:1", "ALL")),
        *(("NCCL_NET_FORCE_MERGE", text) for text in ("mlx5_0,mlx5_1", "a,b;c,d")),
        *(("NCCL_CTA_POLICY", text) for text in ("1", "efficiency|ZERO")),
        *(("NCCL_IB_ADDR_RANGE", text) for text in ("10.0.0.0/8", "fd02::/16", "::/0")),
        *(("NCCL_RAS_ADDR", text) for text in ("localhost:28028", "[::1]:28028")),
        *(("NCCL_DEBUG_FILE", text) for text in ("/tmp/nccl.%h.%p", "stdout")),  # noqa: S108 # a text
        ("NCCL_CONF_FILE", "~/.nccl.conf"),
        *(
            ("PYTORCH_ALLOC_CONF", text)
            for text in (
                *("", "expandable_segments:True", "backend:native, max_split_size_mb:512"),
                "roundup_power2_divisions:[256:1,512:2,>:4],garbage_collection_threshold:0.8",
            )
        ),
    ],
)
def test_a_text_of_its_grammar_passes(name: str, text: str) -> None:
    assert check_text(name, text) is None


@pytest.mark.parametrize(
    ("name", "text", "message", "hint"),
    [
        ("NCCL_SOCKET_IFNAME", "=eth0,=eth1", f"has '=' {INSIDE}", "write '=eth0,eth1'"),
        ("NCCL_SOCKET_IFNAME", "^lo,^docker0", f"has '^' {INSIDE}", "write '^lo,docker0'"),
        ("NCCL_SOCKET_IFNAME", "=^lo", f"has '^' {INSIDE}", "write '^=lo'"),
        (
            "NCCL_SOCKET_IFNAME",
            "eth0,^lo",
            f"has '^' {INSIDE}",
            "write only the names to use, or ^ and only those to leave out",
        ),
        (
            "NCCL_SOCKET_IFNAME",
            "^lo, docker",
            "has a blank, which becomes part of a name",
            "write '^lo,docker'",
        ),
        (
            "NCCL_SOCKET_IFNAME",
            "eth0 eth1",
            "has a blank, which becomes part of a name",
            "remove it",
        ),
        ("NCCL_SOCKET_IFNAME", "e", "is ignored: NCCL takes no name of one letter", ""),
        (
            "NCCL_SOCKET_IFNAME",
            "eth0;eth1",
            "has 'eth0;eth1', expected the name of an interface",
            "",
        ),
        ("NCCL_IB_HCA", "=mlx5_0,=mlx5_1", f"has '=' {INSIDE}", "write '=mlx5_0,mlx5_1'"),
        (
            "NCCL_IB_HCA",
            "mlx5_0:a",
            "has 'mlx5_0:a', expected a device as name:port:rail:plane",
            "",
        ),
        (
            "GLOO_SOCKET_IFNAME",
            "^lo",
            "has '^', which is taken as part of a name: names stand alone here",
            "write the names to use",
        ),
        (
            "GLOO_SOCKET_IFNAME",
            "=eth0",
            "has '=', which is taken as part of a name: names stand alone here",
            "write 'eth0'",
        ),
        (
            "NCCL_ALGO",
            "Ring, Tree",
            "has a blank, which becomes part of a name",
            "write 'Ring,Tree'",
        ),
        (
            "NCCL_DEBUG_SUBSYS",
            "INIT, NET",
            "has a blank, which becomes part of a name",
            "write 'INIT,NET'",
        ),
        ("NCCL_ALGO", "Ring,", "has an empty word", "remove a comma"),
        (
            "NCCL_ALGO",
            "allreduce",
            "names 'allreduce' without a word for it",
            "write 'allreduce:Ring'",
        ),
        (
            "NCCL_ALGO",
            "alreduce:tree",
            "names the collective 'alreduce'",
            "did you mean 'allreduce'?",
        ),
        (
            "NCCL_PROTO",
            "xyz:LL",
            "names the collective 'xyz'",
            "write 'broadcast', 'reduce', 'allgather', 'reducescatter' or 'allreduce'",
        ),
        (
            "NCCL_ALGO",
            "tree;ring",
            "does not name the collective of an entry behind a semicolon",
            "write words with commas between; ^ excludes; or collective:words;collective:words",
        ),
        ("NCCL_NETDEVS_POLICY", "MAX", "is not understood", "write AUTO, ALL or MAX:N"),
        (
            "NCCL_IB_ADDR_RANGE",
            "10.0.0.0",
            "is not understood",
            "write an address and the length of its prefix, such as 10.0.0.0/8",
        ),
        (
            "NCCL_DEBUG_FILE",
            "~/nccl.log",
            "begins with '~', which only a shell expands",
            "write the whole path",
        ),
        (
            "PYTORCH_ALLOC_CONF",
            "expandable_segments",
            "is not understood",
            "write key:value with commas between",
        ),
        (
            "PYTORCH_ALLOC_CONF",
            "roundup_power2_divisions:[1]x",
            "is not understood",
            "write key:value with commas between",
        ),
    ],
)
def test_a_text_that_its_reader_takes_apart_otherwise_is_told(
    name: str, text: str, message: str, hint: str
) -> None:
    assert ("GJ206", ERROR, message, hint) == said(name, text)


def test_a_comma_too_many_is_no_error() -> None:
    expected = ("GJ206", WARNING, "has an empty name", "remove a comma")
    assert expected == said("NCCL_SOCKET_IFNAME", "eth0,")


def test_more_devices_than_nccl_takes_are_told() -> None:
    problem = check_text("NCCL_IB_HCA", HCAS)
    assert problem is not None
    assert problem.message.endswith("names 33 of them, NCCL takes 32")


@pytest.mark.parametrize(
    ("name", "text", "severity", "message", "hint"),
    [
        ("NCCL_ALGO", "Ring,Tree1", ERROR, "does not know 'Tree1'", "did you mean 'Tree'?"),
        ("NCCL_ALGO", "tree,broadcast:ring", ERROR, "names the collective 'tree,broadcast'", ""),
        (
            "NCCL_ALGO",
            "Collnet",
            ERROR,
            "does not know 'Collnet' since NCCL 2.14",
            "write 'CollnetDirect', 'CollnetChain' or both",
        ),
        ("NCCL_PROTO", "simpel", ERROR, "does not know 'simpel'", "did you mean 'Simple'?"),
        ("NCCL_DEBUG_SUBSYS", "INIT,NETT", ERROR, "does not know 'NETT'", "did you mean 'NET'?"),
        (
            "PYTORCH_ALLOC_CONF",
            "expandable_segment:True",
            ERROR,
            "has no option 'expandable_segment'",
            "did you mean 'expandable_segments'?",
        ),
        ("PYTORCH_ALLOC_CONF", "zzz:1", WARNING, "has no option 'zzz'", ""),
        (
            "PYTORCH_CUDA_ALLOC_CONF",
            "expandable_segments:true",
            ERROR,
            "has 'true' for expandable_segments",
            "write expandable_segments:True",
        ),
        (
            "PYTORCH_ALLOC_CONF",
            "backend:cuda",
            ERROR,
            "has 'cuda' for backend",
            "write backend:native or backend:cudaMallocAsync",
        ),
    ],
)
def test_a_word_that_is_not_known_within_a_text_is_told(
    name: str, text: str, severity: Severity, message: str, hint: str
) -> None:
    code = "GJ206" if "collective" in message else "GJ205"
    actual = said(name, text)
    assert actual is not None
    assert (code, severity, message) == actual[:3]
    assert hint in actual[3]
