"""What decides a forecast: driver tables and tornados of kinds that are not yet done, and of their latest lines."""

from decimal import Decimal

from reports.build.cells import system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.charts import Tornado, TornadoBar
from reports.models.common import Block, Cell
from reports.text import anchor
from reports.wording import day, kind_name, kind_rank, share

_KINDS = 3
_LINES = 8


def driver_tables(week: Week, prefix: str, kinds: int = _KINDS) -> list[Block]:
    """Return for each open kind, first in the fixed order, what is most often on its driving path."""
    rows = week.rows("mart.forecast_drivers", scope_type="kind")
    found: list[Block] = []
    for kind in sorted({r.text("scope") for r in rows}, key=kind_rank)[:kinds]:
        own = sorted((r for r in rows if r.text("scope") == kind), key=lambda r: r.count("rank"))
        heads = ("Driver", "System", "Owner", "Likely done", ">On the path#criticality", ">Sensitivity#sensitivity",
                 "Duration from")  # fmt: skip
        title = f"What decides when all {kind_name(kind)} is there, most often on the driving path first"
        cells = (_driver(r) for r in own)
        found.append(table(anchor(f"{prefix}-drivers", kind), title, heads, cells, cap=_LINES, of=len(own)))
    return found


def _driver(row: Record) -> tuple[Cell, ...]:
    return (
        words(row.text("name")),
        system(row.text("system_id")) if row.text("system_id") else words(""),
        words(row.text("owner")),
        when(row.day("likely")),
        Cell(share(row.number("criticality")), row.number("criticality")),
        Cell(str(round(row.amount("sensitivity"), 2)), row.number("sensitivity")),
        words(row.text("basis")),
    )


def tornados(week: Week, prefix: str, kinds: int = _KINDS) -> list[Block]:
    """Return a tornado for each open kind that has one."""
    rows = [r for r in week.rows("mart.forecast_tornado") if r.text("scope_type") == "kind"]
    forecasts = {r.text("scope"): r for r in week.rows("mart.forecast") if r.text("scope_type") == "kind"}
    found: list[Block] = []
    for kind in sorted({r.text("scope") for r in rows}, key=kind_rank)[:kinds]:
        own = sorted((r for r in rows if r.text("scope") == kind), key=lambda r: r.count("rank"))
        base = forecasts[kind].day("p80") if kind in forecasts else None
        bars = tuple(bar for r in own if (bar := _bar(r)) is not None)
        if base is not None and bars:
            found.append(
                Tornado(
                    id=anchor(f"{prefix}-tornado", kind),
                    title=f"{kind_name(kind)}: {bars[0].label} moves P80 by {round(bars[0].swing_days)} days",
                    base=base,
                    contract_date=forecasts[kind].day("contract_date"),
                    bars=bars,
                    description=(
                        f"P80 of all {kind_name(kind)} with one input at its own P10 and P90, the others drawn; "
                        f"now {day(base)}."
                    ),
                )
            )
    return found


def _bar(row: Record) -> TornadoBar | None:
    low, high = row.day("p80_low"), row.day("p80_high")
    if low is None or high is None:
        return None
    return TornadoBar(row.text("name"), min(low, high), max(low, high), row.number("swing_days") or Decimal(0))
