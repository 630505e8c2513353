"""Section 7a on cables: the plan against what was seen, each check on the links, and the jobs for technicians.

Belongs here: tables of layer 1. Does not: how a cable is judged (SQL models).
"""

from reports.build.caps import most
from reports.build.cells import figure, system, table, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell
from reports.wording import DASH, plural

_CLASSES = ("planned", "ok", "wrong_port", "wrong_device", "missing", "unplanned", "no_data", "swaps")
_STEPS = 60
_BOUND = (
    "Cables where the plan has them. The bound of the error ratio holds with 95 % confidence; without bits counted a "
    "zero is no data. Light is judged in the window of its optic, where that was told."
)
_WALK = "As one walks: site, hall, row, rack, height. The whole list: turnup rework."


def cabling_blocks(week: Week) -> list[Block]:
    """The tables; none where no cable is planned or seen."""
    rows = sorted(week.rows("mart.link_health"), key=lambda r: r.text("system_id"))
    return [*_classes(rows), *_checks(rows), *_rework(week)]


def _classes(rows: list[Record]) -> list[Block]:
    if not rows:
        return []
    heads = ("System", ">Planned", ">As planned", ">Wrong port", ">Wrong device", ">Missing", ">Unplanned", ">No data",
             ">Swaps", ">Optics, one a cage")  # fmt: skip
    cells = (
        (
            system(r.text("system_id")),
            *(figure(r.whole(name)) for name in _CLASSES),
            figure(r.whole("cages")),
        )
        for r in rows
    )
    return [table("S7a-cables", "Cables against the plan", heads, cells, cap=60, of=len(rows))]


def _checks(rows: list[Record]) -> list[Block]:
    seen = [r for r in rows if r.count("ok")]
    if not seen:
        return []
    heads = ("System", ">Cables", ">Down", ">Slow", ">Narrow", "Light: out / no data", "Errors: over / shown / no data",
             ">Worst bound", "Flapping / no data")  # fmt: skip
    cells = (
        (
            system(r.text("system_id")),
            *(figure(r.whole(name)) for name in ("ok", "down", "slow", "narrow")),
            words(_slashed(r, "rx_faults", "rx_no_data")),
            words(_slashed(r, "ber_faults", "ber_shown", "ber_no_data")),
            Cell(f"{float(r.text('worst_ber_bound')):.1e}" if r.has("worst_ber_bound") else DASH),
            words(_slashed(r, "flapping", "flaps_no_data")),
        )
        for r in seen
    )
    return [
        table(
            "S7a-links", "State, rate, light and errors of the links", heads, cells, cap=60, of=len(seen), note=_BOUND
        )
    ]


def _slashed(row: Record, *names: str) -> str:
    return " / ".join(f"{row.count(name):,}" for name in names)


def _rework(week: Week) -> list[Block]:
    rows = week.warehouse.first("mart.link_rework", most(_STEPS), ("step",))
    if not rows:
        return []
    racks = week.warehouse.groups("mart.link_rework", ("site_id", "rack"))
    steps = sum(r.count("rows") for r in racks)
    heads = (">Step", "Site", "Rack", "Height", "Device and port", "Fault", "What to do", "Other end", "System")
    cells = (
        (
            figure(r.whole("step")),
            words(r.text("site_id")),
            words(r.text("rack")),
            words(r.text("position")),
            words(f"{r.text('device')}:{r.text('port')}"),
            words(r.text("fault")),
            words(r.text("task")),
            words(
                f"{r.text('far_device')}:{r.text('far_port')}", note=r.text("far_rack") and f"rack {r.text('far_rack')}"
            ),
            system(r.text("system_id")),
        )
        for r in rows
    )
    title = f"{plural(steps, 'cable job')} in {plural(len(racks), 'rack')}"
    return [table("S7a-rework", title, heads, cells, cap=_STEPS, of=steps, note=_WALK)]
