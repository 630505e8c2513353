"""An error in programme.yaml names file, line, key, what was found and what is allowed."""

import json

import pytest

from pipelines.commands.published import chosen_owner
from turnup.programme import Cutoff, Home, Programme
from turnup.yaml_source import ConfigurationError

GOOD = """name: Aurora
time_zone: America/Chicago
sources:
  parts:
    dataset: bom
    files: "BOM*.csv"
    dates: dmy
"""
HEALTH = GOOD + "schedule_health:\n"


def load(tmp_path, text):
    (tmp_path / "programme.yaml").write_text(text, encoding="utf-8")
    return Home(tmp_path).load()


def test_a_plain_programme_loads(tmp_path):
    programme = load(tmp_path, GOOD)
    assert programme.sources["parts"].dates == "dmy"
    assert programme.week.cron == "0 18 * * 5"


@pytest.mark.parametrize(
    ("weekday", "time", "cron"),
    [("sunday", "23:59", "59 23 * * 0"), ("monday", "00:05", "5 0 * * 1"), ("saturday", "12:00", "0 12 * * 6")],
)
def test_the_cut_off_as_cron(weekday, time, cron):
    assert Cutoff(weekday=weekday, time=time).cron == cron


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (GOOD.replace("dates: dmy", "dates: dd/mm"), 7, ["sources.parts.dates", "'dd/mm'", "'ymd', 'dmy', 'mdy'"]),
        (GOOD.replace("files:", "flies:"), 6, ["sources.parts.flies", "not known"]),
        (GOOD.replace("America/Chicago", "Chicago"), 2, ["time_zone", "'Chicago'", "IANA"]),
        (GOOD.replace("dataset: bom", "dataset: boms"), 5, ["'boms'", "allowed", "bom"]),
        (GOOD.replace("name: Aurora\n", ""), 1, ["name", "required"]),
        (GOOD + "    required: yes\n", 8, ["sources.parts.required", "yes", "true"]),
        (GOOD + "    files: again\n", 8, ["files", "again", "line 6"]),
        (GOOD + "    columns: {PN: part_no}\n", 4, ["sources.parts", "part_no", "bom"]),
        ("name: [\n", 2, ["not valid YAML"]),
        (HEALTH + "  hart: mandatory\n", 9, ["schedule_health.hart", "not known"]),
        (HEALTH + "  hard: soft\n", 9, ["schedule_health.hard", "'soft'", "'mandatory', 'on' or 'no_later'"]),
        (HEALTH + "  hard: on\n", 9, ["schedule_health.hard", 'write true, false or "on"']),
        (HEALTH + "  preset: p6\n", 9, ["schedule_health.preset", "'p6'", "'dcma', 'oracle' or 'powerproject'"]),
        (HEALTH + "  preset: [oracle]\n", 9, ["schedule_health.preset", "['oracle']", "'dcma', 'oracle'"]),
        (
            HEALTH + "  floats: 30\n",
            9,
            ["schedule_health.floats", "found 30", "expected keys with values"],
        ),
        (HEALTH + "  floats: {high_days: -1}\n", 9, ["schedule_health.floats.high_days", "-1", "expected 0 or more"]),
        (HEALTH + "  limits:\n    leads: 5%\n", 10, ["schedule_health.limits.leads", "'5%'", "such as '<= 5%'"]),
        (HEALTH + "  limits:\n    leads: 0\n", 10, ["schedule_health.limits.leads", "found 0", "expected a text"]),
        (HEALTH + "  preset: oracle\n  limits: {slack: < 1%}\n", 10, ["schedule_health.limits.slack", "not known"]),
        (
            GOOD + "schedule_health: oracle\n",
            8,
            ["schedule_health", "'oracle'", "expected keys with values"],
        ),
        (GOOD + "schedule_health:\n", 8, ["schedule_health", "None", "expected keys with values"]),
    ],
)
def test_faults_are_named(tmp_path, text, line, words):
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, text)
    message = str(caught.value)
    assert f"programme.yaml, line {line}" in message
    for word in words:
        assert word in message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match=r"programme\.yaml: no such file; turnup init"):
        Home(tmp_path).load()


def test_how_a_file_is_read_is_apart_from_who_owns_it(tmp_path):
    source = load(tmp_path, GOOD).sources["parts"]
    assert source.model_copy(update={"owner": "Ana"}).fingerprint == source.fingerprint
    assert source.model_copy(update={"decimal": ","}).fingerprint != source.fingerprint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD + "holidays: [2026-02-30]\n", ["programme.yaml", "quotes"]),
        (GOOD + 'holidays: ["2026-02-30"]\n', ["line 8", "holidays.0", "2026-02-30"]),
        (GOOD + "first_week: 2026-W99\n", ["line 8", "first_week", "2026-W99"]),
        (GOOD.replace('"BOM*.csv"', '""'), ["line 6", "sources.parts.files"]),
        (GOOD.replace('"BOM*.csv"', '"."'), ["line 6", "sources.parts.files"]),
        (GOOD + "    header: 0\n", ["line 8", "key 'sources.parts.header': found 0; expected 1 or more or 'auto'"]),
        (GOOD + "    encoding: utf-99\n", ["line 8", "sources.parts.encoding", "utf-99"]),
        (GOOD + "\x07", ["line 8", "not allowed"]),
        ("name: &a [*a]\n", ["programme.yaml"]),
        ("? [a, b]\n: c\n", ["programme.yaml"]),
        ("- a\n- b\n", ["programme.yaml, line 1"]),
        ("", ["programme.yaml, line 1"]),
    ],
)
def test_what_yaml_itself_stumbles_over_is_named_too(tmp_path, text, words):
    with pytest.raises(ConfigurationError) as caught:
        load(tmp_path, text)
    for word in words:
        assert word in str(caught.value)


def test_how_schedules_are_judged_is_part_of_a_week(tmp_path):
    usual = load(tmp_path, GOOD)
    assert usual.schedule_health.preset == "dcma"
    assert load(tmp_path, HEALTH + "  preset: dcma\n").fingerprint == usual.fingerprint
    theirs = load(tmp_path, HEALTH + "  preset: oracle\n  floats: {high_days: 30}\n")
    assert theirs.fingerprint != usual.fingerprint
    assert (theirs.schedule_health.hard, theirs.schedule_health.floats.high_days) == ("mandatory", 30)
    kept = Programme.model_validate(json.loads(json.dumps(theirs.lasting)))
    assert (kept.schedule_health, kept.fingerprint) == (theirs.schedule_health, theirs.fingerprint)


def test_times_and_dates_may_stand_without_quotes(tmp_path):
    programme = load(tmp_path, GOOD + "holidays: [2026-12-25]\nweek: {weekday: friday, time: 18:05}\n")
    quoted = load(tmp_path, GOOD + 'holidays: ["2026-12-25"]\nweek: {weekday: friday, time: "18:05"}\n')
    assert programme.week.cron == "5 18 * * 5"
    assert programme.fingerprint == quoted.fingerprint


def test_owners_that_differ_by_blanks_or_case_are_one(tmp_path):
    spelt = ("Ana Ruiz", "  ana  ruiz ", "ANA\u00a0RUIZ", "Ana Ruíz", "ben")
    sources = "".join(
        f"  s{number}: {{dataset: bom, files: s{number}*.csv, owner: {json.dumps(owner)}}}\n"
        for number, owner in enumerate(spelt)
    )
    programme = load(tmp_path, f"name: Aurora\ntime_zone: UTC\nsources:\n{sources}")
    owners = [source.owner for source in programme.sources.values()]
    assert owners == ["Ana Ruiz", "Ana Ruiz", "Ana Ruiz", "Ana Ruíz", "ben"]
    assert chosen_owner(" ANA ruiz", programme) == "Ana Ruiz"
    with pytest.raises(ConfigurationError, match="has the owner 'Anna'; owners are: Ana Ruiz"):
        chosen_owner("Anna", programme)
    kept = Programme.model_validate(json.loads(json.dumps(programme.lasting)))
    assert kept.fingerprint == programme.fingerprint
