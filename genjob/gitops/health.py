"""The conditions of a PyTorchJob → its health, in the languages of Argo CD (Lua) and Flux (CEL).

Neither engine knows the kind: without these, a failed job is healthy to both. The conditions are
those of training-operator 1.9 (pkg/util/status.go, pkg/controller.v1/common/job.go). The first of
Failed, Succeeded, Suspended, Restarting, Running and Created that is true counts: a job that
failed while it restarted keeps both conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from genjob.gitops.source import CLAIM, JOB

if TYPE_CHECKING:
    from genjob.jsontypes import Json

LUA_KEY = f"resource.customizations.health.{JOB.group}_{JOB.kind}"
"""The key of the ConfigMap argocd-cm under which Argo CD looks for HEALTH_LUA."""

HEALTH_LUA = """\
local found = {}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    if condition.status == "True" then
      found[condition.type] = condition.message or condition.type
    end
  end
end

if found.Failed then
  return {status = "Degraded", message = found.Failed}
end
if found.Succeeded then
  return {status = "Healthy", message = found.Succeeded}
end

local suspended = found.Suspended
if not suspended and obj.spec ~= nil and obj.spec.runPolicy ~= nil then
  if obj.spec.runPolicy.suspend == true then
    suspended = "suspended before the training operator saw it"
  end
end
if suspended then
  local labels = obj.metadata ~= nil and obj.metadata.labels or {}
  local queue = labels["kueue.x-k8s.io/queue-name"]
  if queue ~= nil then
    suspended = "waiting in queue '" .. queue .. "': " .. suspended
  end
  return {status = "Suspended", message = suspended}
end

if found.Restarting then
  return {status = "Progressing", message = found.Restarting}
end
if found.Running then
  return {status = "Healthy", message = found.Running}
end
return {status = "Progressing", message = found.Created or "waiting for the training operator"}
"""
"""Argo CD gives the object as `obj`, and of Lua's libraries only the base, table and a part of os.

Source: Argo CD 3.5 docs/operator-manual/health.md, util/lua/lua.go.
"""


def _true(*kinds: str) -> str:
    """Return the CEL expression that is true while one of these conditions is."""
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    holds = f"status.conditions.exists(c, c.type in [{listed}] && c.status == 'True')"
    return f"has(status.conditions) && {holds}"


HEALTH_EXPRESSIONS: list[Json] = [
    {
        "apiVersion": f"{JOB.group}/v1",
        "kind": JOB.kind,
        "failed": _true("Failed"),
        "current": _true("Running", "Suspended", "Succeeded"),
    },
    {
        "apiVersion": "v1",
        "kind": CLAIM.kind,
        "failed": "has(status.phase) && status.phase == 'Lost'",
        "current": "has(status.phase) && status.phase in ['Bound', 'Pending']",
    },
]
"""What Flux's `healthCheckExprs` are. An object that is neither failed nor current is in progress.

A queued job is current: it waits on purpose, and longer than any timeout. So is a claim that is
not bound: of a class with WaitForFirstConsumer it is so until the job's pods come. Without a
status an expression fails, which Flux takes for 'not yet' until its timeout; CEL cannot ask for
it, `has(status)` is an error.
Source: fluxcd/pkg runtime/cel/status_evaluator.go; Flux RFC 0009.
"""
