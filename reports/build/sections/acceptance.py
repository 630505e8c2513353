"""Section 7 on acceptance: verdicts by system, how figures lie around their limits, units without a pass, holes."""

from collections.abc import Sequence

from reports.build.cells import brief, figure, state, system, table, words
from reports.build.sections.reliability import reliability_blocks
from reports.build.sections.software import software_blocks
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.wording import percent, plural, share

_UNITS = "Only pass is accepted; what has no verdict is not evaluated, never passed."
_WORST = ("fail", "conflict", "tool_error", "not_evaluated", "warn")


def acceptance_blocks(week: Week) -> list[Block]:
    """The blocks on acceptance; without limits there is nothing to judge by, and that is said."""
    rows = week.ordered("mart.acceptance", "system_id")
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
        *software_blocks(week),
        *reliability_blocks(week),
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
        for r in week.ordered("mart.acceptance_common", "system_id", "test", "metric")
    ]


def _gap(row: Record) -> str:
    return f"{round(row.amount('gap') * 100, 1)} %"


def _figures(week: Week) -> list[Block]:
    rows = week.ordered("mart.acceptance_figures", "system_id", "test", "metric", "statistic")
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
            *(figure(brief(r.number(name))) for name in ("lowest", "p05", "median", "p95", "highest")),
        )
        for r in rows
    )
    note = "The worst member decides, so lowest and P5 (5 % lie below) say more than the median."
    return [
        table(
            "S7-figures", "How measured figures lie around their limit", heads, cells, cap=120, of=len(rows), note=note
        )
    ]


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
            figure(brief(r.number("value"))),
            words(r.text("unit")),
            figure(brief(r.number("base_value"))),
            Cell(share(r.number("efficiency"))),
        )
        for r in sorted(rows, key=lambda r: (r.text("system_id"), r.text("test"), r.count("nodes")))
    )
    return [table("S7-scaling", "Figures that do not hold over more nodes", heads, cells, cap=40)]
