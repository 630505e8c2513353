"""Ageing work: what is open at each gate and for how long, against the times that the gate itself has shown."""

from collections import Counter

from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.working_charts import Ageing, AgeingDot, AgeingGate
from reports.text import anchor
from reports.wording import plural

_OPEN = ("in progress", "regressed")


def ageing(week: Week) -> Ageing | None:
    """Return the chart of open gates, None where nothing is open or no cycle time was computed."""
    times = sorted(week.rows("mart.cycle_times"), key=lambda r: (r.count("gate_no"), r.text("gate")))
    open_rows = [r for r in week.rows("mart.gates", state=_OPEN) if r.has("days_waiting")]
    if not times or not open_rows:
        return None
    places = {row.text("gate"): place for place, row in enumerate(times)}
    waiting = Counter(row.text("gate") for row in open_rows)
    gates = tuple(
        AgeingGate(
            row.text("title") or row.text("gate").replace("_", " "),
            waiting[row.text("gate")],
            row.count("passed"),
            row.whole("p50_days"),
            row.whole("p85_days"),
        )
        for row in times
    )
    dots = tuple(_dot(row, places[row.text("gate")]) for row in open_rows if row.text("gate") in places)
    stuck = [d for d in dots if (limit := gates[d.gate].p85) is not None and d.days > limit]
    return Ageing(
        id=anchor("FIG", "ageing"),
        title=_title(dots, stuck, gates),
        gates=gates,
        dots=tuple(sorted(dots, key=lambda d: (d.gate, -d.days, d.label))),
        description=(
            "Each dot is a block of a system open at a gate, by days in it; thick line: days within which 85 % pass, "
            "dashed: half, of the last 13 weeks open ones counted as not yet passed; no line: not known yet."
        ),
    )


def _dot(row: Record, place: int) -> AgeingDot:
    block = row.text("block")
    label = row.text("system_id") + (f" {block}" if block not in ("", "all") else "")
    return AgeingDot(place, row.count("days_waiting"), label, anchor("SYS", row.text("system_id")))


def _title(dots: tuple[AgeingDot, ...], stuck: list[AgeingDot], gates: tuple[AgeingGate, ...]) -> str:
    oldest = max(dots, key=lambda d: (d.days, d.label))
    worst = f"the oldest is {oldest.label}, {oldest.days} d at {gates[oldest.gate].label}"
    if not stuck:
        return f"{plural(len(dots), 'open gate')}, none beyond its own P85; {worst}"
    return f"{len(stuck)} of {plural(len(dots), 'open gate')} beyond their own P85; {worst}"
