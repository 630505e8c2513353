"""Schedule files bound to evidence: what a gate's evidence says of the activities that carry its code.

Belongs here: actual dates by evidence, claims that evidence contradicts, and what remains of them. Does not: reading
schedules (``turnup.schedule.staged``), the gates themselves (``network``).

An activity whose gates have passed is done, on the day of its own actual finish or else of the gate. An activity that
is claimed to be done while its gate has not passed is a contradiction, and not done, unless another activity of the
same gate is still open and the gate has begun: then nothing contradicts it, and it stays as told. So it does where the
evidence of its own gate is all there and only a gate before it is open.

A forecast says when things will happen, not when somebody wants them to: no work is left before the data date,
whatever the tool would do, and dates that a planner fixed (mandatory ones, manual tasks) hold work back and never pull
it forward.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

import polars as pl

from turnup.readiness.forecasting.lead_times import scaled
from turnup.readiness.forecasting.nodes import SHIFT, data_instant, evening
from turnup.schedule.model import ACTIVITY, LINK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from turnup.readiness.forecasting.facts import Facts, Gate
    from turnup.readiness.forecasting.plan import Coded
    from turnup.schedule.model import Project

Row = dict[str, object]
_OUTSIDE = ("summary", "level_of_effort")


@dataclass(frozen=True)
class Contradiction:
    """An activity that is claimed to be done without the evidence of its gate; ``task`` is its id as delivered."""

    project: str
    task: str
    code: str
    name: str
    system: str
    gate: str
    blocks: tuple[str, ...]
    claimed_finish: date | None
    remaining_days: float
    row: int | None


@dataclass(frozen=True)
class Bindings:
    """Schedule files bound to evidence.

    Attributes:
        projects: with ids that are unique beside the programme's nodes, and statuses as evidence has them.
        coded: open activities by system, block and gate; those that are done hold nothing back.
        contradictions: claims that were not taken as done.
        unknown: activities without a usable duration, by id, with the reason.
        unbound: sentences on codes that name no system, block or gate.
    """

    projects: tuple[Project, ...]
    coded: Coded
    contradictions: tuple[Contradiction, ...]
    unknown: Mapping[str, str]
    unbound: tuple[str, ...]


def activity_id(identity: str) -> str:
    """Id of an activity of a delivered schedule beside the programme's own nodes."""
    return f"activity/{identity}"


def bind(projects: Sequence[Project], facts: Facts) -> Bindings:
    """Bind the activities of some projects to the gates that their codes name."""
    binder = _Binder(facts)
    bound = tuple(binder.project(project) for project in projects)
    return Bindings(
        bound,
        dict(binder.coded),
        tuple(binder.contradictions),
        dict(binder.unknown),
        tuple(dict.fromkeys(binder.unbound)),
    )


class _Binder:
    """Collects what is found while projects are bound, one after the other."""

    def __init__(self, facts: Facts) -> None:
        self.as_of = facts.as_of
        self.gates: dict[tuple[str, str], list[Gate]] = defaultdict(list)
        self.names: dict[str, dict[str, str]] = defaultdict(dict)
        for gate in facts.gates:
            self.gates[gate.system, gate.gate].append(gate)
            for name in (gate.gate, gate.title, gate.stage or gate.gate):
                self.names[gate.system].setdefault(_key(name), gate.gate)
        self.systems = {_key(system.key): system.key for system in facts.systems}
        self.coded: Coded = defaultdict(list)
        self.contradictions: list[Contradiction] = []
        self.unknown: dict[str, str] = {}
        self.unbound: list[str] = []

    def project(self, project: Project) -> Project:
        rows = [dict(row) for row in project.activities.iter_rows(named=True)]
        gates = [self._gates_of(project, row) for row in rows]
        claimed = self._claims(rows, gates)
        for row, of in zip(rows, gates, strict=True):
            self._bind(project, row, of, claimed)
            _free(row)
        for row in rows:
            row["id"], row["parent"] = (
                None if row[name] is None else activity_id(str(row[name])) for name in ("id", "parent")
            )
        return replace(
            project,
            data_date=data_instant(self.as_of),
            options=replace(project.options, remaining="data_date", precedence="logic"),
            activities=pl.DataFrame(rows, schema=ACTIVITY),
            links=_links(project),
        )

    def _gates_of(self, project: Project, row: Row) -> tuple[Gate, ...]:
        """The gates that an activity stands for: of its block, or of all blocks of its system."""
        if row["system"] is None or row["gate"] is None:
            return ()
        system = self.systems.get(_key(row["system"]), "")
        gate = self.names.get(system, {}).get(_key(row["gate"]), "")
        of_system = self.gates.get((system, gate), [])
        block = None if row["block"] is None or _key(row["block"]) in {"all", "*"} else _key(row["block"])
        found = tuple(one for one in of_system if block is None or _key(one.block) == block)
        if not found:
            what = "/".join(str(row[name]) for name in ("system", "block", "gate") if row[name] is not None)
            self.unbound.append(f"activity {row['code']} of {project.id} carries the code {what}, which names no gate")
        return found

    def _claims(self, rows: Sequence[Row], gates: Sequence[tuple[Gate, ...]]) -> dict[tuple[str, str, str], list[bool]]:
        """By gate of a block, whether each of its activities is claimed to be done."""
        found: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
        for row, of in zip(rows, gates, strict=True):
            if row["kind"] not in _OUTSIDE:
                for gate in of:
                    found[gate.system, gate.block, gate.gate].append(_claimed(row))
        return found

    def _bind(
        self, project: Project, row: Row, gates: tuple[Gate, ...], claims: Mapping[tuple[str, str, str], list[bool]]
    ) -> None:
        if row["kind"] in _OUTSIDE:
            return
        identity = activity_id(str(row["id"]))
        still_open = [gate for gate in gates if not gate.passed and not gate.is_there]
        if gates and all(gate.passed for gate in gates):
            self._done(row, gates)
        elif still_open and _claimed(row) and self._contradicted(still_open, claims):
            self._not_done(project, row, still_open, claims)
        if row["status"] != "completed" and row["remaining_s"] is None and row["duration_s"] is None:
            self.unknown[identity] = f"activity {row['code']} of {project.id} has no duration"
        if row["status"] != "completed":
            for gate in still_open:
                self.coded[gate.system, gate.block, gate.gate].append(identity)

    def _contradicted(self, gates: Sequence[Gate], claims: Mapping[tuple[str, str, str], list[bool]]) -> bool:
        """Whether some gate has either not begun, or is claimed to be done as a whole."""
        return any(_not_begun(gate) or all(claims[gate.system, gate.block, gate.gate]) for gate in gates)

    def _done(self, row: Row, gates: Sequence[Gate]) -> None:
        """Evidence sets the actual: the activity's own finish where it is told and not later, else the gate's."""
        passed = evening(max(gate.passed_on or self.as_of for gate in gates))
        told = row["actual_finish"]
        finish = min(told, passed) if isinstance(told, datetime) else passed
        start = row["actual_start"]
        row["status"], row["percent"], row["remaining_s"] = "completed", 100.0, 0
        row["actual_finish"] = finish
        row["actual_start"] = min(start, finish) if isinstance(start, datetime) else finish

    def _not_done(
        self, project: Project, row: Row, gates: Sequence[Gate], claims: Mapping[tuple[str, str, str], list[bool]]
    ) -> None:
        seconds = self._remaining(row, gates, claims)
        told = row["actual_finish"]
        self.contradictions.append(
            Contradiction(
                project.id, str(row["id"]), str(row["code"]), str(row["name"]), gates[0].system, gates[0].gate,
                tuple(gate.block for gate in gates), told.date() if isinstance(told, datetime) else None,
                seconds / SHIFT, row["row"] if isinstance(row["row"], int) else None,
            )
        )  # fmt: skip
        now = data_instant(self.as_of)
        start = row["actual_start"]
        row["actual_finish"] = None
        row["actual_start"] = start if isinstance(start, datetime) and start < now else None
        row["status"] = "not_started" if row["actual_start"] is None else "in_progress"
        row["remaining_s"] = seconds

    def _remaining(self, row: Row, gates: Sequence[Gate], claims: Mapping[tuple[str, str, str], list[bool]]) -> int:
        """What is left: as told, else the activity's part of its gate's likely lead time, else its own duration."""
        told = row["remaining_s"]
        if isinstance(told, int) and told > 0:
            return told
        parts = [
            scaled(gate, gate.lead)[1] / len(claims[gate.system, gate.block, gate.gate])
            for gate in gates
            if gate.lead is not None
        ]
        if parts:
            return round(max(parts) * SHIFT)
        return row["duration_s"] if isinstance(row["duration_s"], int) else 0


def _free(row: Row) -> None:
    """Turn dates that a planner fixed into the earliest ones."""
    if row["status"] == "completed":
        return
    if row["manual"]:
        row["manual"] = False
        if row["constraint"] is None and row["planned_start"] is not None:
            row["constraint"], row["constraint_date"] = "start_no_earlier", row["planned_start"]
    for name in ("constraint", "constraint_2"):
        row[name] = _FREED.get(str(row[name]), row[name])


_FREED = {"mandatory_start": "start_no_earlier", "mandatory_finish": "finish_no_earlier"}


def _claimed(row: Row) -> bool:
    percent = row["percent"]
    return (
        row["status"] == "completed"
        or row["actual_finish"] is not None
        or (isinstance(percent, float) and percent >= 100)
    )


def _not_begun(gate: Gate) -> bool:
    """Nothing of the gate is there: no unit has reached it, and no criterion is met."""
    return gate.open_share >= 1 and not gate.begun


def _key(value: object) -> str:
    return str(value).strip().casefold().replace(" ", "_")


def _links(project: Project) -> pl.DataFrame:
    """Links with the new ids; ids of activities are unique over all delivered schedules."""
    prefixed = {name: pl.concat_str(pl.lit(activity_id("")), name) for name in ("pred", "succ")}
    return project.links.with_columns(**prefixed).cast(pl.Schema(LINK))
