"""Real files that nobody here wrote, from the inbox to both reports, with the right answers that came with them."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reports.render import render
from turnup.programme import Home
from turnup.refresh import refresh
from turnup.warehouse.connection import connect

WEEK = "2026-W24"
NOW = datetime(2026, 6, 14, tzinfo=UTC)
HAND_WRITTEN = {
    "sites.csv": "site_id,name,facility\nopg128-clos-ro,OPG-128 training hall,first_party\n",
    "systems.csv": "system_id,name,kind,site_id,supply_model,owner,claimed_status\n"
    "OPG-128,OPG-128 training cluster,gpu_cluster,opg128-clos-ro,owned,Ana Ruiz,green\n",
    "blocks.csv": "system_id,block,units\nOPG-128,SU1,128\n",
    "commitments.csv": "contract,line,phase,amendment,system_id,quantity,unit,contract_date\n"
    "C-1,1,1,0,OPG-128,128,accelerators,2026-09-30\n",
}
FILES = (
    "supply/bom/ocp_opg128_clos_ro_bom.csv",
    "supply/cabling/ocp_opg128_clos_ro_connectivity.csv",
    "supply/dcim/ocp_opg128_clos_ro_netbox.json",
    "supply/logistics/SCMS_Delivery_History_Dataset.csv",
)


@pytest.fixture(scope="module")
def home(cases, tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("real"))
    day = home.inbox / "2026-06-08"
    (day / "nccl").mkdir(parents=True)
    shutil.copy(Path(__file__).parent / "programme.yaml", home.configuration)
    shutil.copytree(Path(__file__).parents[2] / "playbooks", home.playbooks)
    for name, text in HAND_WRITTEN.items():
        (day / name).write_text(text, encoding="utf-8")
    for file in FILES:
        shutil.copy(cases / file, day)
    for file in sorted((cases / "acceptance" / "nccl").iterdir()):
        shutil.copy(file, day / "nccl")
    result = refresh(home, WEEK, NOW)
    with connect(result.database, read_only=True) as con:
        render(con, home.out / WEEK)
    return home


@pytest.fixture
def ask(home):
    def query(sql):
        with connect(home.warehouse.resolve(), read_only=True) as con:
            return con.sql(sql).fetchall()

    return query


def test_devices_and_modules(ask):
    assert ask(
        "SELECT count(*) FILTER (parent_asset IS NULL AND name LIKE 'compute-%'), "
        "count(*) FILTER (parent_asset IS NULL AND name NOT LIKE 'compute-%'), "
        "count(*) FILTER (parent_asset IS NOT NULL) FROM stg.installs"
    ) == [(16, 6, 632)]
    assert ask("SELECT sum(quantity)::INT, count(*) FROM stg.bom") == [(16 + 6 + 632, 9)]
    by_category = "SELECT category, list(quantity::INT ORDER BY quantity) FROM stg.bom GROUP BY 1 ORDER BY 1"
    found = dict(ask(by_category))
    assert found["nic"] == [16, 128]
    assert found["optic"] == [160, 328]
    assert sum(found["server"]) == 16
    assert sum(found["switch"]) == 6


def test_cables(ask):
    assert ask("SELECT count(*) FROM stg.links") == [(288,)]
    assert ask("SELECT count(DISTINCT link_id_key) FROM stg.links") == [(288,)]


def test_contracted_accelerators(ask):
    assert ask("SELECT contracted::INT, schedulable::INT FROM mart.classes WHERE kind = 'gpu_cluster'") == [(128, 0)]
    assert ask("SELECT sum(held)::INT FROM mart.funnel WHERE stage_no > 0") == [(128,)]


def test_devices_planned_but_cables_connected_is_a_finding(ask):
    found = ask("SELECT system_id, message FROM mart.findings WHERE code = 'planned_but_connected'")
    assert len(found) == 16 + 6  # every device
    assert {system for system, _ in found} == {"OPG-128"}
    ends = sum(int(message.split("yet ")[1].split(" of")[0]) for _, message in found)
    assert ends == 2 * 288  # every cable has both its ends on a planned device


def test_every_optic_is_a_placeholder_that_cannot_be_ordered(ask):
    found = ask("SELECT row, message FROM mart.findings WHERE code = 'placeholder_part' ORDER BY row")
    assert [row for row, _ in found] == [9, 10]
    assert [quantity in message for (_, message), quantity in zip(found, ("160", "328"), strict=True)] == [True, True]
    supply = "SELECT bool_or(orderable), sum(needed)::INT FROM mart.supply WHERE category = 'optic'"
    assert ask(supply) == [(False, 160 + 328)]


def test_deliveries(ask):
    assert ask("SELECT count(*), count(*) FILTER (delivered > scheduled) FROM stg.shipments") == [(10324, 1186)]
    assert ask("SELECT sum(late)::INT FROM mart.vendors") == [(1186,)]
    assert ask("SELECT count(*) FROM mart.shipments_late") == [(1186,)]
    early = "SELECT count(*) FILTER (delivered < scheduled), count(*) FILTER (delivered = scheduled) FROM stg.shipments"
    assert ask(early) == [(2814, 6324)]


@pytest.mark.parametrize(
    ("run", "size", "out_of_place", "in_place", "average"),
    [
        ("superbench_allreduce", 8589934592, 235.26, 235.03, 68.4048),
        ("pkb_allreduce", 1073741824, 0.61, 0.61, 0.565546),
        ("aws_eks_blueprints", 17179869184, 480.87, 482.82, 123.343),
    ],
)
def test_bus_bandwidth_at_the_largest_size(ask, run, size, out_of_place, in_place, average):
    found = ask(
        f"""SELECT placement, value FROM stg.benchmarks WHERE run LIKE '{run}%' AND metric = 'busbw'
        AND size_bytes = {size} ORDER BY placement DESC"""
    )
    assert found == [("out_of_place", out_of_place), ("in_place", in_place)]
    mean = f"SELECT value FROM stg.benchmarks WHERE run LIKE '{run}%' AND statistic = 'mean'"
    assert ask(mean) == [(average,)]


def test_results_that_were_not_verified_are_not_clean(ask):
    found = ask("SELECT DISTINCT left(run, 4), correctness FROM stg.benchmarks ORDER BY 1")
    assert found == [("aws_", "clean"), ("pkb_", "unverified"), ("supe", "unverified")]


def test_every_files_rows_are_accounted_for_and_shown(ask, home):
    ledger = ask("SELECT file, rows_read, accepted, quarantined, balanced FROM meta.ledger")
    assert len(ledger) == len(HAND_WRITTEN) + len(FILES) + 3
    assert all(read == accepted + refused and balanced for _, read, accepted, refused, balanced in ledger)
    report = (home.out / WEEK / "governance.html").read_text(encoding="utf-8")
    for file, read, *_ in ledger:
        assert file.rsplit("/", 1)[-1].replace("'", "&#39;") in report
        assert f"{read:,}" in report


def test_both_reports_stand_and_say_what_is_not_known(home):
    for name in ("governance", "executive"):
        assert (home.out / WEEK / f"{name}.html").stat().st_size > 10_000
        json.loads((home.out / WEEK / f"{name}.json").read_text(encoding="utf-8"))
    executive = (home.out / WEEK / "executive.html").read_text(encoding="utf-8")
    assert "128" in executive
    assert "no data" in executive.lower() or "not rated" in executive.lower()
