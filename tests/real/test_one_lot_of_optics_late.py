"""OPG-128 as a programme (golden set G1): everything is on site but one lot of 40 optics.

The cable plan has 160 cages in 16 servers (10 each) and 328 in 6 switches: 256 for the 128 cables between switches, and
72 towards servers. 488 optics are bought in eleven lots of 40 and one of 48; the eighth is late, so 448 are there. The
fabric takes 256 and 192 are left. Four servers need 40 cages of their own and 18 in switches, where two ports share a
cage and four a cage of the front end: three times 58 make 174, so twelve servers are whole and 18 are left. The 13th
takes 10 + 6 and is whole; 2 are left. Servers 14, 15 and 16 wait with 24 accelerators: 30 cages of their own are empty,
and 10 of the 12 in the two rail leaves. Which of the lots is late changes nothing.
"""

import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from turnup.programme import Home
from turnup.refresh import refresh
from turnup.warehouse.connection import connect

CONFIGURATION = """name: OPG-128
time_zone: America/Chicago
first_week: 2026-W24
sources:
  sites: {dataset: sites, files: "sites.csv", owner: A}
  systems: {dataset: systems, files: "systems.csv", owner: A}
  blocks: {dataset: blocks, files: "blocks.csv", owner: A}
  commitments: {dataset: commitments, files: "commitments.csv", owner: A}
  orders: {dataset: purchase_orders, files: "orders.csv", owner: B}
  promises: {dataset: po_schedule, files: "promises.csv", owner: B}
  shares: {dataset: po_allocations, files: "shares.csv", owner: B}
  dock: {dataset: receipts, files: "dock.csv", owner: C}
  bill:
    dataset: bom
    files: "ocp_opg128*_bom.csv"
    owner: D
    columns: {hedgehog_class: capacity_per_unit}
    values: {capacity_per_unit: {compute: "8", be-rail-leaf: "0", be-spine: "0", fe-leaf: "0", fe-spine: "0"}}
    defaults: {system_id: OPG-128}
  cables: {dataset: links, files: "ocp_opg128*_connectivity.csv", owner: D, defaults: {system_id: OPG-128}}
  netbox: {dataset: installs, files: "ocp_opg128*_netbox.json", owner: E, defaults: {system_id: OPG-128}}
"""
FILES = (
    "bom/ocp_opg128_clos_ro_bom.csv",
    "cabling/ocp_opg128_clos_ro_connectivity.csv",
    "dcim/ocp_opg128_clos_ro_netbox.json",
)
SITE, OPTIC = "opg128-clos-ro", "QSFP112-200GBASE-SR2"
OTHERS = {"OPG-128 Compute Server FE-BE": 16, "celestica-ds5000": 6, "BlueField-3 2x200G": 16,
          "ConnectX-7 Single-Port 400G": 128}  # fmt: skip
LOTS = [40] * 11 + [48]
LATE = 8
COMES = date(2026, 6, 26)


def orders() -> dict[str, str]:
    """Return the files of procurement and of the dock: all received on 1 June but the late lot."""
    made = {
        "orders.csv": "po,line,part_number,quantity,vendor,ordered,status,unit_cost,currency\n",
        "promises.csv": "po,line,schedule,quantity,promised\n",
        "shares.csv": "po,line,system_id,quantity\n",
        "dock.csv": "receipt,line,po,po_line,part_number,site_id,place,qty_good,received\n",
    }
    for number, (part, lots) in enumerate([*((part, [n]) for part, n in OTHERS.items()), (OPTIC, LOTS)], start=1):
        made["orders.csv"] += f"PO-1,{number},{part},{sum(lots)},Vendor,2026-03-02,open,250.00,USD\n"
        made["shares.csv"] += f"PO-1,{number},OPG-128,{sum(lots)}\n"
        for lot, quantity in enumerate(lots, start=1):
            late = part == OPTIC and lot == LATE
            made["promises.csv"] += f"PO-1,{number},{lot},{quantity},{COMES if late else '2026-06-01'}\n"
            if not late:
                made["dock.csv"] += f"GR-{number}-{lot},1,PO-1,{number},{part},{SITE},site,{quantity},2026-06-01\n"
    return made


@pytest.fixture(scope="module")
def ask(cases, tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("opg"))
    day = home.inbox / "2026-06-08"
    day.mkdir(parents=True)
    home.configuration.write_text(CONFIGURATION, encoding="utf-8")
    shutil.copytree(Path(__file__).parents[2] / "playbooks", home.playbooks)
    written = {
        "sites.csv": f"site_id,name,facility\n{SITE},Hall,first_party\n",
        "systems.csv": "system_id,name,kind,site_id,supply_model,owner\n"
                       f"OPG-128,Training,gpu_cluster,{SITE},owned,Ana Ruiz\n",
        "blocks.csv": "system_id,block,units,need_date\nOPG-128,SU1,128,2026-06-19\n",
        "commitments.csv": "contract,line,phase,amendment,system_id,quantity,unit,contract_date\n"
                           "C-1,1,1,0,OPG-128,128,accelerators,2026-09-30\n",
    } | orders()  # fmt: skip
    for name, text in written.items():
        (day / name).write_text(text, encoding="utf-8")
    for file in FILES:
        shutil.copy(cases / "supply" / file, day)
    database = refresh(home, "2026-W24", datetime(2026, 6, 14, tzinfo=UTC)).database

    def query(sql):
        with connect(database, read_only=True) as con:
            return con.sql(sql).fetchall()

    return query


def test_the_plan_is_the_one_of_the_note(ask):
    cages = "SELECT count(*) FILTER (side = 'server'), count(*) FILTER (side = 'switch'), count(*) FILTER (turn = 0)"
    assert ask(f"{cages} FROM core.kit_cages") == [(160, 328, 256)]
    assert ask("SELECT DISTINCT state FROM mart.supply WHERE part_number <> 'QSFP112-200GBASE-SR2'") == [("YES",)]


def test_how_many_accelerators_are_held_until_when(ask):
    found = ask("SELECT state, buildable, held_by_optics, held_until, kit_complete FROM mart.clear_to_build")
    assert found == [("NO", 104, 24, COMES, COMES)]
    assert ask("SELECT from_week, buildable FROM mart.buildable_weeks ORDER BY day") == [
        ("2026-W24", 104), ("2026-W26", 128),
    ]  # fmt: skip


def test_which_servers_and_switches(ask):
    held = "SELECT device, missing, capacity, held_until FROM mart.held_devices WHERE side ="
    assert ask(f"{held} 'server' ORDER BY 1") == [(f"compute-{number:03d}", 10, 8, COMES) for number in (14, 15, 16)]
    switches = [("be-rail-leaf-01", 4, 0, COMES), ("be-rail-leaf-02", 6, 0, COMES)]
    assert ask(f"{held} 'switch' ORDER BY 1") == switches
    ((text,),) = ask("SELECT held_devices FROM mart.clear_to_build")
    assert text == (
        "servers compute-014, compute-015, compute-016; switches be-rail-leaf-01 (4 optics), be-rail-leaf-02 (6 optics)"
    )


def test_what_is_missing_and_what_it_is_worth(ask):
    found = ask("""SELECT part_number, sum(short), sum(value), any_value(currency), min(next_arrival), max(covered_on),
        max(days_after_need), min(next_supply) FROM mart.shortages GROUP BY 1""")  # fmt: skip
    assert found == [(OPTIC, 40, 10000, "USD", COMES, COMES, 7, "PO PO-1 line 5 schedule 8")]
