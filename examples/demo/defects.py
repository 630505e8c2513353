"""What goes wrong with single rows and files on the way to the inbox.

Belongs here: refused rows, refused files, odd arrivals. Does not: rows that are fine by themselves and contradict each
other (``contradictions``).
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from random import Random

from examples.demo.bringup_files import nccl_run
from examples.demo.contradictions import contradict
from examples.demo.fleet import fleet
from examples.demo.nccl_log import all_reduce
from examples.demo.neglect import neglect
from examples.demo.planter import Place, Planter
from examples.demo.sheet import Cell, Dialect, Drop
from examples.demo.stock_files import count_differs
from examples.demo.truth import Truth
from examples.demo.weeks import FRI, THU, TUE, WED, at, day, label, utc


def plant(drops: list[Drop], truth: Truth, seed: int) -> list[Drop]:
    """Spoil the story's files and record every defect; returns the files as they reach the inbox."""
    planter = Planter(drops, truth)
    for spoil in (_dates, _words, _numbers, _identifiers, _repeats, _widths, _refused_file):
        spoil(planter)
    _logs(planter, seed)
    contradict(planter)
    neglect(planter)
    count_differs(planter)
    _arrivals(planter)
    truth.defects.sort(key=lambda item: item.defect)
    return sorted(planter.drops, key=lambda drop: (drop.received, drop.name))


def _dates(p: Planter) -> None:
    place = p.cell(p.place("RAID log 2026-W35.xlsx", ID="R-011"), "Due", "31 Nov 2026")
    p.refused("D01", "type", place, 35, 36, "Due", "a day that no calendar has")
    name = f"punch_list_{day(39, FRI):%Y%m%d}.csv"
    place = p.cell(p.place(name, No="P-0103"), "Due", "03/10/2026")
    p.refused("D02", "ambiguous_date", place, 39, 41, "Due", "3 October or 10 March: the source declares no order")
    name = f"bgp_sessions_{day(43, FRI):%Y%m%d}.csv"
    moment = utc(at(43, WED, "08:00"))
    place = p.cell(
        p.place(name, device="hil-bb-002", peer="abl-bb-002", observed_at=moment), "observed_at", "2026-10-21 08:00"
    )
    p.refused("D03", "time_zone", place, 43, None, "observed_at", "a moment without a zone")


def _words(p: Planter) -> None:
    name = f"kestrel_freight_{day(36, THU):%Y%m%d}.csv"
    place = p.cell(p.place(name, Customer_PO="4500019312"), "Status", "Released to carrier")
    p.refused("D04", "enum", place, 36, 37, "Status", "a new status word of the forwarder, not mapped")
    place = p.cell(p.place("BOM release rev A.xlsx", System="HIL-GPU-1", Line="0070"), "Part number", None)
    p.refused(
        "D05", "required", place, 33, 35, "Part number", "part number left empty in revision A, filled in revision B"
    )
    name = f"slurm_nodes_{at(36, WED, '08:30'):%Y%m%dT%H%M}.json"
    place = p.cell(p.place(name, hostname="hil-g1-020"), "schedulable", "unknown")
    p.refused("D06", "type", place, 36, None, "schedulable", "neither true nor false while the node was re-imaged")


def _numbers(p: Planter) -> None:
    name = "Dock log 2026-W37.xlsx"
    credit: list[Cell] = [
        "GRN-C00017",
        1,
        "4500019205",
        "30",
        None,
        "MFP7E10-N030",
        "ABL",
        "site",
        -4,
        0,
        0,
        None,
        day(37, WED),
    ]
    p.refused("D07", "range", p.append(name, credit), 37, 38, "Qty good", "a credit note booked as a negative receipt")
    name = f"ME2N_schedule_{day(35, TUE):%Y%m%d}.csv"
    place = p.cell(p.place(name, PO="4500019312", Item="10"), "Sched. qty", "2 CTN")
    p.refused("D08", "unknown_unit", place, 35, 37, "Sched. qty", "cartons, and nobody says how many pieces they hold")
    place = p.cell(p.place("PO allocations 2026-W37.xlsx", PO="4500018811", Line="30"), "Block", "#REF!")
    p.refused("D09", "spreadsheet_error", place, 37, 41, "Block", "a broken reference in the workbook")


def _identifiers(p: Planter) -> None:
    name = f"host_register_{day(37, WED):%Y%m%d}.csv"
    place = p.cell(p.place(name, node="abl-g2-001"), "serial", "1.66033E+12")
    p.refused(
        "D10", "identifier", place, 37, 38, "serial", "the register was opened and saved in a spreadsheet program"
    )


def _repeats(p: Planter) -> None:
    name = "Dock log 2026-W36.xlsx"
    place = p.place(name, PO="4500019310", PO_line="30")
    again = p.append(name, list(place.drop.table.rows[place.index]))
    p.refused("D11", "duplicate_row", again, 36, 37, "receipt, line", "the same goods receipt pasted twice")
    name = f"ME2N_schedule_{day(37, TUE):%Y%m%d}.csv"
    place = p.place(name, PO="4500019205", Item="20", Sched_line="0001")
    other = list(place.drop.table.rows[place.index])
    other[4] = day(40, FRI)
    for row in (place, p.append(name, other)):
        p.refused("D12", "key_conflict", row, 37, 39, "po, line, schedule", "two promised dates for one schedule line")


def _widths(p: Planter) -> None:
    drop = p.file(f"Lieferliste_{day(36):%d%m%Y}.csv")
    place = Place(drop, drop.table.find(Artikel="MCP1600-C003E30L"))
    row = drop.table.rows[place.index]
    row.insert(6, "LSZH")
    p.refused("D13", "width", place, 36, 38, "", "a semicolon inside the description, not quoted")


def _refused_file(p: Planter) -> None:
    good = p.file(f"ABL install tracker {label(38)}.xlsx")
    spoilt = replace(good, body=deepcopy(good.body))
    table = spoilt.table
    table.columns.append("Dock door")
    for number, row in enumerate(table.rows):
        row.append(f"D{number % 4 + 1}")
    p.drops[p.drops.index(good)] = spoilt
    note = "a column nobody announced; the whole file was refused and sent again without it"
    where = {"column": "Dock door", "value": "Dock door"}
    p.file_fault("D14", "unknown_column", spoilt, 38, None, note, row=table.line(-1), **where)
    p.refused_line("D14", "unknown_column", spoilt, table.line(-1), 38, None, note, **where)
    p.send(replace(good, received=at(38, FRI, "10:05"), name=f"ABL install tracker {label(38)} v2.xlsx"))


def _logs(p: Planter, seed: int) -> None:
    random = Random(seed + 2)
    units = {unit.host: unit for unit in fleet(seed)}
    first = tuple(units[f"abl-g2-{number:03d}"] for number in range(1, 5))
    text = all_reduce(nccl_run(first, random, complete=False), random)
    name = f"nccl_allreduce_abl-g2-001_4n_{day(41, THU):%Y%m%d}T1340.log"
    drop = p.send(Drop(at(41, THU, "17:05"), name, "nccl-logs", text, Dialect("text")))
    p.file_fault("D15", "incomplete", drop, 41, None, "the job was killed inside the table; tested again a week later")
    p.refused_line("D15", "nccl_row", drop, text.count("\n") + 1, 41, None, "the line at which the killed job stopped")
    second = tuple(units[f"hil-g1-{number:03d}"] for number in range(33, 37))
    text = all_reduce(nccl_run(second, random, wrong=4096), random)
    name = f"nccl_allreduce_hil-g1-033_4n_{day(40, THU):%Y%m%d}T1340.log"
    drop = p.send(Drop(at(40, THU, "17:05"), name, "nccl-logs", text, Dialect("text")))
    p.file_fault("D16", "wrong_results", drop, 40, None, "4,096 wrong values at the largest size; clean a week later")
    # A run is known by its file's name and the start of its content's hash, so that equal names stay apart.
    run = f"{drop.name.removesuffix('.log')}-{sha256(text.encode()).hexdigest()[:8]}"
    p.contradiction("F14", "wrong_values", "benchmarks", 40, 41, "the newest run is wrong until it is repeated",
                    subject=run, system_id="HIL-GPU-1")  # fmt: skip


def _arrivals(p: Planter) -> None:
    late = p.move(f"RAID log {label(40)}.xlsx", at(40, FRI, "18:40"))
    p.arrival("late", late, 41, "40 minutes after the cut-off: week 40 stands on the log of week 39")
    late = p.move(f"Dock log {label(42)}.xlsx", at(42, FRI, "19:10"))
    p.arrival("late", late, 43, "sent from the dock after the cut-off")
    again = p.send(replace(p.file(f"kestrel_freight_{day(39, THU):%Y%m%d}.csv"), received=at(39, FRI, "08:00")))
    p.arrival("resend", again, 39, "the same bytes again, a day later")
    p.arrival(
        "return", p.file("block_plan.csv"), 36, "the first plan again after a proposal: A, B, A leaves A in force"
    )
