"""An object → whether Flux's post-build substitution would change its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genjob.jsontypes import Json

NO_SUBSTITUTION = {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}
"""The annotation of an object that Flux hands on as it is.

Source: Flux kustomize-controller 1.9 docs/spec/v1/kustomizations.md, "Post build substitution".
"""

_READ = ("${", "$$")
"""What the substitution reads: `${VAR}` becomes a value, an empty text or an error, and `$$` is an
escaped `$`, so that `kill $$` of a shell becomes `kill $`.

Source: fluxcd/pkg envsubst/parse/scan.go; measured with v1.4.0.
"""


def needs_no_substitution(body: Json) -> bool:
    """Return whether an object must carry NO_SUBSTITUTION to reach the cluster unchanged.

    Whether there are variables to substitute is for the cluster's owner to say, often in a patch
    of every Flux Kustomization; so an object protects itself.
    """
    match body:
        case str():
            return any(sign in body for sign in _READ)
        case list():
            return any(map(needs_no_substitution, body))
        case dict():
            return any(needs_no_substitution(part) for pair in body.items() for part in pair)
        case _:
            return False
