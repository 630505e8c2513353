"""Charts by rule from rows: waterfall, funnel, bullets, heat map; their titles state the message with its number."""

from collections import defaultdict
from decimal import Decimal
from itertools import pairwise

from reports.build.how_much import class_rows, held_by_stage, of_due, stages
from reports.build.warehouse import Record, Warehouse
from reports.charts.waterfall import WaterfallDoesNotClose, check_closes
from reports.models.charts import BulletRow, Bullets, Funnel, FunnelRow, HeatCell, HeatMap, HeatRow, Step, Waterfall
from reports.models.common import Paragraph
from reports.palette import SEVERITY_ORDER
from reports.text import anchor
from reports.wording import REACHED, STAGES, kind_name, plural, quantity, unit_name


def waterfall(warehouse: Warehouse, row: Record) -> Waterfall | Paragraph:
    """Return contracted -> schedulable of one kind; a chart that does not close is withheld and the gap printed."""
    kind, unit = row.text("kind"), row.text("unit")
    held = held_by_stage(warehouse, kind)
    steps = tuple(Step(s, STAGES.get(s, s), q) for s, q in held.items())
    contracted, schedulable = row.amount("contracted"), row.amount("schedulable")
    chart = Waterfall(
        id=anchor("FIG", "waterfall", kind),
        title=_waterfall_title(kind, unit, contracted, schedulable, held),
        unit=unit,
        contracted=contracted,
        steps=steps,
        schedulable=schedulable,
        waived=min(row.amount("waived_quantity"), schedulable),
        description=f"Contracted {unit} less the capacity held at each stage leaves what is schedulable.",
    )
    try:
        check_closes(chart)
    except WaterfallDoesNotClose as gap:
        return Paragraph(f"Waterfall of {kind_name(kind)} withheld: {gap}", "warning")
    return chart


def unclosed(warehouse: Warehouse) -> tuple[str, ...]:
    """Return a sentence for each kind whose waterfall does not close."""
    charts = [waterfall(warehouse, row) for row in class_rows(warehouse) if warehouse.holds("mart.funnel")]
    return tuple(chart.text for chart in charts if isinstance(chart, Paragraph))


def _waterfall_title(kind: str, unit: str, contracted: Decimal, schedulable: Decimal, held: dict[str, Decimal]) -> str:
    name = f"{kind_name(kind)}: {quantity(contracted - schedulable)} of {quantity(contracted)} {unit_name(unit)}"
    if not held:
        return f"{kind_name(kind)}: all {quantity(contracted)} {unit_name(unit)} contracted are schedulable"
    stage = max(held, key=lambda s: held[s])
    return f"{name} held back, most ({quantity(held[stage])}) {STAGES.get(stage, stage).lower()}"


def funnel(warehouse: Warehouse, row: Record) -> Funnel | None:
    """Return capacity per reached stage of one kind; stages that apply to none of its systems are left out."""
    kind, unit = row.text("kind"), row.text("unit")
    reached: dict[tuple[int, str], Decimal] = defaultdict(Decimal)
    applies: set[tuple[int, str]] = set()
    for line in stages(warehouse):
        if line.text("kind") == kind:
            key = (line.count("stage_no"), line.text("stage"))
            reached[key] += line.amount("reached")
            applies |= {key} if line.flag("applicable") or not line.has("applicable") else set()
    rows = tuple(FunnelRow(s, REACHED.get(s, s), reached[n, s]) for n, s in sorted(reached) if (n, s) in applies)
    if not rows:
        return None
    drops = [(a.reached - b.reached, a, b) for a, b in pairwise(rows)]
    drop = max(drops, key=lambda d: d[0]) if drops else None
    title = f"{kind_name(kind)}: every stage at {quantity(rows[0].reached)} {unit_name(unit)}"
    if drop and drop[0] > 0:
        title = (
            f"{kind_name(kind)}: widest step is {_lower(drop[1].label)} to {_lower(drop[2].label)}, "
            f"{quantity(drop[0])} {unit_name(unit)}"
        )
    words = f"Capacity in {unit} that has the evidence of each stage and of all stages before it."
    return Funnel(anchor("FIG", "funnel", kind), title, unit, rows, words)


def _lower(label: str) -> str:
    return label if label[1:2].isdigit() else label.lower()


def bullets(warehouse: Warehouse) -> Bullets | None:
    """Return one bullet row per kind."""
    rows = tuple(
        BulletRow(
            kind_name(r.text("kind")),
            r.text("unit"),
            r.amount("schedulable"),
            r.amount("due"),
            r.amount("contracted"),
            of_due(r),
            r.text("status") or "grey",
            anchor("CLS", r.text("kind")),
        )
        for r in class_rows(warehouse)
    )
    if not rows:
        return None
    words = "Bar: schedulable. Thick mark: due now. Pale range: contracted. Each row has its own scale and unit."
    return Bullets(anchor("FIG", "bullets"), _bullets_title(rows), rows, words)


def _bullets_title(rows: tuple[BulletRow, ...]) -> str:
    short = sum(row.schedulable < row.due for row in rows)
    if short:
        return f"{plural(short, 'kind')} of {len(rows)} below the quantity due now"
    if not any(row.due for row in rows):
        return f"Nothing is due yet in any of {plural(len(rows), 'kind')}"
    return f"All {plural(len(rows), 'kind')} at or above the quantity due now"


def heat_map(warehouse: Warehouse) -> HeatMap | None:
    """Return sites against gates; sites with most blocked systems first, gates in playbook order."""
    rows = warehouse.rows("mart.site_gates")
    order: dict[str, int] = {}
    by_site: dict[tuple[str, str], dict[str, Record]] = defaultdict(dict)
    for row in rows:
        gate = row.text("gate")
        order[gate] = max(order.get(gate, 0), row.count("gate_no"))
        by_site[row.text("site_id"), row.text("site_name")][gate] = row
    if not rows:
        return None
    gates = sorted(order, key=lambda gate: (order[gate], gate))
    waiting = _waiting(warehouse)
    sites = sorted(by_site.items(), key=lambda item: _blocked_rank(item[0], item[1]))
    lines = tuple(
        HeatRow(s, n, tuple(_heat_cell(cells.get(g), s, waiting) for g in gates), anchor("SITE", s))
        for (s, n), cells in sites
    )
    names = tuple(_gate_name(gate) for gate in gates)
    words = (
        "Cell: systems past the gate / systems that meet it; status: worst of the systems waiting at it; "
        "a dot: nobody waits here yet; a dash: no system meets this gate."
    )
    return HeatMap(anchor("FIG", "heat-map"), _heat_title(lines, names), names, lines, words)


def _gate_name(gate: str) -> str:
    name = gate.replace("_", " ")
    return name[:1].upper() + name[1:]


def _waiting(warehouse: Warehouse) -> set[tuple[str, str]] | None:
    """Sites and gates at which some system waits; None when no gate row says so, then `worst` alone decides."""
    if not warehouse.holds("mart.gates"):
        return None
    site = {r.text("system_key"): r.text("site_id") for r in warehouse.rows("mart.systems")}
    what = ("system_key", "gate", "title")
    now = (
        *warehouse.groups("mart.gates", what, is_current=True),
        *warehouse.groups("mart.gates", what, state=("in progress", "regressed")),
    )
    return {(site.get(r.text("system_key"), ""), r.text(name)) for r in now for name in ("gate", "title")}


def _blocked_rank(site: tuple[str, str], cells: dict[str, Record]) -> tuple[list[int], int, str]:
    """Worst colours first, then systems waiting: quantities of different units cannot be added to rank a site."""
    worst = [-sum(r.text("worst") == status for r in cells.values()) for status in SEVERITY_ORDER[:2]]
    return worst, -sum(r.count("total") - r.count("passed") for r in cells.values()), site[0]


def _heat_cell(row: Record | None, site: str, waiting: set[tuple[str, str]] | None) -> HeatCell:
    if row is None:
        return HeatCell(0, 0, "", "")
    nobody = waiting is not None and (site, row.text("gate")) not in waiting
    worst = "" if nobody else row.text("worst")
    return HeatCell(row.count("passed"), row.count("total"), worst, row.text("blocked_capacity"))


def _heat_title(rows: tuple[HeatRow, ...], gates: tuple[str, ...]) -> str:
    reds = {gate: sum(row.cells[i].worst == "red" for row in rows) for i, gate in enumerate(gates)}
    most = max(gates, key=lambda gate: reds[gate])
    if not reds[most]:
        return f"No site has a red system waiting at a gate; {plural(len(rows), 'site')}"
    where = f"at {reds[most]} of {plural(len(rows), 'site')}"
    return f"Send people to gate “{most}”: red {where}"
