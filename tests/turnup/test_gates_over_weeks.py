"""Gates over real weeks: a waiver that ends within an open week, a playbook that changes, an old week made again."""

from datetime import UTC, date, datetime

import pytest

from tests.turnup.small_programme import CLOSED, CONFIGURATION, ask, drop, made, receipt, tables
from turnup import refresh as module
from turnup.refresh import refresh

W40, W41 = "2026-W40", "2026-W41"
RAID = """id,type,title,system_id,gate,criterion,approver,expiry,compensating_action,owner,opened
W-1,waiver,Optics to be chosen,GPU-1,procure,bom_orderable,Bo Lind,2026-10-06,Loan optics,Ana Ruiz,2026-09-28
"""
CRITERION = "SELECT state, waiver_id FROM mart.criteria WHERE criterion = 'bom_orderable'"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    home = made(tmp_path)
    home.configuration.write_text(CONFIGURATION + '  raid: {dataset: raid, files: "raid*.csv", owner: Ana Ruiz}\n')
    drop(home, "2026-09-28/raid.csv", RAID)
    return home


@pytest.mark.slow
def test_a_waiver_ends_within_the_week_and_each_week_keeps_its_own_playbook(home):
    first = refresh(home, W40, CLOSED[W40])
    assert ask(first.database, CRITERION) == [("waived", "W-1")]
    as_issued = tables(first.database)

    drop(home, "2026-10-05/grn1.csv", receipt(1))
    monday = refresh(home, W41, datetime(2026, 10, 5, 12, tzinfo=UTC))
    assert ask(monday.database, CRITERION) == [("waived", "W-1")]
    drop(home, "2026-10-07/grn2.csv", receipt(2))
    wednesday = refresh(home, W41, datetime(2026, 10, 7, 12, tzinfo=UTC))
    assert ask(wednesday.database, CRITERION) == [("no data", None)]
    query = "SELECT event, occurred_on, waiver_id FROM mart.gate_events WHERE week = '2026-W41'"
    assert ask(wednesday.database, query) == [("expired", date(2026, 10, 7), "W-1")]

    playbook = home.playbooks / "gpu_cluster.yaml"
    text = playbook.read_text().replace('version: "2"', 'version: "3"')
    playbook.write_text(text.replace("min_share: 0.95", "min_share: 0.9"))
    closed = refresh(home, W41, CLOSED[W41])
    changes = "SELECT version_before, version, criterion, change, is_silent FROM mart.playbook_changes"
    assert ask(closed.database, changes) == [("2", "3", "bandwidth_passed", "changed", False)]
    assert ask(closed.database, "SELECT count(*) FROM mart.findings WHERE code = 'playbook_same_version'") == [(0,)]
    history = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'hist' AND table_name = $t"
    for large in ("gate_events", "activities"):
        assert ask(closed.database, history.replace("$t", f"'{large}'")) == [(0,)]

    first.database.unlink(missing_ok=True)
    again = refresh(home, W40, CLOSED[W41])
    assert tables(again.database) == as_issued
