"""From files to the change of a week: whatever the next week's files say, it closes, and its rows are in the files.

The programme rents two clusters of four nodes of 8 accelerators; a seed decides which nodes the scheduler offers in
each week, what the contract says, and which nodes belong to which cluster.
"""

import random
from datetime import timedelta

import pytest

from tests.turnup.small_programme import CLOSED, ask, made
from turnup import refresh as module
from turnup.refresh import refresh

W40, W41 = "2026-W40", "2026-W41"
CONFIGURATION = """name: Aurora
time_zone: UTC
first_week: 2026-W40
sources:
  sites: {dataset: sites, files: "sites*.csv", owner: Ana Ruiz}
  systems: {dataset: systems, files: "systems*.csv", owner: Ana Ruiz}
  commitments: {dataset: commitments, files: "commitments*.csv", owner: Ana Ruiz}
  names: {dataset: node_names, files: "names*.csv", owner: Ana Ruiz}
  tests: {dataset: benchmarks, files: "tests*.csv", mode: events, owner: Ana Ruiz}
  gates: {dataset: gate_decisions, files: "gates*.csv", mode: events, owner: Ana Ruiz}
  nodes: {dataset: scheduler_nodes, files: "nodes*.csv", mode: events, owner: Ana Ruiz}
acceptance:
  baselines: [{sku: SRV, test: all_reduce, metric: busbw, unit: GB/s, value: 460, source: contract}]
"""
NODES = [f"n{number}" for number in range(8)]
TESTS = "run,node,test,metric,statistic,size_bytes,placement,value,unit,measured_at,correctness,complete,sku\n"
COMMITMENTS = "contract,line,phase,amendment,system_id,quantity,unit,contract_date\n"


def first_files(rng):
    return {
        "sites.csv": "site_id,name,facility\nEUS,Virginia,cloud\n",
        "systems.csv": "system_id,name,kind,site_id,supply_model,cluster,owner\n"
        + "".join(f"C-{name},{name},gpu_cluster,EUS,cloud,c{name},Ana Ruiz\n" for name in "AB"),
        "gates.csv": "system_id,block,gate,decided,outcome,approver\n"
        + "".join(f"C-{name},all,handoff,2026-09-10,approve,Bo Lind\n" for name in "AB"),
        "tests.csv": TESTS
        + "".join(
            f"r{node},{node},all_reduce,busbw,value,1,out_of_place,470,GB/s,2026-09-05T00:00:00Z,clean,true,SRV\n"
            for node in NODES
        ),
        "names.csv": "cluster,node,valid_from,system_id\n"
        + "".join(f"c{'AB'[place // 4]},{node},2026-09-01,C-{'AB'[place // 4]}\n" for place, node in enumerate(NODES)),
        "commitments.csv": contract(rng, 0),
    }


def contract(rng, amendment):
    lines = [
        f"K,{name},1,{amendment},C-{name},{rng.choice([8, 16, 32, 40])},accelerators,2026-12-01\n" for name in "AB"
    ]
    return COMMITMENTS + "".join(lines)


def snapshots(rng, day):
    """Four days of snapshots; a node is offered in all, or in all but the last."""
    away = rng.sample(NODES, rng.randint(0, 5))
    rows = [
        f"c{'AB'[place // 4]},{node},2026-{day + timedelta(days=back):%m-%d}T06:00:00Z,"
        f"{str(not (back == 3 and node in away)).lower()},{'down' if back == 3 and node in away else 'idle'},8\n"
        for place, node in enumerate(NODES)
        for back in range(4)
    ]
    rng.shuffle(rows)
    return "cluster,node,observed_at,allocatable,state,capacity\n" + "".join(rows)


def laid(home, folder, files):
    for name, content in files.items():
        file = home.inbox / folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    home = made(tmp_path / "home")
    for file in home.inbox.rglob("*.csv"):
        file.unlink()
    home.configuration.write_text(CONFIGURATION, encoding="utf-8")
    return home


CHANGE = "SELECT kind, opening, flow_in, withdrawn, transfer, restated, scope, definition, closing FROM mart.change"
SUMS = "SELECT component, sum(quantity) FROM mart.change_evidence GROUP BY component ORDER BY component"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0])
def test_the_change_closes_to_rows_that_are_in_the_files(home, seed):
    rng = random.Random(seed)
    laid(home, "2026-09-28", first_files(rng))
    laid(home, "2026-10-02", {"nodes 1.csv": snapshots(rng, CLOSED[W40] - timedelta(days=3))})
    refresh(home, W40, CLOSED[W40])
    ((issued,),) = ask(home.warehouse, "SELECT sum(schedulable) FROM mart.systems")
    assert issued > 0
    assert ask(home.warehouse, "SELECT * FROM meta.quarantine") == []
    late = {"nodes 0.csv": snapshots(rng, CLOSED[W40] - timedelta(days=2))}
    laid(home, "2026-10-02", {"gates late.csv": "system_id,block,gate,decided,outcome,approver\n"
                              "C-B,all,handoff,2026-10-01,disapprove,Bo Lind\n"})  # fmt: skip
    refresh(home, W40, CLOSED[W40] + timedelta(hours=1), restate=True, reason="late minutes")
    laid(home, "2026-10-07", {"commitments.csv": contract(rng, 1)} if seed else {})
    laid(home, "2026-10-09", {"nodes 2.csv": snapshots(rng, CLOSED[W41] - timedelta(days=3)), **late})
    refresh(home, W41, CLOSED[W41])
    ((kind, opening, came, went, moved, restated, scope, defined, closing),) = ask(home.warehouse, CHANGE)
    assert (kind, opening) == ("gpu_cluster", issued)
    assert opening + came - went + moved + restated + scope + defined == closing
    assert dict(ask(home.warehouse, SUMS)) == {
        name: value
        for name, value in (("flow_in", came), ("withdrawn", -went), ("restated", restated), ("scope", scope))
        if value or name in dict(ask(home.warehouse, SUMS))
    }
    query = "SELECT unit_id, file, row FROM mart.change_evidence WHERE dataset = 'scheduler_nodes'"
    for unit, file, row in ask(home.warehouse, query):
        assert f",{unit}," in (home.inbox / file).read_text(encoding="utf-8").splitlines()[row - 1]
    query = "SELECT first_name, name, issued, now, made_from FROM mart.restatements"
    assert ask(home.warehouse, query) == [
        ("2026-W40.1", "2026-W40.2", issued, issued + restated, "came 2026-10-02/gates late.csv")
    ]


@pytest.mark.slow
def test_the_order_of_files_changes_nothing(home, tmp_path):
    rng = random.Random(7)
    first, nodes = first_files(rng), [snapshots(rng, CLOSED[week] - timedelta(days=3)) for week in (W40, W41)]
    found = []
    for number, place in enumerate((home, type(home)(tmp_path / "other"))):
        if number:
            made(place.root)
            for file in place.inbox.rglob("*.csv"):
                file.unlink()
            place.configuration.write_text(CONFIGURATION, encoding="utf-8")
        names = sorted(first, reverse=bool(number))
        for day, name in enumerate(names):
            laid(place, f"2026-09-{20 + day}", {name: first[name]})
        laid(place, "2026-10-02", {"nodes b.csv" if number else "nodes z.csv": nodes[0]})
        refresh(place, W40, CLOSED[W40])
        laid(place, "2026-10-09", {"nodes a.csv" if number else "nodes zz.csv": nodes[1]})
        refresh(place, W41, CLOSED[W41])
        query = "SELECT unit_id, component, quantity, cause, row FROM mart.change_evidence ORDER BY ALL"
        found.append([ask(place.warehouse, query), ask(place.warehouse, CHANGE)])
    assert found[0] == found[1]
    assert found[0][0]
