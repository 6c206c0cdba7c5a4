"""An object → its health, by the very programs that Argo CD and Flux are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import cel
from lupa.lua51 import LuaRuntime

from genjob.gitops.health import HEALTH_EXPRESSIONS, HEALTH_LUA

if TYPE_CHECKING:
    from genjob.jsontypes import JsonObject

ARGO_CD_STATES = ("Healthy", "Progressing", "Suspended", "Degraded")

_SANDBOX = """
for _, name in ipairs({"string", "math", "io", "debug", "coroutine", "os", "package", "python"}) do
  _G[name] = nil
end
"""
"""What Argo CD does not give to a script: it opens the base and the table library alone.

Source: Argo CD 3.5 util/lua/lua.go, runLua. Its interpreter, gopher-lua, is one of Lua 5.1.
"""


class Health(NamedTuple):
    """What Argo CD shows of an object."""

    status: str
    message: str


def argo_cd_health(body: JsonObject) -> Health:
    """Run the Lua as Argo CD does: `obj` is a global, the result is what the script returns."""
    lua: Any = LuaRuntime(register_eval=False, register_builtins=False)
    lua.globals().obj = lua.table_from(body, recursive=True)
    lua.execute(f'getmetatable("").__index = nil\n{_SANDBOX}')
    found = lua.execute(HEALTH_LUA)
    assert found.status in ARGO_CD_STATES
    return Health(found.status, found.message)


def flux_status(body: JsonObject) -> str:
    """Evaluate the CEL as Flux does; an expression that fails leaves the status unknown.

    Source: fluxcd/pkg runtime/cel/status_evaluator.go, Evaluate.
    """
    (expressions,) = (each for each in checks() if each["kind"] == body["kind"])
    for key, status in (("inProgress", "InProgress"), ("failed", "Failed"), ("current", "Current")):
        try:
            if key in expressions and cel.evaluate(expressions[key], body) is True:
                return status
        except RuntimeError:  # 'no such attribute' of cel-go
            return "Unknown"
    return "InProgress"


def checks() -> list[Any]:
    """Return the health checks that Flux gets."""
    return [*HEALTH_EXPRESSIONS]
