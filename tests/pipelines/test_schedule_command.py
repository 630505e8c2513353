"""``turnup schedule`` on small files of our own: what a machine and a person get."""

import json
from pathlib import Path

import pytest

from pipelines.commands.output import Output
from pipelines.commands.schedule import schedule_file
from turnup.yaml_source import ConfigurationError

TABLE = """ID,Task Name,Duration,Start,Finish,Predecessors,% Complete,Total Slack
1,Rack,5 days,2026-01-05,2026-01-09,,0%,0 days
2,Cable,3 days,2026-01-12,2026-01-14,1,0%,0 days
3,Test,2 days,2026-01-15,2026-01-16,2FS+1d,0%,0 days
4,Paint,1 day,2026-01-05,2026-01-05,,0%,9 days
"""


@pytest.fixture
def plan(tmp_path):
    file = tmp_path / "plan.csv"
    file.write_text(TABLE, encoding="utf-8")
    return file


def document(file: Path, capsys):
    schedule_file(file, Output(as_json=True))
    return json.loads(capsys.readouterr().out)


def test_dates_floats_and_health_as_one_document(plan, capsys):
    # Five days, three, a lag of one, two: the project ends on the eleventh working day, Monday the 19th.
    (project,) = document(plan, capsys)["projects"]
    assert project["finish"] == "2026-01-19T17:00:00"
    rows = {row["name"]: row for row in project["activities"]}
    assert rows["Test"]["early_start"] == "2026-01-16T08:00:00"
    assert [rows[name]["total_float_days"] for name in ("Rack", "Cable", "Test", "Paint")] == [0, 0, 0, 10]
    assert [rows[name]["total_float_hours"] for name in ("Rack", "Paint")] == [0, 80]
    assert [name for name, row in rows.items() if row["longest_path"]] == ["Rack", "Cable", "Test"]
    checks = {check["id"]: check for check in project["health"]}
    assert len(checks) == 15
    assert (checks["3"]["numerator"], checks["3"]["denominator"], checks["3"]["verdict"]) == (1, 2, "fail")
    # What the table says of the last task is a day too early: the lag was forgotten.
    assert project["stored"]["early_finish"]["compared"] == 4
    assert project["stored"]["early_finish"]["differing"] == ["3"]


def test_for_people_it_is_tables(plan, capsys):
    schedule_file(plan, Output(as_json=False))
    shown = capsys.readouterr().out
    for words in ("finish 2026-01-19 17:00", "Longest path", "Health (DCMA 14 points)", "early_finish"):
        assert words in shown


def test_a_loop_is_spelled_out_and_there_is_no_finish(plan, capsys):
    plan.write_text(TABLE.replace("2026-01-09,,0%", "2026-01-09,3,0%"), encoding="utf-8")
    found = document(plan, capsys)
    told = [finding["message"] for finding in found["findings"]]
    assert any("1 -> 2 -> 3 -> 1" in message for message in told)
    dates = {row["name"]: row["early_finish"] for row in found["projects"][0]["activities"]}
    assert dates == {"Rack": None, "Cable": None, "Test": None, "Paint": "2026-01-05T17:00:00"}
    assert found["projects"][0]["finish"] is None


def test_what_is_no_schedule_is_refused_with_words(tmp_path, capsys):
    file = tmp_path / "notes.xer"
    file.write_bytes(b"\x00\x01\x02 nothing")
    with pytest.raises(SystemExit, match="1"):
        schedule_file(file, Output(as_json=True))
    refused = json.loads(capsys.readouterr().out)
    assert refused["error"]["code"]
    assert refused["error"]["message"]


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigurationError, match="no such file"):
        schedule_file(tmp_path / "gone.xer", Output(as_json=False))


def test_health_is_judged_as_the_settings_say(plan, tmp_path, capsys):
    settings = tmp_path / "health.yaml"
    settings.write_text("limits:\n  lags: '<= 60%'\n", encoding="utf-8")
    schedule_file(plan, Output(as_json=True), settings)
    (project,) = json.loads(capsys.readouterr().out)["projects"]
    assert {check["id"]: check["verdict"] for check in project["health"]}["3"] == "pass"
    settings.write_text("limits:\n  lag: '<= 60%'\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"health.yaml.*lag"):
        schedule_file(plan, Output(as_json=True), settings)
