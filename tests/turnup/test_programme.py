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
        (GOOD.replace("dates: dmy", "dates: dd/mm"), 7, ["sources.parts.dates", "'dd/mm'", "'ymd', 'dmy' or 'mdy'"]),
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
