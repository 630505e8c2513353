"""A programme of two vendors, made once; each test gets a copy of its own to plant faults in."""

import json
import os
import shutil
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from reports.issue import standing_of
from reports.render import render
from tests.turnup.small_programme import CLOSED, CONFIGURATION, drop, made, receipt
from turnup import refresh as module
from turnup.programme import Home
from turnup.refresh import refresh
from turnup.warehouse.connection import connect
from turnup.warehouse.issued import record_issue

SOURCES = """  orders: {dataset: purchase_orders, files: "orders*.csv", owner: Ana Ruiz}
  promises: {dataset: po_schedule, files: "promises*.csv", owner: Kestrel (B. Lind)}
  shipments: {dataset: shipments, files: "shipments*.csv", owner: Kestrel (B. Lind), expected: monday}
  counts: {dataset: inventory, files: "counts*.csv", owner: Merlin, required: true}
  raid: {dataset: raid, files: "raid*", owner: Ana Ruiz}
  installs: {dataset: installs, files: "installs*.csv", owner: Dock}
"""
ORDERS = """po,line,part_number,quantity,vendor,ordered,status,unit_cost,currency
4500,10,K-NODE,32,Kestrel,2026-06-01,open,31250.55,USD
4600,10,M-OPTIC,64,Merlin,2026-06-01,open,777.77,USD
"""
PROMISES = "po,line,schedule,quantity,promised\n4500,10,1,32,{}\n4600,10,1,64,2026-10-20\n"
SHIPMENTS = """shipment,line,po,po_line,part_number,quantity,vendor,ship_to_site,shipped,eta,status
KS-1,1,4500,10,K-NODE,8,Kestrel,ABQ,2026-09-25,{},in_transit
MS-1,1,4600,10,M-OPTIC,4,Merlin,ABQ,2026-09-26,2026-10-30,in_transit
KS-2,1,4500,10,K-NODE,eight,Kestrel,ABQ,2026-09-25,2026-11-01,in_transit
"""
RAID = """id,type,title,system_id,owner,decider,needed_by,opened,due,closed,impact_days,impact_units,probability
A-1,action,Book the dock,GPU-1,Ana Ruiz,,,2026-09-01,2026-10-10,,,,
D-1,decision,Air or sea,GPU-1,Ana Ruiz,Vera Lang,2026-10-11,2026-09-01,,,4,0,
A-2,action,Send serials,GPU-1,Kestrel,,TBC,2026-09-01,2026-10-20,,,,
A-3,action,Send test reports,GPU-1,Merlin,,,2026-09-01,2026-10-01,,,,
R-1,risk,Optics may slip,GPU-1,Ana Ruiz,,,2026-09-02,2026-W47,,14,64,0.35
A-9,action,Name a forwarder,GPU-1,Ana Ruiz,,,2026-08-01,2026-09-01,2026-08-30,,,
"""
INSTALLS = """asset_id,name,serial,part_number,system_id,block,site_id,status,purpose,racked,cabled,powered,provisioned
N1,n1,S1,K-NODE,GPU-1,SU1,ABQ,active,production,2026-09-01,2026-09-02,2026-09-03,2026-10-07
N2,n2,S2,K-NODE,GPU-1,SU1,ABQ,staged,production,2026-10-06,,,
N3,n3,S3,K-NODE,GPU-1,SU1,ABQ,planned,production,,,,
N4,n4,S4,K-NODE,GPU-1,SU1,ABQ,planned,production,,,,
"""


def build(folder):
    """Make the programme with week 41 and its reports."""
    home = made(folder)
    home.configuration.write_text(CONFIGURATION + SOURCES, encoding="utf-8")
    for path, text in {
        "2026-09-28/orders.csv": ORDERS,
        "2026-09-28/promises.csv": PROMISES.format("2026-10-12"),
        "2026-09-28/shipments.csv": SHIPMENTS.format("2026-10-10"),
        "2026-09-28/raid.csv": RAID,
        "2026-09-28/installs.csv": INSTALLS,
        "2026-09-30/grn1.csv": receipt(1),
        "2026-10-06/promises.csv": PROMISES.format("2026-10-19"),
        "2026-10-07/shipments.csv": SHIPMENTS.format("2026-10-12"),
    }.items():
        drop(home, path, text)
    issue(home, "2026-W41", CLOSED["2026-W41"])
    return home


def issue(home, week, now):
    """Refresh a week and issue its reports, without the expectations, which have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "check_again", lambda *_: [])
        result = refresh(home, week, now)
    with connect(result.database, read_only=True) as con:
        standing = standing_of(home, result.manifest, home.load().audiences)
        record_issue(home, result.manifest, render(con, home.out / week, standing=standing))
    return result


@pytest.fixture(scope="session")
def working(tmp_path_factory):
    """The programme; tests only read it."""
    return build(tmp_path_factory.mktemp("working") / "aurora")


@pytest.fixture(scope="session")
def longer(working, tmp_path_factory):
    """The same programme a week later."""
    home = copied(working, tmp_path_factory.mktemp("longer") / "aurora")
    drop(home, "2026-10-14/grn2.csv", receipt(2))
    issue(home, "2026-W42", CLOSED["2026-W42"])
    return home


def copied(home, folder):
    """A copy to change: its files are links, so one replaces a file and never writes into it."""
    shutil.copytree(home.root, folder, symlinks=True, copy_function=os.link)
    return Home(folder)


@pytest.fixture
def mine(working, tmp_path, monkeypatch):
    """A copy of the programme."""
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    return copied(working, tmp_path / "mine")


@pytest.fixture
def mine_longer(longer, tmp_path, monkeypatch):
    """A copy of the programme a week later."""
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    return copied(longer, tmp_path / "longer")


@pytest.fixture
def turnup():
    """Call a command on a programme; gives its JSON document and its exit code."""

    def call(home, *arguments):
        done = CliRunner().invoke(app, [*arguments, "--home", str(home.root), "--json"])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return SimpleNamespace(code=done.exit_code, **json.loads(done.output))

    return call
