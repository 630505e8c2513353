"""How forecasts moved from issue to issue: the fan of one commitment, the milestone trend of several."""

from datetime import date

from reports.build.warehouse import Record
from reports.build.week import Issued, Week
from reports.models.charts import DriftPoint, Fan, MilestoneLine, Milestones
from reports.text import anchor, shorten
from reports.wording import plural, signed
from turnup.trend.slips import slips

_LINES = 8
_ISSUES_NEEDED = 2


def fan(week: Week) -> Fan | None:
    """Return the drift of the open commitment that is latest against its contract date, if it has two issues."""
    best: tuple[int, str] | None = None
    for key, dated in week.dated.items():
        last = week.issues[key][-1][2]
        p50, contract = last.day("p50"), last.day("contract_date")
        if p50 and contract and len(dated) >= _ISSUES_NEEDED:
            rank = (-(p50 - contract).days, key)
            best = rank if best is None or rank < best else best
    return _fan(best[1], week.dated[best[1]]) if best else None


def _fan(key: str, rows: list[Issued]) -> Fan:
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
    moved = {
        key: slip for key, dated in week.dated.items() if (slip := _slip(week.issues[key][-1][2], dated)) is not None
    }
    if not moved:
        return None
    ranked = sorted(moved, key=lambda key: (-abs(moved[key]), key))
    late = sum(slip > 0 for slip in moved.values())
    title = f"{late} of {plural(len(moved), 'open commitment')} with a dated forecast slipped since first issued"
    if late:
        worst = max(moved, key=lambda key: (moved[key], key))
        title += f", {worst} most ({signed(moved[worst])} d)"
    words = (
        "P50 date as issued each week, in steps; a level line is a date that holds, the dashed diagonal is today, a "
        "tick at the left is the first contract date. Figures at steps are days; the table tells what drove each."
    )
    shown = tuple(_line(key, week.issues[key][-1][2], week.dated[key], moved[key]) for key in ranked[:_LINES])
    return Milestones(anchor("FIG", "milestones"), title, shown, words)


def _slip(row: Record, dated: list[Issued]) -> int | None:
    """Days from the first P50 to the last, None of a line that is done or has no two issues."""
    if len(dated) < _ISSUES_NEEDED or row.amount("schedulable") >= row.amount("quantity"):
        return None
    first, last = (dated[place][2].day("p50") for place in (0, -1))
    return (last - first).days if first and last else None


def _line(key: str, row: Record, dated: list[Issued], slip: int) -> MilestoneLine:
    points = tuple((at, p50) for _, at, issue in dated if (p50 := issue.day("p50")))
    baseline = row.day("first_contract_date") or row.day("contract_date")
    return MilestoneLine(key, points, row.text("status") or "grey", slip, baseline, _causes(dated, points))


def _causes(dated: list[Issued], points: tuple[tuple[date, date], ...]) -> tuple[tuple[date, int, str], ...]:
    """Each slip with the driver that the issue of its report date named."""
    drivers = {at: row.text("driver") for _, at, row in dated}
    return tuple((slip.reported, slip.days, shorten(drivers.get(slip.reported, ""), 80)) for slip in slips(points))
