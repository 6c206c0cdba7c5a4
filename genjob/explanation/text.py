"""The explanation of a job → the text that people read, in lines without colour.

A line that begins a part is one of the headings, so that a terminal can show it in bold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from genjob.catalog.transports import INSIDE
from genjob.explanation.network import OPERATOR
from genjob.explanation.picture import picture
from genjob.explanation.ranks import rank_table, summary
from genjob.explanation.table import WIDTH, in_columns, labelled, wrapped
from genjob.jsontypes import dotted
from genjob.wording import printable, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from genjob.diagnostics import Location
    from genjob.explanation.network import NetworkView, Role, Variable, Writer
    from genjob.explanation.values import Value
    from genjob.jsontypes import Json
    from genjob.resolve.job import Job
    from genjob.transport import Transport

_FIELD, _VALUE, _NAME = 44, 40, 34
"""Columns of a field, a value and a variable."""

_VARIABLE_VALUE: Final = 34


def values_text(job: Job, values: Sequence[Value]) -> list[str]:
    """Return the table of values: what each is, which layer set it, and where."""
    rows = [("field", "value", "set by", "at")]
    for value in values:
        winner = value.claims[0]
        shown = flow(value.value) + (f" → {value.means}" if value.means else "")
        rows.append((dotted(value.path), shown, winner.layer, _at(winner.place)))
    return [heading(job), "", *in_columns(rows, (_FIELD, _VALUE, 0, 0))]


def chain_text(job: Job, value: Value) -> list[str]:
    """Return one value with every layer that says something of it, the winner first."""
    name = job.environment.name if job.environment else "the base"
    means = f", that is {quoted(value.means)}" if value.means else ""
    said = f"is {flow(value.value)}{means}" if value.is_set else "is not set"
    head = printable(f"{dotted(value.path)} {said} in {name}")
    if not value.claims:
        return [head]
    rows = [
        (value.effect(index), flow(claim.value), claim.layer, _at(claim.place))
        for index, claim in enumerate(value.claims)
    ]
    return [head, "", *in_columns(rows, (0, _VALUE, 0, 0))]


def network_text(view: NetworkView) -> list[str]:
    """Return everything about the ranks of a job: transport, variables, pods, picture."""
    parts = [
        [
            heading(view.job),
            *wrapped(summary(view), WIDTH),
            *([view.held_back] if view.held_back else []),
        ],
        *_transports(view),
        *(_variables(view, role) for role in view.roles),
        ["What the pods read", *rank_table(view)],
        ["Picture", *picture(view)],
    ]
    return "\n\n".join("\n".join(part) for part in parts).split("\n")


def heading(job: Job) -> str:
    """Return the name of a job, its environment, and what it lands on there."""
    environment = f" in {job.environment.name}" if job.environment else ""
    known = [f"node pool {job.pool.name}"] if job.pool else []
    known += [f"fabric {job.fabric.name}"] if job.fabric else []
    landing = f": {', '.join(known)}" if known else ""
    return printable(f"{job.experiment.name}{environment}{landing}")


def flow(value: Json) -> str:
    """Return a value on one line, as YAML's flow style has it."""
    match value:
        case dict():
            return "{" + ", ".join(f"{key}: {flow(below)}" for key, below in value.items()) + "}"
        case list():
            return f"[{', '.join(map(flow, value))}]"
        case _:
            return str(value)


def _at(place: Location | None) -> str:
    return f"{place.file}:{place.line}" if place else ""


def _transports(view: NetworkView) -> Iterator[list[str]]:
    """Yield the transport of the job, or of each role when they differ."""
    differ = len({*view.transports.values()}) > 1
    for role, transport in view.transports.items():
        yield _transport(transport, f" of the {role}" if differ else "")
        if not differ:
            return


def _transport(transport: Transport, whose: str) -> list[str]:
    ways = [transport.between] if transport.between else []
    if transport.inside:
        ways.append(f"{transport.inside} inside a machine")
    head = f"Transport{whose}: {', '.join(ways) or 'none'}"
    inside = INSIDE[transport.inside][0] if transport.inside and transport.between else ""
    return [
        head,
        *labelled(
            (
                ("it is", (transport.meaning, *([f"inside: {inside}"] if inside else []))),
                ("because", transport.reasons),
                ("but", transport.caveats),
                ("TCP instead, silently, when", transport.falls_back),
                ("log at NCCL_DEBUG=INFO", transport.log),
                ("bad sign in it", (transport.bad_log,) if transport.bad_log else ()),
                ("not to be seen in YAML", transport.unseen),
            )
        ),
    ]


def _variables(view: NetworkView, role: Role) -> list[str]:
    count = f"{len(role.pods)} pods" if len(role.pods) > 1 else "1 pod"
    rows = [("variable", "value", "from")]
    rows += [
        (variable.name, _reads(variable), _from(view, variable)) for variable in role.variables
    ]
    more = [printable(f"and the variables of {source}") for source in role.unread]
    head = f"Environment of the {role.name} ({count})"
    return [head, *in_columns(rows, (_NAME, _VARIABLE_VALUE, 0)), *more]


def _reads(variable: Variable) -> str:
    if variable.first is None:
        return variable.looked_up or "looked up when the pod starts"
    return variable.first if variable.first == variable.last else _span(variable)


def _span(variable: Variable) -> str:
    return f"{variable.first} to {variable.last}, by pod"


def _from(view: NetworkView, variable: Variable) -> str:
    lost = [f"not {quoted(text)} of {_who(view, writer)}" for text, writer in variable.beaten]
    return ", ".join([_who(view, variable.writer), *lost])


def _who(view: NetworkView, writer: Writer) -> str:
    """Return who set a variable; the experiment's own file is known and goes by its last name."""
    if writer.layer == OPERATOR or writer.place is None:
        return writer.layer
    file, own = writer.place.file, view.job.inputs.experiment.file
    at = f"{file.rpartition('/')[2] if file == own else file}:{writer.place.line}"
    return f"{writer.layer}, {at}" if writer.layer.startswith("node pool") else at
