"""Cables that carry badly, and what the scheduler does not say or offer.

Belongs here: planted faults of links and of scheduler snapshots. Does not: other contradictions (``contradictions``).
"""

from __future__ import annotations

from examples.demo.planter import Planter
from examples.demo.sheet import Cell
from examples.demo.weeks import FRI, THU, WED, at, day

_SU2 = "ABL-GPU-2"


def spoil_links(p: Planter) -> None:
    """Plant four kinds of faults on rails of SU2, which are up and not accepted yet, in the last scan."""
    _exchanged(p)
    told: tuple[tuple[str, str, str, str, dict[str, Cell], str], ...] = (
        ("F41", "link_light", "abl-g2-021", "mlx5_6", {"rx_dbm": "-8.4"}, "an end face was not cleaned"),
        ("F42", "link_errors", "abl-g2-022", "mlx5_1", {"post_fec_ber": "3e-10"}, "errors are left after correction"),
        ("F43", "link_flapping", "abl-g2-023", "mlx5_0", {"flaps_24h": 7}, "a plug that is not latched"),
    )
    for defect, code, device, port, cells, note in told:
        place = p.place(_scan(44), device=device, port=port)
        for column, value in cells.items():
            p.cell(place, column, value)
        p.contradiction(defect, code, "links", 44, None, note, subject=f"{device}:{port}", system_id=_SU2)


def _exchanged(p: Planter) -> None:
    """Two cables on one leaf, exchanged when a tray was seated again."""
    ends = [p.place(_scan(44), device=device, port="mlx5_3") for device in ("abl-g2-018", "abl-g2-019")]
    ports = [place.drop.table.rows[place.index][place.drop.table.index("peer_port")] for place in ends]
    for place, port, device in zip(ends, reversed(ports), ("abl-g2-018", "abl-g2-019"), strict=True):
        p.cell(place, "peer_port", port)
        p.contradiction("F40", "link_wrong_port", "links", 44, None, "two cables of one leaf were exchanged",
                        subject=f"{device}:mlx5_3", system_id=_SU2)  # fmt: skip


def _scan(week: int) -> str:
    return f"links_seen_{day(week, THU):%Y%m%d}.csv"


def silence_scheduler(p: Planter) -> None:
    """Plant a cluster that is missing from the snapshots of a week, and a node that offers seven of eight GPUs."""
    for weekday, clock in ((WED, "08:30"), (FRI, "15:00")):
        table = p.file(_snapshot(43, weekday, clock)).table
        table.rows[:] = [row for row in table.rows if row[table.index("cluster")] != "abl-slurm-2"]
        place = p.place(_snapshot(44, weekday, clock), hostname=SHORT)
        p.cell(place, "capacity", 7)
    p.contradiction("F44", "scheduler_silent", "scheduler_nodes", 43, 44,
                    "the new cluster was left out of the export: its last snapshot is a week old",
                    subject="abl-slurm-2", system_id=_SU2)  # fmt: skip
    p.contradiction("F45", "accelerators_short", "scheduler_nodes", 44, None, "one of eight GPUs fell off the bus",
                    subject=SHORT, system_id="HIL-GPU-1")  # fmt: skip


SHORT = "hil-g1-020"
"""A node in production that offers seven GPUs in the last week."""


def _snapshot(week: int, weekday: int, clock: str) -> str:
    return f"slurm_nodes_{at(week, weekday, clock):%Y%m%dT%H%M}.json"
