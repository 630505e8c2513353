"""Rows that are fine by themselves and contradict each other, or a promise, or the catalogue.

Belongs here: planted findings across files. Does not: rows a reader refuses (``defects``).
"""

from __future__ import annotations

from datetime import date

from examples.demo.link_faults import silence_scheduler, spoil_links
from examples.demo.network_files import MEASURED
from examples.demo.planter import Planter
from examples.demo.schedule_files import SYSTEM, task_number
from examples.demo.weeks import FRI, THU, TUE, WED, at, day, label


def contradict(p: Planter) -> None:
    """Plant every contradiction and record it."""
    for spoil in (
        _claims,
        _connected,
        _receipts,
        _serials,
        _names,
        _references,
        _stages,
        _silence,
        _late,
        _schedule,
        _moving,
        _arrived,
        _places,
        _diversity,
        _halls,
        _orders,
        spoil_links,
        silence_scheduler,
    ):
        spoil(p)


def _claims(p: Planter) -> None:
    p.contradiction("F01", "watermelon", "systems", 40, None, "told as green while nothing is powered",
                    subject="DUB-STO-1", system_id="DUB-STO-1")  # fmt: skip
    p.contradiction("F02", "placeholder_part", "bom", 35, None, "an optic not yet chosen cannot be ordered",
                    subject="OPTIC-TBD-400G-LR4", system_id="HIL-BBN-1")  # fmt: skip
    p.contradiction("F81", "waiver_not_entitled", "raid", 43, None, "the owner of a waiver approved it himself",
                    subject="W-054", system_id="DUB-STO-1")  # fmt: skip
    p.contradiction("F15", "bom_revised", "bom", 35, 36, "revision B adds the optic",
                    subject="HIL-BBN-1", system_id="HIL-BBN-1")  # fmt: skip
    p.contradiction("F15", "bom_revised", "bom", 35, 36, "revision B has the cable manager that A gave no number",
                    subject="HIL-GPU-1", system_id="HIL-GPU-1")  # fmt: skip


def _connected(p: Planter) -> None:
    table = p.file("cable_plan_r08.csv").table
    for row in table.rows:
        if row[0] == "abl-g2-049":
            row[table.index("State")] = "connected"
    p.contradiction("F03", "planned_but_connected", "links", 40, None,
                    "eight fibres marked connected, the node is planned",
                    subject="abl-g2-049", system_id="ABL-GPU-2")  # fmt: skip


def _receipts(p: Planter) -> None:
    for week in range(41, 45):
        name = f"Dock log {label(week)}.xlsx"
        place = p.place(name, PO="4500019204", PO_line="10", Received=day(41, TUE))
        serials = str(place.drop.table.rows[place.index][11]).split()
        p.cell(place, "Serials", " ".join(serials[:3] + serials[4:]))
        p.cell(place, "Qty good", 15)
    p.contradiction("F04", "installed_without_receipt", "installs", 43, None,
                    "one serial was never booked in at the dock",
                    subject="ABL-G2-0036", system_id="ABL-GPU-2")  # fmt: skip
    for week in range(37, 45):
        place = p.place(f"Dock log {label(week)}.xlsx", PO="4500019205", PO_line="30", Received=day(37, TUE))
        p.cell(place, "Qty good", 272)
    p.contradiction("F05", "over_receipt", "receipts", 37, None, "528 fibres received on a line of 512",
                    subject="4500019205/30", system_id="ABL-GPU-2")  # fmt: skip


def _serials(p: Planter) -> None:
    name = f"remote_hands_{day(41, THU):%Y%m%d}.csv"
    twin = p.place("ABL install tracker 2026-W41.xlsx", Host="abl-s1-leaf01")
    serial = twin.drop.table.rows[twin.index][4]
    p.cell(p.place(name, Hostname="dub-s1-leaf01"), "S/N", serial)
    p.contradiction("F06", "serial_conflict", "installs", 41, 43, "one serial at Abilene and at Dublin",
                    subject=str(serial), system_id="DUB-STO-1")  # fmt: skip


def _names(p: Planter) -> None:
    for week, weekday, clock in [(week, *drop) for week in (42, 43, 44) for drop in ((WED, "08:30"), (FRI, "15:00"))]:
        moment = at(week, weekday, clock)
        table = p.file(f"slurm_nodes_{moment:%Y%m%dT%H%M}.json").table
        row = list(table.rows[table.find(hostname="hil-g1-048")])
        row[1], row[6] = "hil-g1-049", "imaged from the wrong list"
        table.rows.append(row)
    p.contradiction("F07", "node_without_asset", "scheduler_nodes", 42, None,
                    "the scheduler knows a node that no tracker has",
                    subject="hil-g1-049", system_id="HIL-GPU-1")  # fmt: skip


def _references(p: Planter) -> None:
    place = p.place("PO allocations 2026-W37.xlsx", PO="4500019204", Line="30")
    p.cell(place, "System", "ABL-GPU2")
    p.contradiction("F08", "unknown_reference", "po_allocations", 37, 41, "a system name without its second hyphen",
                    subject="ABL-GPU2", file=place.drop.path, row=place.row)  # fmt: skip
    p.expectation(
        "F08", "reference", "po_allocations", "system_id", 37, 41, "the same name, seen by the contract's check"
    )


def _stages(p: Planter) -> None:
    name = f"links_seen_{day(41, THU):%Y%m%d}.csv"
    place = p.place(name, device="hil-g1-027", port="mlx5_3")
    p.cell(place, "state", "LinkDown")
    for column in ("rate_gbps", *MEASURED):
        p.cell(place, column, None)
    p.contradiction("F09", "stage_skipped", "links", 41, 42, "in production with one of eight rails down",
                    subject="hil-g1-027", system_id="HIL-GPU-1")  # fmt: skip
    # No finding: waiver W-053 covers this rail, so the node goes on counting, on the waiver.
    for week in range(42, 45):
        p.cell(p.place(f"links_seen_{day(week, THU):%Y%m%d}.csv", device="hil-g1-030", port="mlx5_5"), "rate_gbps", 200)


def _silence(p: Planter) -> None:
    p.withhold(f"links_seen_{day(39, THU):%Y%m%d}.csv")
    p.contradiction("F10", "stale_source", "links", 39, 40, "no link scan was sent that week", subject="links-seen")
    p.expectation("F10", "fresh", "links", "", 39, 40, "the same silence, seen by the contract's check")


def _schedule(p: Planter) -> None:
    rails = task_number("SU2", "l1")
    for week in (40, 42, 43, 44):
        place = p.place(f"{SYSTEM} schedule {label(week)}.csv", ID=task_number("SU4", "install"))
        p.cell(place, "Predecessors", f"{place.drop.table.rows[place.index][7]};97")
        p.file_fault("F17", "missing_predecessor", place.drop, week, None,
                     "a task after one that the planner deleted", row=place.row)  # fmt: skip
        p.cell(p.place(place.drop.name, ID=task_number("SU3", "l1")), "Predecessors",
               f"{task_number('SU3', 'power_bringup')}FS+60 days")  # fmt: skip
    place = p.place(f"{SYSTEM} schedule {label(44)}.csv", ID=rails)
    p.cell(place, "% Complete", 100)
    p.cell(place, "Actual Finish", day(44, TUE))
    p.contradiction("F16", "watermelon", "activities", 44, None, "told as done; half of the rails are not up",
                    subject=str(rails), system_id=SYSTEM)  # fmt: skip


def _late(p: Planter) -> None:
    for number, (po, line, week, weekday, system) in enumerate(
        (("4500019204", "10", 36, TUE, "ABL-GPU-2"), ("4500019420", "10", 39, TUE, "DUB-POP-1"),
         ("4500019205", "10", 43, TUE, "ABL-GPU-2")), start=11,
    ):  # fmt: skip
        table = p.file(f"kestrel_freight_{day(44, THU):%Y%m%d}.csv").table
        index = table.find(Customer_PO=po, PO_Ln=line, Delivered=day(week, weekday))
        p.contradiction(f"F{number}", "late_delivery", "shipments", week, None, "delivered after the promised day",
                        subject=str(table.rows[index][0]), system_id=system)  # fmt: skip


def _shipment(p: Planter, po: str, line: str, delivered: date) -> str:
    """Number of the shipment that brought an order line on a day."""
    table = p.file(f"kestrel_freight_{day(44, THU):%Y%m%d}.csv").table
    return str(table.rows[table.find(Customer_PO=po, PO_Ln=line, Delivered=delivered)][0])


def _moving(p: Planter) -> None:
    for po, line, week, first in (("4500019204", "10", 36, 35), ("4500019205", "10", 43, 41)):
        p.contradiction("F18", "eta_passed", "shipments", first, week, "on its way on the day it was expected",
                        subject=_shipment(p, po, line, day(week, TUE)), system_id="ABL-GPU-2")  # fmt: skip
    for line in ("10", "20"):
        p.contradiction("F19", "customs_hold", "shipments", 37, 39, "the routers' customs class was disputed (R-015)",
                        subject=_shipment(p, "4500019420", line, day(39, TUE)), system_id="DUB-POP-1")  # fmt: skip
    for po, line, week in (("4500019204", "10", 35), ("4500019205", "10", 37), ("4500019205", "20", 37)):
        p.contradiction("F20", "promise_pushed", "po_schedule", week, None,
                        "the rest of the order stays five weeks away, whatever the week",
                        subject=f"{po}/{line}", system_id="ABL-GPU-2")  # fmt: skip


def _arrived(p: Planter) -> None:
    p.contradiction("F21", "asn_damaged", "receipts", 38, None, "four optics rejected at the dock, not replaced",
                    subject=_shipment(p, "4500019205", "10", day(38, TUE)), system_id="ABL-GPU-2")  # fmt: skip
    # From week 43 on the piece stands in its rack and F04 tells of it.
    p.contradiction("F22", "asn_short", "receipts", 41, 43, "the serial of F04, missed at the dock",
                    subject=_shipment(p, "4500019204", "10", day(41, TUE)), system_id="ABL-GPU-2")  # fmt: skip


def _places(p: Planter) -> None:
    for week in range(40, 45):
        place = p.place(f"hil_dcim_devices_{day(week, THU):%Y%m%d}.json", asset_tag="HIL-C1-0017")
        p.cell(place, "position", "U39")
    p.contradiction("F23", "position_differs", "installs", 40, None, "racked four units above its place",
                    subject="hil-c1-017", system_id="HIL-CPU-1")  # fmt: skip


def _diversity(p: Planter) -> None:
    # The inventory itself shows it: the two ports are told as primary and secondary, with one span between the sites.
    p.contradiction("F30", "diverse_circuits_share_span", "circuits", 33, None, "primary and secondary in one conduit",
                    subject="IAD-EUS2", system_id="IAD-AZX-1")  # fmt: skip


def _halls(p: Planter) -> None:
    # The block plan and the hall report show it: racks roll in on 27 November, Hall C has power on 11 December.
    for resource in ("power", "cooling", "racks"):
        p.contradiction("F39", "hall_runs_out", "facility_capacity", 33, None,
                        f"SU4 rolls in two weeks before Hall C has {resource}",
                        subject="ABL Hall C", system_id="ABL-GPU-2")  # fmt: skip


def _orders(p: Planter) -> None:
    p.contradiction("F31", "loa_expiring", "cross_connects", 42, 43, "the promise moved beyond the letter",
                    subject="XC-IAD-2141", system_id="WAN-ABL-IAD")  # fmt: skip
    p.contradiction("F31", "loa_expired", "cross_connects", 43, None, "not installed when its letter expired",
                    subject="XC-IAD-2141", system_id="WAN-ABL-IAD")  # fmt: skip
    p.contradiction("F32", "circuit_test_short", "circuit_tests", 43, 44, "short from Z to A by RFC 2544 and iperf3",
                    subject="BRL-W-20533", system_id="WAN-ABL-IAD")  # fmt: skip
    p.contradiction("F33", "facility_misplaced", "facilities", 33, None, "its coordinates were never captured",
                    subject="DUB")  # fmt: skip
    p.file_fault("F33", "wrong_place", p.file("peeringdb_fac.json"), 33, None, "the same, seen in the file itself")
