"""Section 5: health of delivered schedules, the forecast with its record, drivers, claims, and what it rests on."""

from dataclasses import replace

from reports.build.calibration import calibration_chart, calibration_sentence, calibration_table
from reports.build.caps import most
from reports.build.cells import change, figure, state, system, table, when, words
from reports.build.drift import milestones
from reports.build.drivers import driver_tables, tornados
from reports.build.gantt import gantt
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.charts import Chart
from reports.models.common import Block, Cell, Paragraph, Section
from reports.wording import DASH, day, kind_name, kind_rank, plural, share

_NO_FILE = "no schedule file is delivered: the network is that of the playbooks' gates and lead times"
_JOINT = (
    "A kind is reached when the last of its systems is. Target of a line: that of its system up to and including the "
    "line. Merge bias: how much later the P50 is than when everything takes its likely time."
)
_ASSUMPTIONS = 400
_LEFT_OUT = "left out"
_NEAR = 30
_PARTS = {"link": 0, "constraint": 1, "duration": 2}


def schedule_section(week: Week) -> Section:
    """Build section 5; no date stands without the health of the schedule and the record of the forecasts behind it."""
    claims = list(week.rows("core.activity_claims"))
    health, message = _health(week)
    record = f"Our record: {calibration_sentence(week.warehouse)}."
    blocks: list[Block] = [
        *health,
        *_claims(week, claims),
        Paragraph(record, link="DEF-p80-record"),
        *_forecast(week),
        *_drawn(calibration_chart(week.warehouse)),
        *calibration_table(week.warehouse, "S5-record"),
        *driver_tables(week, "S5"),
        *_drawn(gantt(week)),
        *_drawn(milestones(week)),
        *tornados(week, "S5"),
        *_activities(week),
        *_logic(week),
        *_assumptions(week),
    ]
    if claims:
        message += f"; {plural(len(claims), 'activity', 'activities')} claimed done without evidence"
    return Section("5", "S5", "Schedule", message, tuple(blocks))


def _drawn(chart: Chart | None) -> list[Block]:
    return [chart] if chart is not None else []


def _logic(week: Week) -> list[Block]:
    """What changed in the logic of schedules since the last issue: a date that moved by new logic is no progress."""
    if not week.warehouse.delivered("activities") or not week.previous:
        return []
    rows = sorted(
        week.rows("mart.logic_changes"),
        key=lambda r: (r.text("project"), _PARTS.get(r.text("what"), 9), r.text("subject")),
    )
    if not rows:
        return [Paragraph("Logic since the last issue: no link, duration or constraint of a schedule changed.")]
    heads = ("Schedule", "What", "Which", "Change", "Said before", "Says now")
    cells = (
        (
            words(r.text("project")),
            words(r.text("what")),
            words(r.text("subject")),
            words(r.text("change")),
            words(r.text("said_before")),
            words(r.text("says")),
        )
        for r in rows
    )
    title = f"{plural(len(rows), 'change')} of logic since the last issue"
    return [table("S5-logic", title, heads, cells, cap=60, of=len(rows))]


def _health(week: Week) -> tuple[list[Block], str]:
    rows = list(week.rows("mart.schedule_health"))
    if not week.warehouse.delivered("activities"):
        return [Paragraph(f"no data: activities not delivered; {_NO_FILE}", "absent")], "activities not delivered"
    if not rows:
        return [Paragraph("no data: no schedule could be judged", "absent")], "no schedule could be judged"
    rows.sort(key=lambda r: (r.text("project"), r.count("check_no")))
    judged = [r for r in rows if not r.flag("advisory")]
    failed = sum(r.text("verdict") == "fail" for r in judged)
    heads = ("Schedule", "No", "Check", ">Found", ">Of", ">Share", "Limit", "Verdict", "What it says")
    cells = (
        (
            words(r.text("project")),
            words("" if r.text("verdict") == "info" else r.text("check_id")),
            words(r.text("title") or r.text("check")),
            figure(r.number("numerator")),
            figure(r.number("denominator")),
            words(r.text("figure")),
            words(r.text("limit_text")),
            state(r.text("verdict")),
            words(r.text("sentence")),
        )
        for r in rows
    )
    projects = len({r.text("project") for r in rows})
    told = {moment for r in rows if (moment := r.day("data_date")) is not None}
    at = f" at the data date {day(min(told))}" if len(told) == 1 else ""
    title = f"Health of {plural(projects, 'schedule')}{at}: {failed} of {plural(len(judged), 'check')} failed"
    message = f"{failed} of {plural(len(judged), 'health check')} failed"
    return [table("S5-health", title, heads, cells, cap=80, of=len(rows), note=_judged_by(rows))], message


def _judged_by(rows: list[Record]) -> str:
    """Return whose definitions the checks follow, and what the programme chose otherwise."""
    return "; ".join(f"Judged by: {text}." for text in sorted({r.text("judged_by") for r in rows} - {""}))


def _claims(week: Week, claims: list[Record]) -> list[Block]:
    if not claims:
        return []
    names = {r.text("system_key"): r.text("system_id") for r in week.rows("mart.systems")}
    claims.sort(key=lambda r: (-r.amount("remaining_days"), r.text("project"), r.text("code")))
    heads = ("Activity", "Name", "System", "Gate without evidence", "Claimed done", ">Taken to remain")
    cells = (
        (
            words(r.text("code"), note=r.text("project")),
            words(r.text("name")),
            system(names.get(r.text("system_key"), r.text("system_key")), _blocks(r)),
            words(r.text("gate")),
            when(r.day("claimed_finish")) if r.day("claimed_finish") else words("100 %"),
            figure(r.number("remaining_days"), suffix=" wd"),
        )
        for r in claims
    )
    title = f"{plural(len(claims), 'activity', 'activities')} claimed done without the evidence of the gate: not done"
    return [table("S5-claims", title, heads, cells, cap=40, of=len(claims))]


def _blocks(row: Record) -> str:
    return "" if row.text("blocks") in ("", "all") else f"block {row.text('blocks')}"


def _forecast(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.forecast"), key=_forecast_order)
    if not rows:
        return [Paragraph("no data: no forecast has been made for this week", "absent")]
    heads = ("Scope", ">Remaining", "P50#p50", "P80#p80", "P95", ">Chance#confidence", "Contract", ">Of our own date",
             ">Of the need", ">Slip week#slip", ">Merge bias#merge-bias", "Driver, or why no date")  # fmt: skip
    runs = next((r for r in rows if r.has("iterations")), None)
    how = f" {runs.text('method')}, {runs.count('iterations'):,} runs, seed {runs.text('seed')}." if runs else ""
    cells = (_forecast_row(r) for r in rows)
    title = "Forecast per kind, system and contract line"
    return [table("S5-forecast", title, heads, cells, cap=160, of=len(rows), note=_JOINT + how)]


def _forecast_order(row: Record) -> tuple[int, tuple[int, str], str]:
    places = {"kind": 0, "system": 1, "commitment": 2}
    return places.get(row.text("scope_type"), 3), kind_rank(row.text("kind") or row.text("scope")), row.text("scope")


def _forecast_row(row: Record) -> tuple[Cell, ...]:
    kind = row.text("scope_type") == "kind"
    done = row.text("scope_type") != "commitment" and not row.amount("remaining")  # its lines say when each was reached
    baseline = row.whole("slip_baseline_days")
    return (
        words(f"all {kind_name(row.text('scope'))}" if kind else row.text("scope"), note=_of_target(row)),
        figure(row.number("remaining")),
        *(when(None if done else row.day(name)) for name in ("p50", "p80", "p95")),
        *(Cell(share(None if done else row.number("confidence"))),),
        when(row.day("contract_date")),
        Cell(share(None if done else row.number("commit_confidence"))),
        Cell(share(None if done else row.number("need_confidence"))),
        replace(
            change(None if done else row.whole("slip_week_days"), " d"),
            note="" if done or baseline is None else f"baseline {baseline:+d} d" if baseline else "baseline 0 d",
        ),
        Cell(f"{round(row.amount('merge_bias_days'))} d" if row.has("merge_bias_days") else DASH,
             row.number("merge_bias_days")),
        words(row.text("driver") or row.text("note")),
    )  # fmt: skip


def _of_target(row: Record) -> str:
    return f"{figure(row.number('target')).text} {row.text('unit')}"


def _activities(week: Week) -> list[Block]:
    rows = [r for r in week.rows("mart.activities") if not r.flag("done") and r.has("total_float_days")]
    if not rows:
        return []
    rows.sort(key=lambda r: (r.amount("total_float_days"), str(r.day("early_finish")), r.text("code")))
    heads = ("Activity", "Name", "System and gate", "Early finish", "Stored finish", "Late finish", ">Float",
             "Critical", "Owner")  # fmt: skip
    cells = (
        (
            words(r.text("code"), note=r.text("project")),
            words(r.text("name")),
            words("/".join(filter(None, (r.text("system_id"), r.text("block"), r.text("gate"))))),
            when(r.day("early_finish")),
            when(r.day("stored_finish")),
            when(r.day("late_finish")),
            figure(r.number("total_float_days"), suffix=" wd"),
            words("longest path" if r.flag("longest_path") else "by float" if r.flag("critical") else ""),
            words(r.text("owner")),
        )
        for r in rows
    )
    title = f"Open activities by float, least first, of {plural(len(rows), 'open activity', 'open activities')}"
    note = "Dates as computed on the evidence of this week; stored: as the schedule's own tool left them."
    return [table("S5-activities", title, heads, cells, cap=_NEAR, of=len(rows), note=note)]


def _assumptions(week: Week) -> list[Block]:
    table_, by, wanted = "mart.forecast_assumptions", ("node",), most(_ASSUMPTIONS)
    counts = {r.text("role"): r.count("rows") for r in week.warehouse.groups(table_, ("role",))}
    used = tuple(sorted(set(counts) - {_LEFT_OUT}))
    rows = list(week.warehouse.first(table_, wanted, by, role=used))
    if len(rows) < wanted:
        rows += week.warehouse.first(table_, wanted - len(rows), by, role=_LEFT_OUT)
    if not rows:
        return []
    heads = ("What", "System", "From", "Class of cases", ">n", ">P10", ">P50", ">P90", "Days", "Note")
    cells = (
        (
            words(r.text("name") or r.text("role")),
            words(r.text("system_id"), note=r.text("block") if r.text("block") != "all" else ""),
            words(r.text("method").replace("_", " ")),
            words(r.text("of")),
            figure(r.whole("n")),
            *(figure(r.number(f"p{percent}_days")) for percent in (10, 50, 90)),
            words(r.text("day_kind")),
            words(r.text("note")),
        )
        for r in rows
    )
    made = table(
        "S5-assumptions", "What the forecast rests on", heads, cells, cap=_ASSUMPTIONS, of=sum(counts.values())
    )
    return [replace(made, folded=True)]
