"""What the SQL models read besides data: the data date, limits from ``programme.yaml`` and the playbooks as tables.

Belongs here: turning configuration into ``core`` tables, once per build. Does not: any rule that uses them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.readiness.kinds import STAGES
from turnup.warehouse.macros import write_macros

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import duckdb

    from turnup.programme import Programme
    from turnup.readiness.playbook import Gate, Playbook

SERVICE_EVIDENCE_HOURS = 168
"""Age limit of what storage systems and routers report about themselves: one reporting week."""
PROMISE_NOTICE_DAYS = 28
"""A vendor's promise is held against the day it names as it stood so many days before that day."""
PROMISE_TOLERANCE_DAYS = 3
"""Days after the promised day within which a promise counts as kept."""
YIELD_DAYS = 42
"""First-pass yield looks back six weeks."""
RATE_DAYS = 28
"""Install rates look back four weeks."""


def write_settings(con: duckdb.DuckDBPyConnection, programme: Programme, as_of: date) -> None:
    """Create ``core.settings`` (one row) and ``core.roles`` (one row a role and a person); needs ``meta.week``."""
    limits = programme.thresholds
    write_macros(con)
    con.execute(
        """CREATE OR REPLACE TABLE core.settings AS
        SELECT $as_of::DATE AS as_of, w.cut_off::TIMESTAMP AS cut_off, w.week, w.previous_week,
               $tolerance::INTEGER AS tolerance_days, $waiver::INTEGER AS waiver_days, $review::INTEGER AS review_days,
               $snapshot::DOUBLE AS snapshot_hours, $first::DOUBLE AS first_hours, $service::INTEGER AS service_hours,
               $listed::INTEGER AS late_listed, $use::DOUBLE AS use_threshold,
               $judged::INTEGER AS judged_from, $pushed::INTEGER AS promise_pushed_days,
               $customs::INTEGER AS customs_hold_days, $silence::INTEGER AS shipment_silence_days,
               $receipt::INTEGER AS receipt_days, $notice::INTEGER AS promise_notice_days,
               $kept::INTEGER AS promise_tolerance_days, $yield::INTEGER AS yield_days, $rate::INTEGER AS rate_days,
               $pre::DOUBLE AS pre_fec_ber, $post::DOUBLE AS post_fec_ber, $flaps::INTEGER AS link_flaps
        FROM meta.week w""",
        {
            "as_of": as_of,
            "tolerance": limits.overdue_tolerance_days,
            "waiver": limits.waiver_warning_days,
            "review": limits.raid_review_days,
            "snapshot": limits.scheduler_snapshot_hours,
            "first": limits.first_schedulable_hours,
            "service": SERVICE_EVIDENCE_HOURS,
            "listed": limits.late_shipments_listed,
            "use": limits.utilisation_share,
            "judged": limits.judged_from,
            "pushed": limits.promise_pushed_days,
            "customs": limits.customs_hold_days,
            "silence": limits.shipment_silence_days,
            "receipt": limits.receipt_days,
            "notice": PROMISE_NOTICE_DAYS,
            "kept": PROMISE_TOLERANCE_DAYS,
            "yield": YIELD_DAYS,
            "rate": RATE_DAYS,
            "pre": limits.pre_fec_ber,
            "post": limits.post_fec_ber,
            "flaps": limits.link_flaps_24h,
        },
    )
    held = [{"role": _role(role), "person": person} for role, people in programme.roles.items() for person in people]
    _replace(con, "core.roles", pl.DataFrame(held, schema={"role": pl.String, "person": pl.String}))
    con.execute(
        "ALTER TABLE core.roles ADD COLUMN person_key VARCHAR; UPDATE core.roles SET person_key = person_key(person)"
    )


def _role(name: str) -> str:
    return " ".join(name.split()).lower()


def write_playbooks(con: duckdb.DuckDBPyConnection, playbooks: Sequence[Playbook]) -> None:
    """Create ``core.playbooks``, ``core.gates`` and ``core.criteria``: the playbooks as tables, in their order."""
    names = ("playbook", "version", "kind", "title")
    books = [{name: getattr(book, name) for name in names} for book in playbooks]
    _replace(con, "core.playbooks", pl.DataFrame(books, schema=dict.fromkeys(names, pl.String)))
    _replace(con, "core.gates", _gates(playbooks))
    _replace(con, "core.criteria", _criteria(playbooks))


def _gates(playbooks: Sequence[Playbook]) -> pl.DataFrame:
    rows = [
        {
            "playbook": book.playbook,
            "gate_no": number,
            "gate": gate.id,
            "title": gate.title,
            "stage": gate.stage,
            "stage_no": STAGES.index(gate.stage) if gate.stage else None,
            "owner_role": gate.owner_role,
            "supply_models": list(gate.supply_models),
            "pool": gate.pool,
            "signed_by": [_role(role) for role in gate.signed_by],
            **_lead_time(gate),
        }
        for book in playbooks
        for number, gate in enumerate(book.gates, start=1)
    ]
    schema: dict[str, type[pl.DataType] | pl.DataType] = {
        **dict.fromkeys(("playbook", "gate", "title", "stage", "owner_role"), pl.String),
        "gate_no": pl.Int32,
        "stage_no": pl.Int32,
        "supply_models": pl.List(pl.String),
        "pool": pl.String,
        "signed_by": pl.List(pl.String),
        **dict.fromkeys(("optimistic_d", "likely_d", "pessimistic_d"), pl.Float64),
        "lead_per": pl.String,
    }
    return pl.DataFrame(rows, schema=schema)


def _lead_time(gate: Gate) -> dict[str, object]:
    lead = gate.lead_time
    if lead is None:
        return dict.fromkeys(("optimistic_d", "likely_d", "pessimistic_d", "lead_per"))
    days = {"optimistic_d": lead.optimistic, "likely_d": lead.likely, "pessimistic_d": lead.pessimistic}
    return {name: float(value) for name, value in days.items()} | {"lead_per": lead.per}


def _criteria(playbooks: Sequence[Playbook]) -> pl.DataFrame:
    rows = [
        {
            "playbook": book.playbook,
            "gate": gate.id,
            "criterion_no": number,
            "criterion": criterion.id,
            "title": criterion.title,
            "metric": criterion.metric,
            "comparison": criterion.comparison,
            "threshold": None if criterion.threshold == "planned" else float(criterion.threshold),
            "scope": criterion.scope,
            "min_share": float(criterion.min_share),
            "evidence_age_days": criterion.evidence_age_days,
            "severity": criterion.severity,
            "standing": criterion.standing,
            "owner_role": criterion.owner_role,
            "supply_models": list(criterion.supply_models),
            "purpose": "entry" if number <= len(gate.entry) else "success",
            "needs": criterion.needs,
            "waiver_by": None if rule is None else [_role(role) for role in rule.by],
            "waiver_days": None if rule is None else rule.longest_days,
        }
        for book in playbooks
        for gate in book.gates
        for number, criterion in enumerate(gate.asked, start=1)
        for rule in (book.waiver_rule(criterion),)
    ]
    text = ("playbook", "gate", "criterion", "title", "metric", "comparison", "scope", "severity", "owner_role",
            "purpose", "needs")  # fmt: skip
    schema: dict[str, type[pl.DataType] | pl.DataType] = {
        **dict.fromkeys(text, pl.String),
        "criterion_no": pl.Int32,
        "threshold": pl.Float64,
        "min_share": pl.Float64,
        "evidence_age_days": pl.Int32,
        "standing": pl.Boolean,
        "supply_models": pl.List(pl.String),
        "waiver_by": pl.List(pl.String),
        "waiver_days": pl.Int32,
    }
    return pl.DataFrame(rows, schema=schema)


def _replace(con: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame) -> None:
    con.register("settings_frame", frame)
    con.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM settings_frame")
    con.unregister("settings_frame")
