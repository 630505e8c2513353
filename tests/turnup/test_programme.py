"""An error in programme.yaml names file, line, key, what was found and what is allowed."""

import pytest

from turnup.programme import Cutoff, Home
from turnup.yaml_source import ConfigurationError

GOOD = """name: Aurora
time_zone: America/Chicago
sources:
  parts:
    dataset: bom
    files: "BOM*.csv"
    dates: dmy
"""


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
    with pytest.raises(ConfigurationError, match=r"programme\.yaml: cannot be read"):
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
        (GOOD + "    header: 0\n", ["line 8", "sources.parts.header", "greater than or equal to 1"]),
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


def test_times_and_dates_may_stand_without_quotes(tmp_path):
    programme = load(tmp_path, GOOD + "holidays: [2026-12-25]\nweek: {weekday: friday, time: 18:05}\n")
    quoted = load(tmp_path, GOOD + 'holidays: ["2026-12-25"]\nweek: {weekday: friday, time: "18:05"}\n')
    assert programme.week.cron == "5 18 * * 5"
    assert programme.fingerprint == quoted.fingerprint
