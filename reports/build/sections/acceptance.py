"""Section 7 on acceptance: verdicts by system, how figures lie around their limits, holes, software, faults, use."""

from collections.abc import Sequence
from decimal import Decimal

from reports.build.cells import figure, state, system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.wording import DASH, percent, plural, quantity, share

_UNITS = "Only pass is accepted; what has no verdict is not evaluated, never passed."
_WORST = ("fail", "conflict", "tool_error", "not_evaluated", "warn")


def acceptance_blocks(week: Week) -> list[Block]:
    """The blocks on acceptance; without limits there is nothing to judge by, and that is said."""
    rows = _ordered(week, "mart.acceptance", "system_id")
    judged = [r for r in rows if r.count("expected") > r.count("without_expectation")]
    if not judged:
        return [Paragraph("no data: no limit speaks about any unit, so no unit has a verdict", "absent")]
    return [
        _systems(judged),
        *_common_mode(week),
        *_figures(week),
        *_failing(week),
        *_coverage(week),
        *_scaling(week),
        *_regressions(week),
        *_software(week),
        *_drift(week),
        *_revalidations(week),
        *_failures(week),
        *_repeat(week),
        *_use(week),
    ]


def verdict_message(week: Week) -> str:
    """One sentence: how many units passed of those expected."""
    rows = [r for r in week.rows("mart.acceptance") if r.count("expected") > r.count("without_expectation")]
    if not rows:
        return ""
    counts = {name: sum(r.count(name) for r in rows) for name in ("expected", "passed", "failed", "not_evaluated")}
    return (
        f"{counts['passed']:,} of {plural(counts['expected'], 'unit')} pass; {counts['failed']:,} fail, "
        f"{counts['not_evaluated']:,} not evaluated"
    )


def _systems(rows: Sequence[Record]) -> Block:
    heads = ("System", ">Expected", ">Passed", ">Warned", ">Failed", ">Not evaluated", ">Older than hardware",
             ">Outliers", ">Revalidation due", ">Share passed")  # fmt: skip
    names = ("expected", "passed", "warned", "failed", "not_evaluated", "stale", "outliers", "revalidation_due")
    cells = (
        (
            system(r.text("system_id")),
            *(figure(r.whole(name)) for name in names),
            Cell(percent(r.amount("passed"), r.amount("expected"))),
        )
        for r in rows
    )
    return table("S7-verdicts", "Acceptance by system, in units", heads, cells, cap=120, of=len(rows), note=_UNITS)


def _common_mode(week: Week) -> list[Block]:
    """A fleet that is slow as a whole has no outliers: comparing nodes with each other would call it good."""
    return [
        Paragraph(
            f"{r.text('system_id')} is slow as a whole in {r.text('test')}: {r.count('failed')} of "
            f"{plural(r.count('units'), 'unit')} miss {r.text('limit_text')} (median {_gap(r)} from it), yet none "
            f"stands out among its peers.{'' if r.flag('decides') else ' This limit is advisory.'}"
        )
        for r in _ordered(week, "mart.acceptance_common", "system_id", "test", "metric")
    ]


def _gap(row: Record) -> str:
    return f"{round(row.amount('gap') * 100, 1)} %"


def _figures(week: Week) -> list[Block]:
    rows = _ordered(week, "mart.acceptance_figures", "system_id", "test", "metric", "statistic")
    if not rows:
        return []
    heads = (
        "System",
        "Figure",
        "Limit",
        "Unit",
        ">Figures",
        ">Failed",
        ">Lowest",
        ">5 %",
        ">Median",
        ">95 %",
        ">Highest",
    )
    cells = (
        (
            system(r.text("system_id")),
            words(f"{r.text('test')} {r.text('metric')}", note=f"{r.text('statistic')}; {r.text('source')}"),
            words(r.text("limit_text")),
            words(r.text("unit")),
            figure(r.whole("figures")),
            figure(r.whole("failed")),
            *(figure(_short(r.number(name))) for name in ("lowest", "p05", "median", "p95", "highest")),
        )
        for r in rows
    )
    note = "The worst member decides, so lowest and P5 (5 % lie below) say more than the median."
    return [
        table(
            "S7-figures", "How measured figures lie around their limit", heads, cells, cap=120, of=len(rows), note=note
        )
    ]


def _short(value: Decimal | None) -> Decimal | None:
    """Two decimals are enough to compare by eye."""
    return None if value is None else round(value, 2)


def _failing(week: Week) -> list[Block]:
    rows = sorted(
        week.rows("mart.acceptance_units"),
        key=lambda r: (_WORST.index(r.text("verdict")), r.text("system_id"), r.text("unit_id")),
    )
    if not rows:
        return []
    files = {r.text("_ingest"): r.text("file") for r in week.rows("meta.ingests")}
    heads = ("System", "Unit", "Verdict", "Why", "File and row")
    cells = (
        (
            system(r.text("system_id")),
            words(r.text("unit_id")),
            state(r.text("verdict")),
            words(r.text("note")),
            words(f"{files[r.text('_ingest')]} row {r.text('_row')}" if r.text("_ingest") in files else ""),
        )
        for r in rows
    )
    return [
        table(
            "S7-units", f"{plural(len(rows), 'unit')} without a pass, worst first", heads, cells, cap=60, of=len(rows)
        )
    ]


def _coverage(week: Week) -> list[Block]:
    rows = [r for r in week.rows("mart.acceptance_coverage") if r.count("covered") < r.count("units")]
    if not rows:
        return []
    rows.sort(key=lambda r: (r.text("system_id"), r.text("test")))
    heads = (
        "System",
        "Test",
        ">Units",
        ">Covered",
        ">Older than hardware",
        ">Not evaluated",
        ">Missing",
        ">Most attempts",
    )
    names = ("units", "covered", "stale", "not_evaluated", "missing", "most_attempts")
    cells = (
        (system(r.text("system_id")), words(r.text("test")), *(figure(r.whole(name)) for name in names)) for r in rows
    )
    return [table("S7-coverage", "Required tests with holes", heads, cells, cap=80, of=len(rows))]


def _scaling(week: Week) -> list[Block]:
    rows = [r for r in week.rows("mart.acceptance_scaling") if r.text("verdict") == "fail"]
    if not rows:
        return []
    heads = ("System", "Figure", ">Nodes", ">Value", "Unit", ">At fewest nodes", ">Efficiency")
    cells = (
        (
            system(r.text("system_id")),
            words(f"{r.text('test')} {r.text('metric')}", note=r.text("placement")),
            figure(r.whole("nodes")),
            figure(_short(r.number("value"))),
            words(r.text("unit")),
            figure(_short(r.number("base_value"))),
            Cell(share(r.number("efficiency"))),
        )
        for r in sorted(rows, key=lambda r: (r.text("system_id"), r.text("test"), r.count("nodes")))
    )
    return [table("S7-scaling", "Figures that do not hold over more nodes", heads, cells, cap=40)]


def _regressions(week: Week) -> list[Block]:
    rows = _ordered(week, "mart.acceptance_regressions", "system_id", "test", "metric", "stack")
    if not rows:
        return []
    heads = ("System", "Figure", "Stack", "Before", ">Units", ">Worst change")
    cells = (
        (
            system(r.text("system_id")),
            words(f"{r.text('test')} {r.text('metric')}"),
            words(r.text("stack")),
            words(r.text("stack_before")),
            figure(r.whole("units")),
            Cell(f"{round(r.amount('worst_change') * 100, 1)} %"),
        )
        for r in rows
    )
    return [table("S7-regressions", "Worse on the present software than before", heads, cells, cap=40, of=len(rows))]


def _software(week: Week) -> list[Block]:
    rows = _ordered(week, "mart.software", "system_id", "component")
    if not rows:
        return []
    heads = ("System", "Component", "Laid down", ">Units", ">As laid down", ">Other", ">No data", "Found instead")
    cells = (
        (
            system(r.text("system_id")),
            words(r.text("component"), note=r.text("source")),
            words(r.text("golden")),
            *(figure(r.whole(name)) for name in ("units", "ok", "drift", "no_data")),
            words(r.text("found")),
        )
        for r in rows
    )
    return [table("S7-software", "Software against what is laid down", heads, cells, cap=80, of=len(rows))]


def _drift(week: Week) -> list[Block]:
    rows = _ordered(week, "mart.software_drift", "system_id", "component", "unit_id")
    if not rows:
        return []
    heads = ("System", "Unit", "Component", "Version", "Laid down", "Seen")
    cells = (
        (
            system(r.text("system_id")),
            *(words(r.text(name)) for name in ("unit_id", "component", "version", "golden")),
            when(r.day("observed_at")),
        )
        for r in rows
    )
    return [table("S7-drift", f"Drift list: {plural(len(rows), 'component')}", heads, cells, cap=40, of=len(rows))]


def _revalidations(week: Week) -> list[Block]:
    rows = _ordered(week, "mart.revalidations", "system_id", "unit_id", "component")
    if not rows:
        return []
    heads = ("System", "Unit", "Component", "Before", "Now", "Changed", "Tested")
    cells = (
        (
            system(r.text("system_id")),
            *(words(r.text(name)) for name in ("unit_id", "component", "version_before", "version")),
            when(r.day("changed_at"), status="amber"),
            when(r.day("tested_at")),
        )
        for r in rows
    )
    note = "They stay accepted; a test on the present software is due."
    return [table("S7-revalidation", "Revalidation due", heads, cells, cap=40, of=len(rows), note=note)]


def _failures(week: Week) -> list[Block]:
    rows = _ordered(week, "mart.reliability", "system_id")
    if not rows:
        return []
    heads = ("System", ">Units", ">Node-days", ">Faults", ">Per 1,000 node-days", "95 % interval", ">First 30 days",
             ">Later", ">Open", ">Spares")  # fmt: skip
    cells = (
        (
            system(r.text("system_id")),
            *(figure(r.whole(name)) for name in ("units", "node_days", "faults")),
            figure(_short(r.number("rate"))),
            words(_interval(r)),
            *(figure(_short(r.number(name))) for name in ("infant_rate", "later_rate")),
            *(figure(r.whole(name)) for name in ("open_faults", "spares")),
        )
        for r in rows
    )
    note = (
        f"Exact Poisson intervals. Spares last {rows[0].count('lead_days')} days with "
        f"{share(rows[0].number('service_level'))} certainty."
    )
    return [table("S7-failures", "Failure rates", heads, cells, cap=80, of=len(rows), note=note)]


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


def _ordered(week: Week, name: str, *columns: str) -> list[Record]:
    """The rows of a table by some of its columns."""
    return sorted(week.rows(name), key=lambda r: tuple(r.text(column) for column in columns))


def _interval(row: Record) -> str:
    low, high = _short(row.number("rate_low")), _short(row.number("rate_high"))
    return f"{quantity(low)} to {quantity(high)}" if low is not None and high is not None else DASH


def _use(week: Week) -> list[Block]:
    rows = _ordered(week, "mart.utilisation", "system_id")
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
