"""How well our forecasts have held, in the words that stand beside every forecast: rates with their number of cases."""

from decimal import Decimal

from reports.build.cells import figure, table, words
from reports.build.warehouse import Record, Warehouse
from reports.models.common import Block, Cell
from reports.models.working_charts import Calibration, CalibrationRow
from reports.text import anchor
from reports.wording import kind_name, kind_rank, percent, plural

LEAD_DAYS = 28
_ENOUGH = 10


def calibration_sentence(warehouse: Warehouse, scope: str = "all") -> str:
    """Return how often P50 and P80 held that were issued four weeks before, and the Brier score; few cases say so."""
    row = _row(warehouse, scope)
    if row is None or not row.count("gates"):
        return "none has passed yet that was forecast 28 days before, so read P80 as untested"
    gates, p50, p80 = row.count("gates"), row.count("p50_held"), row.count("p80_held")
    rate = _rate(p80, gates)
    text = f"of {plural(gates, 'gate')} forecast 28 days before, P50 held for {p50} and P80 for {p80} ({rate})"
    if not row.flag("enough"):
        text += f", fewer than {_ENOUGH} cases: weak evidence"
    elif p80 * 100 < gates * 80:
        text += f": read P80 as about P{p80 * 100 // gates}"
    return text + _brier(row)


def _brier(row: Record) -> str:
    if not row.count("dates"):
        return ""
    few = "" if row.flag("dates_enough") else f", fewer than {_ENOUGH}"
    return f"; Brier score of the odds {row.number('brier')} over {plural(row.count('dates'), 'contract date')}{few}"


def _rate(held: int, count: int) -> str:
    return percent(Decimal(held), Decimal(count))


def _row(warehouse: Warehouse, scope: str) -> Record | None:
    rows = warehouse.rows("mart.calibration")
    return next((r for r in rows if r.text("scope") == scope and r.count("lead_days") == LEAD_DAYS), None)


def calibration_chart(warehouse: Warehouse) -> Calibration | None:
    """Return the shares of past dates that held against their percentile, None before any gate has passed."""
    rows = {r.count("lead_days"): r for r in warehouse.rows("mart.calibration") if r.text("scope") == "all"}
    lines = tuple(
        CalibrationRow(f"P{claimed}, {lead // 7} weeks before", claimed, row.count(name), row.count("gates"),
                       row.flag("enough"))
        for lead, row in sorted(rows.items()) if row.count("gates")
        for claimed, name in ((50, "p50_held"), (80, "p80_held"))
    )  # fmt: skip
    if not lines:
        return None
    last = next((line for line in lines if line.claimed == 80), lines[0])
    rate = _rate(last.held, last.cases)
    few = "" if last.enough else f", fewer than {_ENOUGH} cases"
    return Calibration(
        id=anchor("FIG", "calibration"),
        title=f"{last.held} of {plural(last.cases, 'gate')} held their P80 of 4 weeks before ({rate}{few})",
        rows=lines,
        description="Bar: share of past dates that held; blue mark: what the percentile promises. Pale: few cases.",
    )


def calibration_table(warehouse: Warehouse, identity: str) -> list[Block]:
    """Return hit rates and Brier scores over all and per kind, of forecasts of 28 and 56 days before."""
    rows = [r for r in warehouse.rows("mart.calibration") if r.count("gates") or r.count("dates")]
    if not rows:
        return []
    rows.sort(key=lambda r: (r.text("scope") != "all", kind_rank(r.text("scope")), r.count("lead_days")))
    heads = ("Forecasts of", "Issued before", ">Gates passed", ">P50 held", ">P80 held#p80-record", ">Contract dates",
             ">Brier score#brier")  # fmt: skip
    cells = (
        (
            words("all kinds" if r.text("scope") == "all" else kind_name(r.text("scope"))),
            words(f"{r.count('lead_days')} days"),
            figure(r.whole("gates")),
            _held(r, "p50_held"),
            _held(r, "p80_held"),
            figure(r.whole("dates")),
            Cell(str(r.number("brier")) if r.has("brier") else "\u2013", r.number("brier")),
        )
        for r in rows
    )
    note = f"A gate passes on a data date; a date holds when the next data date shows it. Below {_ENOUGH} cases: weak."
    return [table(identity, "How well past forecasts held", heads, cells, cap=40, of=len(rows), note=note)]


def _held(row: Record, name: str) -> Cell:
    gates = row.count("gates")
    if not gates:
        return Cell("\u2013")
    rate = _rate(row.count(name), gates)
    return Cell(f"{row.count(name)} ({rate})", row.count(name), note="" if row.flag("enough") else f"n = {gates}")
