"""The Gantt of what drives commitments: open activities, or gates where no schedule was delivered."""

from datetime import date, timedelta
from decimal import Decimal

from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.working_charts import Gantt, GanttRow
from reports.text import anchor
from reports.wording import days, plural, short_day, signed

ROWS = 30


def gantt(week: Week) -> Gantt | None:
    """Return at most thirty rows in driving order, None where nothing open has a date."""
    if week.as_of is None:
        return None
    open_rows = [r for r in week.rows("mart.activities") if not r.flag("done") and _drawn(r)]
    rows = _activities(open_rows) if open_rows else _gates(week)
    if not rows:
        return None
    contracts = {d for r in open_rows if (d := r.day("contract_date"))}
    return Gantt(
        id=anchor("FIG", "gantt"),
        title=_title(open_rows, rows),
        data_date=week.as_of,
        contract_date=min(contracts) if len(contracts) == 1 else None,
        rows=rows,
        description=(
            "Outline: baseline. Bar: forecast, filled to what is done; red drives the commitment. Dots: total float, "
            "to the latest finish that still meets the contract date. A diamond is a milestone."
        ),
    )


def _drawn(row: Record) -> bool:
    return row.text("kind") not in ("summary", "level_of_effort") and row.has("early_start") and row.has("early_finish")


def _activities(rows: list[Record]) -> tuple[GanttRow, ...]:
    ordered = sorted(
        rows,
        key=lambda r: (
            not r.flag("longest_path"),
            r.amount("total_float_days"),
            str(r.day("early_finish")),
            r.text("code"),
        ),
    )
    return tuple(_activity(row) for row in ordered[:ROWS])


def _activity(row: Record) -> GanttRow:
    start, end = row.day("early_start") or date.min, row.day("early_finish") or date.min
    spare = row.whole("contract_float_days")
    late = row.day("late_finish") if spare is None else end + timedelta(days=spare)
    place = " ".join(part for part in (row.text("system_id"), row.text("block")) if part not in ("", "all"))
    owner = row.text("owner")
    told = _spare(row, spare)
    return GanttRow(
        label=f"{row.text('code')} {row.text('name')}".strip(),
        note=" · ".join(part for part in (told, place, owner) if part),
        start=start,
        end=end,
        percent=row.amount("percent"),
        baseline_start=row.day("baseline_start"),
        baseline_end=row.day("baseline_finish"),
        late=late if late and late >= end else None,
        driving=row.flag("longest_path") or row.flag("critical"),
        milestone="milestone" in row.text("kind"),
        link=anchor("SYS", row.text("system_id")) if row.text("system_id") else "",
    )


def _spare(row: Record, spare: int | None) -> str:
    if spare is None:
        return f"float {days(row.number('total_float_days'))}" if row.has("total_float_days") else ""
    return f"{signed(spare, ' d')} to {short_day(row.day('contract_date'))}"


def _gates(week: Week) -> tuple[GanttRow, ...]:
    """Without a schedule: gates still to pass on the driving path, each from the one before to its likely day."""
    driving = {
        r.text("node"): r.number("criticality") or Decimal(0)
        for r in week.rows("mart.forecast_drivers", scope_type="kind", role="gate")
    }
    by_block: dict[tuple[str, str], list[Record]] = {}
    for row in sorted(week.rows("mart.gate_forecasts"), key=lambda r: r.count("gate_no")):
        if row.day("likely"):
            by_block.setdefault((row.text("system_key"), row.text("block")), []).append(row)
    found: list[tuple[Decimal, GanttRow]] = []
    for rows in by_block.values():
        begin = week.as_of or date.min
        for row in rows:
            likely = row.day("likely") or begin
            node = "/".join(("gate", row.text("system_key"), row.text("block").lower(), row.text("gate")))
            found.append((driving.get(node, Decimal(0)), _gate(row, min(begin, likely), likely, node in driving)))
            begin = max(begin, likely)
    found.sort(key=lambda item: (-item[0], item[1].end, item[1].label))
    return tuple(row for _, row in found[:ROWS])


def _gate(row: Record, start: date, end: date, driving: bool) -> GanttRow:
    block = row.text("block")
    place = row.text("system_id") + (f" {block}" if block not in ("", "all") else "")
    note = f"P80 {short_day(row.day('p80'))}" if row.day("p80") else "gate of the playbook"
    return GanttRow(
        f"{place} {row.text('title')}", note, start, end, Decimal(0), None, None, None, driving, milestone=False,
        link=anchor("SYS", row.text("system_id")),
    )  # fmt: skip


def _title(open_rows: list[Record], rows: tuple[GanttRow, ...]) -> str:
    driving = sum(row.driving for row in rows)
    last = max(rows, key=lambda row: row.end)
    what = plural(len(open_rows), "open activity", "open activities") if open_rows else "gates to pass"
    late = [r for r in open_rows if (spare := r.whole("contract_float_days")) is not None and spare < 0]
    head = f"{driving} of {what} drive the end on {short_day(last.end)}"
    if late:
        worst = min(late, key=lambda r: (r.count("contract_float_days"), r.text("code")))
        least = signed(worst.count("contract_float_days"), " d")
        return f"{head}; {len(late)} have no float left to the contract date, the least {least}"
    return head
