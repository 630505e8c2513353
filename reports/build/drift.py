"""How forecasts moved from issue to issue: the fan of one commitment, the milestone trend of several."""

from collections import defaultdict
from datetime import date

from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.charts import DriftPoint, Fan, MilestoneLine, Milestones
from reports.text import anchor, shorten
from reports.wording import plural, signed
from turnup.trend.slips import slips

_LINES = 8
_ISSUES_NEEDED = 2

Issue = tuple[str, date, Record]


def issues_of(week: Week) -> dict[str, list[Issue]]:
    """Return per contract line its rows as issued: (week, report date, row), oldest first, this week last."""
    dates = {r.text("week"): r.day("as_of") or r.day("cut_off") for r in week.rows("hist.week")}
    found: dict[str, list[Issue]] = defaultdict(list)
    for row in week.rows("hist.commitments"):
        name = row.text("week")
        at = dates.get(name) or week_end(name)
        if name < week.name and at:
            found[_key(row)].append((name, at, row))
    for row in week.rows("mart.commitments"):
        if week.as_of:
            found[_key(row)].append((week.name, week.as_of, row))
    return {key: sorted(rows, key=lambda issue: issue[0]) for key, rows in sorted(found.items())}


def week_end(name: str) -> date | None:
    """Return the Friday of an ISO week such as 2026-W44; None when the text is no week."""
    year, _, number = name.partition("-W")
    try:
        return date.fromisocalendar(int(year), int(number), 5)
    except ValueError:
        return None


def _key(row: Record) -> str:
    return f"{row.line()} {row.text('system_id')}"


def fan(week: Week) -> Fan | None:
    """Return the drift of the open commitment that is latest against its contract date, if it has two issues."""
    best: tuple[int, str] | None = None
    every = issues_of(week)
    for key, rows in every.items():
        last = rows[-1][2]
        p50, contract = last.day("p50"), last.day("contract_date")
        if rows[-1][0] == week.name and p50 and contract and len(_dated(rows)) >= _ISSUES_NEEDED:
            rank = (-(p50 - contract).days, key)
            best = rank if best is None or rank < best else best
    return _fan(best[1], _dated(every[best[1]])) if best else None


def _dated(rows: list[Issue]) -> list[Issue]:
    return [issue for issue in rows if issue[2].day("p50") and issue[2].day("contract_date")]


def _fan(key: str, rows: list[Issue]) -> Fan:
    points: list[DriftPoint] = []
    breaks: list[str] = []
    before: date | None = None
    for name, _, row in rows:
        contract, p50, p80 = row.day("contract_date"), row.day("p50"), row.day("p80")
        if contract is None or p50 is None:
            continue
        points.append(DriftPoint(name, (p50 - contract).days, (p80 - contract).days if p80 else None))
        breaks += [name] if before and contract != before else []
        before = contract
    first, last = points[0], points[-1]
    moved = last.p50 - first.p50
    verb = f"moved {abs(moved)} days {'later' if moved > 0 else 'earlier'}" if moved else "has not moved"
    title = f"{key}: P50 {verb} over {plural(len(points), 'issue')}"
    if last.p80 is not None and first.p80 is not None:
        title += f"; spread {first.p80 - first.p50} → {last.p80 - last.p50} days"
    words = "Days between forecast and contract date, as issued each week; above zero is late."
    return Fan(anchor("FIG", "fan"), title, before or date.min, tuple(points), tuple(breaks), words)


def milestones(week: Week) -> Milestones | None:
    """Return the milestone trend of the open commitments that moved most, at most eight."""
    lines = []
    for key, rows in issues_of(week).items():
        dated = _dated(rows)
        row = rows[-1][2]
        done = row.amount("schedulable") >= row.amount("quantity")
        if len(dated) < _ISSUES_NEEDED or rows[-1][0] != week.name or done:
            continue
        points = tuple((at, p50) for _, at, issue in dated if (p50 := issue.day("p50")))
        slip = (points[-1][1] - points[0][1]).days
        baseline = row.day("first_contract_date") or row.day("contract_date")
        lines.append(MilestoneLine(key, points, row.text("status") or "grey", slip, baseline, _causes(dated, points)))
    if not lines:
        return None
    lines.sort(key=lambda line: (-abs(line.slip_days), line.label))
    late = sum(line.slip_days > 0 for line in lines)
    title = f"{late} of {plural(len(lines), 'open commitment')} with a dated forecast slipped since first issued"
    if late:
        worst = max(lines, key=lambda line: (line.slip_days, line.label))
        title += f", {worst.label} most ({signed(worst.slip_days)} d)"
    words = (
        "P50 date as issued each week, in steps; a level line is a date that holds, the dashed diagonal is today, a "
        "tick at the left is the first contract date. Figures at steps are days; the table tells what drove each."
    )
    return Milestones(anchor("FIG", "milestones"), title, tuple(lines[:_LINES]), words)


def _causes(dated: list[Issue], points: tuple[tuple[date, date], ...]) -> tuple[tuple[date, int, str], ...]:
    """Each slip with the driver that the issue of its report date named."""
    drivers = {at: row.text("driver") for _, at, row in dated}
    return tuple((slip.reported, slip.days, shorten(drivers.get(slip.reported, ""), 80)) for slip in slips(points))
