"""Section 7 on failures: rates, repeat offenders, and how much of the devices is used."""

from reports.build.cells import brief, figure, system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell
from reports.wording import DASH, quantity, share


def reliability_blocks(week: Week) -> list[Block]:
    """Failure rates, repeat offenders, use of devices."""
    return [*_failures(week), *_repeat(week), *_use(week)]


def _failures(week: Week) -> list[Block]:
    rows = week.ordered("mart.reliability", "system_id")
    if not rows:
        return []
    heads = ("System", ">Units", ">Node-days", ">Faults", ">Per 1,000 node-days", "95 % interval", ">First 30 days",
             ">Later", ">Open", ">Spares")  # fmt: skip
    cells = (
        (
            system(r.text("system_id")),
            *(figure(r.whole(name)) for name in ("units", "node_days", "faults")),
            figure(brief(r.number("rate"))),
            words(_interval(r)),
            *(figure(brief(r.number(name))) for name in ("infant_rate", "later_rate")),
            *(figure(r.whole(name)) for name in ("open_faults", "spares")),
        )
        for r in rows
    )
    note = (
        f"Exact Poisson intervals. Spares last {rows[0].count('lead_days')} days with "
        f"{share(rows[0].number('service_level'))} certainty."
    )
    return [table("S7-failures", "Failure rates", heads, cells, cap=80, of=len(rows), note=note)]


def _interval(row: Record) -> str:
    low, high = brief(row.number("rate_low")), brief(row.number("rate_high"))
    return f"{quantity(low)} to {quantity(high)}" if low is not None and high is not None else DASH


def _repeat(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.repeat_offenders"), key=lambda r: (-r.count("faults"), r.text("system_id")))
    if not rows:
        return []
    heads = ("System", "Unit", ">Faults in 90 days", "Kinds", "Last")
    cells = (
        (
            system(r.text("system_id")),
            words(r.text("unit_id")),
            figure(r.whole("faults")),
            words(r.text("kinds")),
            when(r.day("last_opened")),
        )
        for r in rows
    )
    return [table("S7-repeat", "Repeat offenders", heads, cells, cap=30, of=len(rows))]


def _use(week: Week) -> list[Block]:
    rows = week.ordered("mart.utilisation", "system_id")
    if not rows:
        return []
    heads = (
        "System",
        ">Devices",
        ">Allocated",
        ">Hours allocated",
        ">Active of those",
        ">Under threshold",
        ">Idle cost",
    )
    cells = (
        (
            system(r.text("system_id")),
            figure(r.whole("devices")),
            figure(r.whole("allocated_devices")),
            Cell(share(r.number("allocated_share"))),
            Cell(share(r.number("active_share"))),
            figure(r.whole("under_threshold")),
            words(f"{quantity(r.number('idle_cost'))} {r.text('currency')}" if r.has("idle_cost") else ""),
        )
        for r in rows
    )
    note = f"Threshold: {share(rows[0].number('threshold'))} active over the hours in which a job held the device."
    return [table("S7-use", "Use of devices in the week", heads, cells, cap=80, of=len(rows), note=note)]
