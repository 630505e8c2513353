"""Sections 6 and 7: supply and logistics; install, network, storage and site evidence."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

from reports.build.caps import most
from reports.build.cells import figure, missing, state, system, table, when, words
from reports.build.sections.acceptance import acceptance_blocks, verdict_message
from reports.build.sections.cabling import cabling_blocks
from reports.build.sections.circuits import circuit_blocks
from reports.build.sections.clear_to_build import clear_to_build_blocks
from reports.build.sections.halls import hall_blocks
from reports.build.sections.install import install_blocks, install_message
from reports.build.sections.logistics import logistics_blocks, logistics_message
from reports.build.sections.scheduler import scheduler_blocks
from reports.build.sections.storage import storage_blocks
from reports.build.sections.throughput import pareto_blocks, throughput_blocks
from reports.build.sections.wide_area import wide_area_blocks
from reports.build.selection import Naming, Wanted
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph, Section
from reports.wording import DASH, percent, plural, quantity

_BENCHMARKS = ("busbw", "bench", "accept", "hpl", "burn", "nccl", "fio", "bandwidth")
_LINKS = ("link", "l1", "circuit", "session", "bgp", "port", "optic", "fabric", "cable", "connect", "loa_cfa",
          "out_of_band")  # fmt: skip
_MEASURED = Naming(("metric", "criterion"), _BENCHMARKS)
_NETWORK = Naming(("metric", "criterion"), _LINKS, _BENCHMARKS)
_CRITERIA = 40
_STORAGE_KINDS = ("storage",)


def supply_section(week: Week) -> Section:
    """Build section 6."""
    datasets = ("bom", "purchase_orders", "po_schedule", "shipments", "receipts")
    gaps = missing((d, week.warehouse.delivered(d)) for d in datasets)
    rows = list(week.rows("mart.supply"))
    short = [r for r in rows if r.text("state") == "NO"]
    unknown = [r for r in rows if r.text("state") == "UNKNOWN"]
    blocks: list[Block] = [
        *gaps,
        *clear_to_build_blocks(week),
        *_coverage(rows),
        *_short(short),
        *logistics_blocks(week),
        *_vendors(week),
        *_late(week),
    ]
    if not rows and not gaps:
        blocks.insert(0, Paragraph("no data: no bill of materials line could be netted", "absent"))
    placeholders = sum(r.has("orderable") and not r.flag("orderable") for r in rows)
    message = (
        f"{len(short)} of {plural(len(rows), 'BOM line')} short, {len(unknown)} unknown"
        f"{f', {placeholders} placeholder parts that cannot be ordered' if placeholders else ''}"
        if rows
        else gaps[0].text
        if gaps
        else "no bill of materials line could be netted"
    )
    return Section("6", "S6", "Supply and logistics", f"{message}{logistics_message(week)}", tuple(blocks))


def _coverage(rows: list[Record]) -> list[Block]:
    if not rows:
        return []
    by_system: dict[str, list[Record]] = defaultdict(list)
    for row in rows:
        by_system[row.text("system_id")].append(row)
    heads = ("System", ">BOM lines", ">Covered", ">Short", ">Unknown", ">Not fitted", ">Parts needed", ">Ordered",
             ">Shipped", ">Received", ">Installed")  # fmt: skip
    cells = (_coverage_row(name, lines) for name, lines in sorted(by_system.items()))
    return [table("S6-coverage", "BOM coverage per system, in parts", heads, cells, cap=80, of=len(by_system))]


def _coverage_row(name: str, lines: list[Record]) -> tuple[Cell, ...]:
    states = [line.text("state") for line in lines]
    needed = sum((line.amount("needed") for line in lines), Decimal(0))

    def covered(column: str) -> Cell:
        total = sum((min(line.amount(column), line.amount("needed")) for line in lines), Decimal(0))
        return Cell(f"{quantity(total)} ({percent(total, needed)})" if needed else quantity(total), total)

    return (
        system(name),
        figure(len(lines)),
        *(figure(states.count(s)) for s in ("YES", "NO", "UNKNOWN", "N/A")),
        figure(needed),
        *(covered(column) for column in ("ordered", "shipped", "received", "installed")),
    )


def _short(rows: list[Record]) -> list[Block]:
    if not rows:
        return []
    rows = sorted(
        rows,
        key=lambda r: (
            -r.count("late_days"),
            str(r.day("next_arrival") or "9999"),
            r.text("system_id"),
            r.text("part_number"),
        ),
    )
    heads = ("System", "Part", "Category", ">Needed", ">Ordered", ">Received", ">Installed", ">Short", "Next arrival",
             ">Late", "State")  # fmt: skip
    return [
        table(
            "S6-short",
            f"{plural(len(rows), 'short line')}, latest first",
            heads,
            (_short_row(r) for r in rows),
            cap=40,
            of=len(rows),
        )
    ]


def _short_row(row: Record) -> tuple[Cell, ...]:
    placeholder = row.has("orderable") and not row.flag("orderable")
    note = "placeholder part, cannot be ordered" if placeholder else row.text("description")
    return (
        system(row.text("system_id")),
        words(row.text("part_number"), note=note),
        words(row.text("category")),
        *(figure(row.number(name)) for name in ("needed", "ordered", "received", "installed", "short")),
        when(row.day("next_arrival")),
        figure(row.whole("late_days"), suffix=" d"),
        state(row.text("state")),
    )


def _vendors(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.vendors"), key=lambda r: (-r.count("late"), r.text("vendor")))
    if not rows:
        return []
    heads = ("Vendor", ">Lines", ">Late", ">On time", ">Mean lateness of late lines")
    cells = (
        (
            words(r.text("vendor")),
            figure(r.whole("lines")),
            figure(r.whole("late")),
            Cell(percent(Decimal(r.count("lines") - r.count("late")), Decimal(r.count("lines")))),
            Cell(
                f"{round(r.amount('mean_days_late'), 1)} d" if r.has("mean_days_late") else DASH,
                r.number("mean_days_late"),
            ),
        )
        for r in rows
    )
    return [table("S6-vendors", "Vendor promises", heads, cells, cap=40, of=len(rows))]


def _late(week: Week) -> list[Block]:
    rows = sorted(
        week.rows("mart.shipments_late"), key=lambda r: (-r.count("days_late"), r.text("shipment"), r.text("line"))
    )
    if not rows:
        return []
    heads = ("Shipment", "Part", "Vendor", "To", "Scheduled", "Delivered", ">Late", ">Quantity", "File and row")
    cells = (
        (
            words(f"{r.text('shipment')}/{r.text('line')}"),
            words(r.text("part_number")),
            words(r.text("vendor")),
            words(r.text("ship_to_site")),
            when(r.day("scheduled")),
            when(r.day("delivered")) if r.day("delivered") else words("open"),
            figure(r.whole("days_late"), suffix=" d"),
            figure(r.number("quantity")),
            words(f"{r.text('file')} row {r.text('row')}"),
        )
        for r in rows
    )
    return [
        table("S6-late", f"{plural(len(rows), 'late delivery', 'late deliveries')}", heads, cells, cap=30, of=len(rows))
    ]


def acceptance_section(week: Week) -> Section:
    """Build section 7 with 7a network, 7b storage and 7c site."""
    counts = week.warehouse.groups("mart.criteria", ("state",))
    storage = tuple(sorted(r.text("system_id") for r in week.rows("mart.systems") if r.text("kind") in _STORAGE_KINDS))
    blocks: list[Block] = [*install_blocks(week), *throughput_blocks(week)]
    blocks += [*missing([("benchmarks", week.warehouse.delivered("benchmarks"))])]
    blocks += acceptance_blocks(week)
    blocks += _criteria(week, "S7-acceptance", "Acceptance criteria with a measured value", named=_MEASURED)
    blocks += [*missing((d, week.warehouse.delivered(d)) for d in ("failures",)), *pareto_blocks(week)]
    blocks += [*missing([("scheduler_nodes", week.warehouse.delivered("scheduler_nodes"))]), *scheduler_blocks(week)]
    blocks += [*missing((d, week.warehouse.delivered(d)) for d in ("links", "circuits", "sessions"))]
    blocks += _criteria(week, "S7a", "7a Network: links, circuits and sessions", named=_NETWORK)
    blocks += [*cabling_blocks(week), *circuit_blocks(week), *wide_area_blocks(week)]
    blocks += [*missing([("storage_state", week.warehouse.delivered("storage_state"))])]
    blocks += _criteria(week, "S7b", "7b Storage", system_id=storage)
    blocks += storage_blocks(week)
    blocks += hall_blocks(week)
    failed = _count(counts, "not met")
    silent = _count(counts, "no data", "stale")
    told = "".join(f"{part}. " for part in (install_message(week), verdict_message(week)) if part)
    message = (
        f"{told}{plural(_count(counts), 'criterion', 'criteria')} evaluated: {failed} not met, "
        f"{silent} without fresh evidence"
    )
    return Section("7", "S7", "Install, burn-in, benchmark", message, tuple(blocks))


def _count(counts: Iterable[Record], *states: str) -> int:
    """Criteria in some states, or in any."""
    return sum(r.count("rows") for r in counts if not states or r.text("state") in states)


def _criteria(week: Week, identity: str, title: str, **only: Wanted) -> list[Block]:
    """The criteria of one kind, those that fail first; the database counts them, and only those shown are read."""
    counts = week.warehouse.groups("mart.criteria", ("state",), (), **only)
    if not counts:
        return [Paragraph(f"{title}: no criterion of this kind is in a playbook in use.")]
    known = ("not met", "no data", "stale", "waived", "met")
    others = sorted({r.text("state") for r in counts} - set(known))
    shown: list[Record] = []
    wanted = most(_CRITERIA)
    for state_ in (*others, *known):
        if len(shown) < wanted:
            left = wanted - len(shown)
            by = ("system_id", "block", "gate", "criterion")
            shown += week.warehouse.first("mart.criteria", left, by, state=state_, **only)
    total = _count(counts)
    title = f"{title}: {_count(counts, 'met')} of {total} met"
    return [criteria_table(identity, title, shown, cap=_CRITERIA, of=total)]


def criteria_table(identity: str, title: str, rows: list[Record], cap: int = 0, of: int | None = None) -> Block:
    """Return criteria with value, limit and state."""
    heads = ("System", "Gate", "Criterion", ">Value", "Limit", "State", ">Evidence", "Message")
    return table(identity, title, heads, (criteria_row(r) for r in rows), cap=cap, of=len(rows) if of is None else of)


def criteria_row(row: Record) -> tuple[Cell, ...]:
    """Return one criterion; the value keeps its unit, absence is a dash and never a zero."""
    unit = row.text("unit")
    value = None if row.text("state") == "no data" else row.number("value")
    sign = {">=": "≥", "<=": "≤", "==": "="}.get(row.text("comparison"), row.text("comparison"))
    limit = f"{sign} {measure(row.number('threshold'), unit)}" if row.has("threshold") else sign
    waiver = row.text("waiver_id")
    block = row.text("block")
    return (
        system(row.text("system_id"), f"block {block}" if block not in ("", "all") else ""),
        words(row.text("gate")),
        words(row.text("criterion")),
        Cell(measure(value, unit), value),
        words(limit.strip()),
        state(row.text("state"), f"waiver {waiver}" if waiver else ""),
        figure(row.whole("evidence_rows")),
        words(row.text("message")),
    )


def measure(value: Decimal | None, unit: str) -> str:
    """Return a measured value with its unit; a share is written in percent, rounded down."""
    if value is None:
        return DASH
    if unit == "share" or unit.startswith("share "):
        return f"{percent(value, Decimal(1))}{unit.removeprefix('share')}"
    return f"{quantity(value)} {unit}".strip()
