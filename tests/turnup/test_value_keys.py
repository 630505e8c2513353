"""The keys of a source that say how its values are written: checked against the dataset, part of how a file is read."""

import pytest
from pydantic import ValidationError

from turnup.formats.model import Ledger, RawTable
from turnup.formats.profiles import Profile, overlaid
from turnup.programme import Programme, Source
from turnup.value_keys import typing_rules


def source(**keys):
    return Source(**{"dataset": "shipments", "files": "*.csv", **keys})


GOOD = [
    {"dates": "dmy"}, {"dates": {"eta": "dmy", "scheduled": "serial"}}, {"decimal": ","}, {"decimal": {"value": ","}},
    {"year": 2026}, {"fiscal_year_start": 10}, {"units": {"quantity": {"ctn": 24, "bag": 0.5}}},
    {"unit": "ctn", "units": {"quantity": {"ctn": "24"}}}, {"reasons": {"value": {"see invoice": "invoiced"}}},
    {"references": {"value": r"ID#:(\d+)"}}, {"null_tokens": ["-"]},
]  # fmt: skip


@pytest.mark.parametrize("keys", GOOD, ids=lambda keys: ",".join(keys))
def test_each_key_is_part_of_how_a_file_is_read(keys):
    assert source(**keys).fingerprint != source().fingerprint


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"dates": "dd/mm"}, "'dd/mm' is not an order of day, month and year; allowed is 'ymd', 'dmy', 'mdy'"),
        ({"dates": {"eta": "dd"}}, "'dd' is not an order"),
        ({"dates": {"etd": "dmy"}}, "dates names no column: 'etd'; allowed: delivered, eta"),
        ({"dates": {"vendor": "dmy"}}, "dates cannot apply to the column 'vendor' of shipments"),
        ({"decimal": ";"}, "';' is not a decimal mark"),
        ({"decimal": {"eta": ","}}, "decimal cannot apply to the column 'eta'"),
        ({"year": 26}, "greater than or equal to 1990"),
        ({"fiscal_year_start": 13}, "less than or equal to 12"),
        ({"units": {"quantity": {"ctn": 0}}}, "one 'ctn' must be a number of the column's own unit"),
        ({"units": {"quantity": {"ctn": "many"}}}, "one 'ctn' must be a number"),
        ({"units": {"quantity": {"ctn": True}}}, "one 'ctn' must be a number"),
        ({"units": {"vendor": {"ctn": 1}}}, "units cannot apply to the column 'vendor'"),
        ({"unit": "ctn"}, "nothing says what one 'ctn' is; write units: {<column>: {ctn: <factor>}}"),
        ({"reasons": {"value": {"see": "Two words"}}}, "must be one word such as unknown"),
        ({"reasons": {"value": {"see": "reference"}}}, "must be one word such as unknown"),
        ({"reasons": {"vendor": {"tbd": "unknown"}}}, "reasons cannot apply to the column 'vendor'"),
        ({"references": {"value": "ID#"}}, "needs one pair of brackets"),
        ({"references": {"value": "("}}, "is no regular expression"),
        ({"references": {"vendor": "(x)"}}, "references cannot apply to the column 'vendor'"),
        ({"time_zone": "Chicago"}, "is not an IANA time zone"),
    ],
)
def test_a_wrong_key_is_refused_in_words(keys, words):
    with pytest.raises(ValidationError) as caught:
        source(**keys)
    assert words in str(caught.value)


def programme(**keys):
    sources = {"asn": {"dataset": "shipments", "files": "*.csv"}, "own": {"dataset": "bom", "files": "b*"}}
    sources["own"]["fiscal_year_start"] = 2
    return Programme.model_validate({"name": "A", "time_zone": "UTC", "sources": sources, **keys})


def test_the_fiscal_year_of_the_programme_is_that_of_its_sources_and_part_of_their_reading():
    made, other = programme(fiscal_year_start=10), programme()
    assert [made.sources[name].fiscal_year_start for name in ("asn", "own")] == [10, 2]
    assert made.sources["asn"].fingerprint != other.sources["asn"].fingerprint
    assert made.sources["own"].fingerprint == other.sources["own"].fingerprint


def test_what_a_profile_knows_of_values_stands_under_what_the_source_declares():
    known = {"dates": {"scheduled": "mdy", "eta": "mdy"}, "references": {"value": r"ID#:(\d+)"}, "decimal": ","}
    profile = Profile("p", "P", "shipments", ("a",), typing=known)
    laid = overlaid(source(dates={"eta": "dmy"}, decimal="."), profile)
    assert laid.dates == {"scheduled": "mdy", "eta": "dmy"}
    assert laid.references == {"value": r"ID#:(\d+)"}
    assert laid.decimal == "."
    assert overlaid(source(), profile).decimal == ","


def test_the_rules_of_a_file_have_its_name_and_its_epoch():
    table = RawTable("xlsx", "shipments", None, Ledger(), (), (), (), date_epoch=1904)
    rules = typing_rules(source(exported_at="file_name", dates={"eta": "dmy"}), table, "ASN 2026-09-04.xlsx")
    assert (rules.date_epoch, str(rules.near), rules.order_of("eta"), rules.order_of("scheduled")) == (
        1904, "2026-09-04", "dmy", None,
    )  # fmt: skip
    assert typing_rules(source(), table, "ASN 2026-09-04.xlsx").near is None
