"""Schedule files as sources of datasets: claimed, inspected, counted, refreshed."""

import shutil
from datetime import UTC, datetime

import pytest
import yaml

from expectations.contract import load_contracts
from tests.formats.schedule.mspdi_texts import document, task
from tests.formats.schedule.typed_rows import typed
from turnup.formats.content import Content
from turnup.formats.inspection import inspect
from turnup.formats.model import FileRejected, Request
from turnup.formats.registry import detect, parse
from turnup.formats.schedule import read_schedule
from turnup.formats.schedule.xer import read_xer
from turnup.ingest import claims, ingest_dataset
from turnup.landing import Landing
from turnup.programme import Home, Source
from turnup.schedule.columns import DATASETS
from turnup.schedule.passes import schedule
from turnup.schedule.staged import projects_of
from turnup.value_keys import typing_rules
from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore

TABLE = (
    "ID,Task Name,Duration,Start,Predecessors,Optimistic,Pessimistic,System\n"
    "1,Rack,5 days,2026-09-07,,3 days,2 wks,ord1-gpu-a\n"
    "2,Cable,soon,2026-09-14,1FS+1 day,,,ord1-gpu-a\n"
    "3,Test,1 day,2026-09-21,1;2XX,,,\n"
)


@pytest.fixture
def file(tmp_path):
    def made(data, name):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return made


def read(path, dataset, **source):
    return parse(path, path.name, Source(dataset=dataset, files="*", **source), load_contracts()[dataset])


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("xer/airport_66.xer", "xer"),
        ("pmxml/percent-complete-8.4.pmxml", "pmxml"),
        ("converted/airport_66.pm.xml", "pmxml"),
        ("mspdi/task-links-2007.xml", "mspdi"),
        ("csv/task-links-2007_as_msproject_csv.csv", "schedule_table"),
    ],
)
def test_real_files_feed_all_datasets_and_nothing_is_refused(cases, name, form):
    path = cases / "schedule" / name
    assert detect(Content(path, path.name)).name == form
    for dataset in DATASETS:
        table = read(path, dataset)
        assert (table.format, table.dataset, table.rejected) == (form, dataset, ())
        assert table.ledger.balanced
        assert table.ledger.data == table.frame.select("_sheet", "_row").n_unique()
        rules = typing_rules(table.source, table, path.name)
        rows, refused = typed(dataset, table.frame, rules)
        assert (rows.height, refused) == (table.frame.height, [])


def test_a_source_cannot_spoil_what_the_reader_wrote(file):
    """Dates and decimals are declared for the supplier's own tables; rows of a reader are typed as they are written."""
    path = file(document(task(1, 12)), "plan.xml")
    table = read(path, "activities", decimal=",", dates="mdy", time_zone="America/Chicago")
    rows, refused = typed("activities", table.frame, typing_rules(table.source, table, path.name))
    assert refused == []
    assert rows["duration_h"].to_list() == [12.0]
    assert str(rows["duration_d"][0]) == "1.500"


def test_values_and_defaults_of_a_source_hold(file):
    path = file(document(task(1)), "plan.xml")
    table = read(path, "activities", values={"project_id": {"Plan": "ord1"}}, defaults={"gate": "installed"})
    assert table.frame.select("project_id", "gate").row(0) == ("ord1", "installed")


def test_other_datasets_are_refused(file):
    with pytest.raises(FileRejected, match="feeds activities, activity_links, work_calendars, schedule_projects"):
        read(file(document(task(1)), "plan.xml"), "bom")


def test_rows_of_a_table_are_accepted_or_refused_and_none_is_lost(file):
    path = file(TABLE, "plan.csv")
    activities, links = read(path, "activities"), read(path, "activity_links")
    assert activities.frame["task"].to_list() == ["1", "3"]
    assert [(row.row, row.column, row.value) for row in activities.rejected] == [(3, "Duration", "soon")]
    assert activities.ledger.balanced
    assert (activities.ledger.data, activities.ledger.rejected, activities.ledger.header) == (2, 1, 1)
    assert links.frame.select("pred", "succ").rows() == [("1", "2"), ("1", "3")]
    assert [(row.row, row.value) for row in links.rejected] == [(4, "2XX")]
    assert links.ledger.balanced


def test_three_points_and_codes_of_a_table_reach_their_columns(file):
    rows, refused = typed("activities", read(file(TABLE, "plan.csv"), "activities").frame)
    assert refused == []
    columns = ("duration_d", "optimistic_d", "pessimistic_d", "system_id", "start", "project_id")
    assert [str(value) for value in rows.select(columns).row(0)] == [
        "5.000", "3.000", "10.000", "ord1-gpu-a", "2026-09-07", "main",
    ]  # fmt: skip
    assert rows["predecessors"].to_list() == [None, "1;2XX"]


def test_a_plain_table_is_read_as_before(file):
    path = file("task,name,duration_d,start\nA1,Rack,5,2026-09-07\n", "plan.csv")
    table = read(path, "activities")
    assert (table.format, table.frame.select("task", "duration_d").row(0)) == ("csv", ("A1", "5"))


def test_inspection_tells_what_a_file_feeds(file):
    path = file(document(task(1), task(2, preds=[(1, 1, 0, 7)])), "plan.xml")
    found = inspect(path, path.name, load_contracts())
    assert (found.format, found.dataset, found.source["format"]) == ("mspdi", "activities", "mspdi")
    assert [finding.value for finding in found.findings if finding.code == "also_feeds"] == list(DATASETS[1:])
    facts = {fact.name: fact.value for fact in found.facts}
    assert (facts["activities"], facts["links"], facts["links_by_type"]) == (2, 1, ("1 FS",))


def test_garbled_files_are_refused_in_words(file):
    for name, data in {"a.xml": b"<Project><Tasks>", "b.xml": b"<Project xmlns='http://schemas.microsoft.com/project'/>",
                       "c.csv": b"ID,Predecessors\n", "d.xer": b"ERMHDR\t8.0\n"}.items():  # fmt: skip
        path = file(data, name)
        with pytest.raises(FileRejected) as refusal:
            read_schedule(Content(path, name))
        assert refusal.value.message


def test_a_request_is_read_once(file, monkeypatch):
    content = Content(file(TABLE, "plan.csv"), "plan.csv")
    form = detect(content)
    seen = []
    monkeypatch.setattr("turnup.formats.schedule.sources.read_table", lambda *given: seen.append(given) or 1 / 0)
    request = Request(content, Source(dataset="activities", files="*"), load_contracts()["activities"])
    with pytest.raises(ZeroDivisionError):
        form.parse(request)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("name", "data", "lines"),
    [
        ("plan.csv", b"ID,Task Name,Predecessors\n1,Rack,\n2,Cable,1\n3,Test,1;2\n4,Hand over,3;1XX\n", (4, 3, 1)),
        ("plan.xml", document(task(1), task(2), task(3, preds=[(1, 1, 0, 7), (2, 1, 0, 7)])), (1, 1, 0)),
    ],
)
def test_a_line_with_two_links_closes_its_ledger(tmp_path, name, data, lines):
    home = Home(tmp_path / "home")
    folder = home.inbox / "2026-10-01"
    folder.mkdir(parents=True)
    (folder / name).write_bytes(data)
    sources = {"plan": {"dataset": "activity_links", "files": "plan*"}}
    programme = {"name": "Lines", "time_zone": "UTC", "first_week": "2026-W40", "sources": sources}
    home.configuration.write_text(yaml.safe_dump(programme), encoding="utf-8")
    landing, contracts = Landing(home, "UTC"), load_contracts()
    landing.scan(datetime(2026, 11, 1, tzinfo=UTC))
    claimed = claims(home.load(), landing.deliveries(), contracts, landing)
    ingest_dataset(PartStore(home.store), landing, "activity_links", contracts["activity_links"], claimed)
    with connect() as con:
        ledger = con.sql(f"FROM {PartStore(home.store).scan(con, '_ledger', ['activity_links'])}")
        assert ledger.select("rows_read, accepted, quarantined").fetchall() == [lines]


def test_a_programme_holds_the_whole_schedule(tmp_path, cases):
    """From an inbox to the store and back to a project: the airport's file has the same dates after it."""
    home = Home(tmp_path / "home")
    folder = home.inbox / "2026-10-01"
    folder.mkdir(parents=True)
    original = cases / "schedule/xer/airport_66.xer"
    shutil.copy(original, folder / "plan.xer")
    sources = {f"plan-{number}": {"dataset": dataset, "files": "plan*.xer"} for number, dataset in enumerate(DATASETS)}
    programme = {"name": "Airport", "time_zone": "Africa/Cairo", "first_week": "2026-W40", "sources": sources}
    home.configuration.write_text(yaml.safe_dump(programme), encoding="utf-8")
    held, landing = home.load(), Landing(home, "Africa/Cairo")
    landing.scan(datetime(2026, 11, 1, tzinfo=UTC))
    contracts = load_contracts()
    claimed = claims(held, landing.deliveries(), contracts, landing)
    frames = []
    for dataset in DATASETS:
        summary = ingest_dataset(PartStore(home.store), landing, dataset, contracts[dataset], claimed)
        assert (summary.files, summary.quarantined) == (1, 0)
        with connect() as con:
            frames.append(con.sql(f"FROM {PartStore(home.store).scan(con, dataset, [dataset])}").pl())
    direct = schedule(*read_xer(original.read_bytes(), original.name)).frame().drop("id").sort("code")
    assert schedule(*projects_of(*frames)).frame().drop("id").sort("code").equals(direct)
