"""Text that Flux's post-build substitution would change is found, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from genjob.gitops.substitution import needs_no_substitution

if TYPE_CHECKING:
    from genjob.jsontypes import Json


@pytest.mark.parametrize(
    ("text", "is_changed"),
    [
        ("${HOSTNAME}", True),
        ("exec torchrun --node_rank=${RANK:-0}", True),
        ("$${HOSTNAME}", True),
        ("trap : TERM; kill $$", True),
        ("$$(POD_NAME)", True),
        ("$HOME/data", False),
        ("$(POD_NAME)", False),
        ("cost: 5 $ {a}", False),
        ("", False),
    ],
)
def test_what_the_substitution_reads_is_found_in_a_command(text: str, is_changed: bool) -> None:  # noqa: FBT001 # the expected answer
    """Measured with envsubst v1.4.0 of fluxcd/pkg: `$$` becomes `$` wherever it stands."""
    body: Json = {"spec": {"containers": [{"args": ["--lr=1e-4", text], "replicas": 3}]}}

    assert is_changed == needs_no_substitution(body)


def test_a_key_counts_as_a_value_does() -> None:
    assert needs_no_substitution({"data": {"${NAME}.sh": "true"}})
    assert not needs_no_substitution({"immutable": True, "data": None})
