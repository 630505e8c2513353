"""A source added to a configuration that people wrote: their words stay, the new one can be used."""

from __future__ import annotations

import pytest

from turnup.programme import Home
from turnup.source_writer import add_source, source_yaml
from turnup.yaml_source import ConfigurationError

HEAD = "name: Aurora\ntime_zone: UTC   # as the site\n"
NEW = {"dataset": "bom", "files": "bom*.csv", "columns": {"Menge": "quantity"}, "ignore": []}
OLD = '  sites:\n    dataset: sites\n    files: "sites.csv"\n'


def home_with(tmp_path, text):
    (tmp_path / "programme.yaml").write_bytes(text.encode())
    return Home(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        HEAD.rstrip(),
        HEAD + "sources: {}\n",
        HEAD + "sources: {}  # none yet\n#  an-example:\n#    dataset: sites\ncurrency: EUR\n",
        HEAD + "sources:\n",
        HEAD + "sources:\n" + OLD,
        HEAD + "sources:\n" + OLD.rstrip(),
        HEAD + "sources:\n" + OLD + "\n# the limits\nthresholds:\n  raid_review_days: 7\n",
        HEAD + "sources:\n" + OLD.replace("  ", "    ") + "currency: EUR\n",
        HEAD + "sources:\n  sites: {dataset: sites, files: 'sites.csv'}  # short\ncurrency: EUR\n",
        HEAD + "sources:\n" + OLD + "    ignore:\n      - a\n      - b\n\ncurrency: EUR\n",
        (HEAD + "sources:\n" + OLD + "currency: EUR\n").replace("\n", "\r\n"),
    ],
)
def test_everything_else_stays(tmp_path, text):
    home = home_with(tmp_path, text)
    before = home.load()
    add_source(home, "acme-bom", NEW, ["quantity: check the unit"])
    after = home.load()
    assert after.sources["acme-bom"].columns == {"Menge": "quantity"}
    assert {**after.sources, "acme-bom": None} == {**before.sources, "acme-bom": None}
    assert after.model_copy(update={"sources": {}}) == before.model_copy(update={"sources": {}})
    written = home.configuration.read_bytes().decode()
    kept = [line for line in text.splitlines() if line.strip() and line.strip() != "sources: {}"]
    assert [line for line in written.splitlines() if line in kept] == [
        line for line in kept if line in written.splitlines()
    ]
    assert "# quantity: check the unit" in written
    for comment in ("# as the site", "# none yet", "# the limits", "# short"):
        assert (comment in written) == (comment in text)
    assert ("\r\n" in written) == ("\r\n" in text)


def test_what_is_open_stays_below_its_own_source(tmp_path):
    home = home_with(tmp_path, HEAD + "sources: {}\n#  an-example:\n#    dataset: sites\n")
    for name in ("first", "second", "third"):
        add_source(home, name, {"dataset": "bom", "files": f"{name}*.csv"}, [f"of {name}", f"also of {name}"])
    body = "".join(
        f"  {name}:\n    dataset: bom\n    files: {name}*.csv\n    # of {name}\n    # also of {name}\n"
        for name in ("first", "second", "third")
    )
    assert home.configuration.read_text() == HEAD + "sources:\n" + body + "#  an-example:\n#    dataset: sites\n"


def test_limits_in_files_of_their_own_are_no_hindrance(tmp_path):
    home = home_with(tmp_path, HEAD + "sources:\n" + OLD)
    home.baselines.mkdir()
    (home.baselines / "plan.yaml").write_text(
        "peaks:\n  - {sku: X1, test: all_reduce, metric: busbw, unit: GB/s, value: 787.5, source: data sheet}\n"
    )
    add_source(home, "acme-bom", NEW)
    assert set(home.load().sources) == {"sites", "acme-bom"}
    assert "peaks" not in home.configuration.read_text()


def test_a_taken_name_is_refused(tmp_path):
    home = home_with(tmp_path, HEAD + "sources:\n" + OLD)
    with pytest.raises(ConfigurationError, match="'sites' exists already"):
        add_source(home, "sites", NEW)
    assert home.configuration.read_text() == HEAD + "sources:\n" + OLD


def test_sources_in_braces_are_left_alone(tmp_path):
    text = HEAD + "sources: {sites: {dataset: sites, files: 'sites.csv'}}\n"
    home = home_with(tmp_path, text)
    with pytest.raises(ConfigurationError, match="line 3"):
        add_source(home, "acme-bom", NEW)
    assert home.configuration.read_text() == text


def test_an_unusable_source_is_not_written(tmp_path):
    home = home_with(tmp_path, HEAD)
    with pytest.raises(ConfigurationError, match="cannot be used"):
        add_source(home, "acme-bom", NEW | {"columns": {"Menge": "colour"}})
    assert home.configuration.read_text() == HEAD


def test_empty_keys_are_left_out():
    assert source_yaml("a", NEW) == "a:\n  dataset: bom\n  files: bom*.csv\n  columns:\n    Menge: quantity\n"
