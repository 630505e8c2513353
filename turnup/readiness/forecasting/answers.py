"""What a question changes in a plan.

Belongs here: one function a kind of question, and what it says when the programme has no such thing. Does not: the
words of questions (``questions``), or the comparison (``what_if``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.nodes import MILESTONE, SHIFT, WORK, Basis, Node
from turnup.readiness.forecasting.questions import (
    ActivityTakes,
    ArrivalMoves,
    GateMoves,
    Question,
    QuestionError,
    RiskComes,
    ThroughputGrows,
)
from turnup.readiness.forecasting.reshaped import shifted, stretched
from turnup.schedule.model import DAY, ELAPSED, HOUR
from turnup.schedule.simulation import Fixed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from turnup.readiness.forecasting.made import Forecast
    from turnup.readiness.forecasting.plan import Draft

_WORKING_DAYS = 5 / 7
_NAMED = 20


def asked(plan: Forecast, questions: Iterable[Question]) -> Forecast:
    """The plan as the questions want it; the draft of the given one is changed in place.

    Raises:
        QuestionError: a question names what the programme does not have, or what no longer matters.
    """
    for question in questions:
        plan = _answer(plan, question)
    # Dates and reasons are kept by the network: a changed draft needs a new one.
    return replace(plan, bound=replace(plan.bound))


def _answer(plan: Forecast, question: Question) -> Forecast:
    if isinstance(question, ArrivalMoves):
        return _arrival(plan, question)
    if isinstance(question, ActivityTakes):
        return _activity(plan, question)
    if isinstance(question, GateMoves):
        return _gate(plan, question)
    return _risk(plan, question) if isinstance(question, RiskComes) else _throughput(plan, question)


def _arrival(plan: Forecast, question: ArrivalMoves) -> Forecast:
    draft, name = plan.bound.making.draft, question.name.casefold()
    prefixes = ("shipment/",) if question.source == "shipment" else ("promise/", "order/")
    found = [node for node in draft.nodes.values() if node.role == "arrival" and _names(node, prefixes, name)]
    if not found:
        known = sorted({_name(node) for node in draft.nodes.values() if node.id.startswith(prefixes)})
        raise QuestionError(
            f"what-if '{question.text}': no {question.source} '{question.name}' is waited for; {_known(known)}"
        )
    for node in found:
        draft.nodes[node.id] = _moved(node, question.days * DAY)
    return plan


def _names(node: Node, prefixes: tuple[str, ...], name: str) -> bool:
    return node.id.startswith(prefixes) and _name(node).casefold() == name


def _name(node: Node) -> str:
    parts = node.id.split("/")
    return parts[1] if parts[0] == "shipment" else "/".join(parts[1:3])


def _activity(plan: Forecast, question: ActivityTakes) -> Forecast:
    activities = plan.bound.network.activities
    name = question.name.casefold()
    rows = [
        row
        for row in activities.select("id", "code", "status", "_calendar").iter_rows(named=True)
        if row["id"] in plan.bound.file_ids
        and name in {str(row["code"]).casefold(), row["id"].casefold().removeprefix("activity/")}
    ]
    if not rows:
        known = sorted({str(code) for code in activities.filter(activities["id"].is_in(plan.bound.file_ids))["code"]})
        raise QuestionError(f"what-if '{question.text}': no activity '{question.name}' is delivered; {_known(known)}")
    if all(row["status"] == "completed" for row in rows):
        raise QuestionError(
            f"what-if '{question.text}': activity '{question.name}' is done; its duration changes nothing"
        )
    drawn = dict(plan.activities)
    for row in rows:
        hours = plan.bound.network.calendars[row["_calendar"]].hours_per_day
        drawn[row["id"]] = Fixed(question.days * hours * HOUR)
    return replace(plan, activities=drawn)


def _gate(plan: Forecast, question: GateMoves) -> Forecast:
    draft = plan.bound.making.draft
    path = "/".join(part.strip().casefold() for part in question.path.split("/"))
    gates = [node for node in draft.nodes.values() if node.role == "gate"]
    found = [
        node for node in gates if path in {f"{node.system}/{node.gate}", f"{node.system}/{node.block}/{node.gate}"}
    ]
    if not found:
        known = sorted({f"{node.system}/{node.gate}" for node in gates})
        raise QuestionError(f"what-if '{question.text}': no gate '{question.path}'; {_known(known)}")
    still_open = [node for node in found if node.finished is None]
    if not still_open:
        raise QuestionError(f"what-if '{question.text}': gate '{question.path}' has passed; nothing moves it")
    for node in still_open:
        if question.days >= 0:
            _hold(draft, node, question.days)
        elif node.planned <= 0:
            raise QuestionError(
                f"what-if '{question.text}': gate '{question.path}' of block {node.block} has no work of its own to "
                "shorten; it waits for what is before it"
            )
        else:
            per_day = SHIFT * _WORKING_DAYS if node.calendar == WORK else DAY
            draft.nodes[node.id] = _moved(node, question.days * per_day)
    return plan


def _hold(draft: Draft, node: Node, days: float) -> None:
    """Put some calendar days behind a gate, before all that waits for it."""
    at = draft.exits[node.id]
    held = Node(f"question/{at}", f"{days:g} days later", "delay", ELAPSED, Fixed(days * DAY), days * DAY, MILESTONE,
                node.system, node.block, node.gate)  # fmt: skip
    draft.links = [(held.id, after) if before == at else (before, after) for before, after in draft.links]
    draft.exits[node.id] = draft.add(held, at)


def _risk(plan: Forecast, question: RiskComes) -> Forecast:
    name = question.name.casefold()
    if name not in {delay.id.casefold() for delay in plan.delays}:
        raise QuestionError(
            f"what-if '{question.text}': no open risk '{question.name}' delays anything; "
            f"{_known([delay.id for delay in plan.delays])}"
        )
    chance = 1.0 if question.happens else 0.0
    return replace(
        plan,
        delays=tuple(
            replace(delay, probability=chance) if delay.id.casefold() == name else delay for delay in plan.delays
        ),
    )


def _throughput(plan: Forecast, question: ThroughputGrows) -> Forecast:
    draft, pool = plan.bound.making.draft, f"{question.pool}/{question.site.casefold()}"
    users = [name for name, of in draft.uses.items() if of == pool]
    if not users:
        known = sorted({" ".join(reversed(of.split("/", 1))) for of in draft.uses.values()})
        raise QuestionError(
            f"what-if '{question.text}': no open gate uses {question.pool} of {question.site}; {_known(known)}"
        )
    for name in users:
        node = draft.nodes[name]
        quicker = stretched(node.duration, 1 / question.factor)
        draft.nodes[name] = replace(node, duration=quicker, planned=node.planned / question.factor)
    return plan


def _moved(node: Node, seconds: float) -> Node:
    basis = Basis(node.basis.method, node.basis.of, node.basis.n, "moved by a question")
    return replace(
        node, duration=shifted(node.duration, seconds), planned=max(0.0, node.planned + seconds), basis=basis
    )


def _known(names: Sequence[str]) -> str:
    if not names:
        return "there is none"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"known are: {', '.join(names[:_NAMED])}{more}"
