"""A real fabric plan of 2,223 cables against a discovery made from it: planted faults are found, and nothing else."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

from expectations.contract import load_contracts
from tests.readiness.tiny import modelled, rows
from turnup.formats import parse
from turnup.programme import Source

LINKS = load_contracts()["links"]
PLAN = "supply/cabling/ufm_switch_to_host_topo1.ndt"
HEADER = ["StartDevice", "StartPort", "EndDevice", "EndPort", "LinkType"]
SWAPS, REMOVALS, ADDITIONS = ((10, 700), (1_300, 1_301)), (42, 2_000), 107


def discovered(plan: list[dict[str, str]]) -> str:
    """The plan as a fabric manager finds it: names in another case, every third cable from its other end."""
    found = [[row[f"{end}_{part}"] for end in "ab" for part in ("device", "port")] for row in plan]
    for one, other in SWAPS:
        found[one][2:], found[other][2:] = found[other][2:], found[one][2:]
    for number in sorted(REMOVALS, reverse=True):
        del found[number]
    switches = sorted({row["b_device"] for row in plan})
    found += [[f"NEW-{n}", f"NEW-{n} ibp1", switches[n % len(switches)], f"Port {900 + n}"] for n in range(ADDITIONS)]
    turned = [row[2:] + row[:2] if number % 3 == 0 else row for number, row in enumerate(found)]
    target = StringIO()
    csv.writer(target).writerows([HEADER, *([cell.swapcase() for cell in row] + ["Data"] for row in turned)])
    return target.getvalue()


@pytest.fixture(scope="module")
def con(cases: Path, tmp_path_factory: pytest.TempPathFactory):
    plan = parse(cases / PLAN, PLAN, Source.model_construct(dataset="links", files="*"), LINKS).frame.rows(named=True)
    file = tmp_path_factory.mktemp("fabric") / "content"
    file.write_text(discovered(plan), encoding="utf-8")
    source = Source.model_construct(dataset="links", files="*", defaults={"view": "observed", "state": "up"})
    seen = parse(file, "discovered.ndt", source, LINKS).frame.rows(named=True)
    kept = ("view", "state", "a_device", "a_port", "b_device", "b_port", "media")
    links = [{name: row[name] for name in kept} for row in (*plan, *seen)]
    return modelled({"links": links}, "mart.link_rework", "mart.link_health")


def test_the_planted_faults_are_found_and_nothing_else(con):
    (row,) = rows(con, "FROM mart.link_health")
    wrong = row["wrong_port"] + row["wrong_device"]
    assert (row["planned"], row["ok"], row["swaps"], wrong) == (2_223, 2_223 - 4 - 2, 2, 4)
    assert (row["missing"], row["unplanned"], row["no_data"]) == (2, 107, 0)


def test_each_fault_is_one_job(con):
    jobs = rows(con, "SELECT fault, count(*) AS jobs FROM mart.link_rework GROUP BY 1 ORDER BY 1")
    assert {job["fault"]: job["jobs"] for job in jobs} == {"missing": 2, "swapped": 2, "unplanned": 107}
