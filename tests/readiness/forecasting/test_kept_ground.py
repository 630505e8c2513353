"""The ground of a forecast: what moves a date makes it again, what moves none does not, and nothing is overlooked."""

from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from decimal import Decimal

import duckdb
import polars as pl
import pytest

from tests.readiness.forecasting.forecasts import ground, line
from tests.readiness.forecasting.small import FRIDAY, gate, one_block, project
from turnup.readiness.forecasting import kept_ground as module
from turnup.readiness.forecasting.build import Ground
from turnup.readiness.forecasting.facts import Facts, Late, Need
from turnup.readiness.forecasting.kept_ground import KeptGround, hash_of
from turnup.readiness.forecasting.storage_scaling import Storage, Store
from turnup.warehouse.steps import Steps, begin


def made(**changes):
    """The same ground at every call, from objects of its own."""
    facts = one_block(gate("power", lead=5), gate("ready", lead=(1, 2, 3)))
    tasks = project({"id": "A", "d": 3}, {"id": "B", "d": 2}, links=(("A", "B", 0),))
    return replace(ground(facts, line(8), projects=[tasks], points={"A": (1.0, 2.0, 3.0)}), **changes)


def hashes(given):
    return {name: hash_of(part) for name, part in module._parts(given)}


def changed(before, after):
    one, other = hashes(before), hashes(after)
    assert one.keys() == other.keys()
    return {name for name in one if one[name] != other[name]}


def test_everything_that_a_forecast_is_made_on_takes_part_but_the_settings_that_are_asked_beside():
    parts = [name for name, _ in module._parts(made())]
    ground_fields = {one.name for one in fields(Ground)} - {"facts", "kept"}
    assert sorted(parts) == sorted({one.name for one in fields(Facts)} | ground_fields)


def test_the_same_ground_read_twice_is_the_same():
    assert changed(made(), made()) == set()


LATE = Late("po", "V", None, "air", 3, date(2026, 9, 1))
OTHER_TASKS = [
    project({"id": "A", "d": 4}, {"id": "B", "d": 2}, links=(("A", "B", 0),)),
    project({"id": "A", "d": 3}, {"id": "B", "d": 2}, links=(("A", "B", 1),)),
    project({"id": "A", "d": 3}, {"id": "B", "d": 2}, links=(("A", "B", 0),), data_date=datetime(2026, 10, 24)),
]


@pytest.mark.parametrize(
    ("part", "changes"),
    [
        ("targets", {"targets": (line(9),)}),
        ("targets", {"targets": ()}),
        ("points", {"points": {"A": (1.0, 2.0, 3.5)}}),
        ("points", {"points": {}}),
        ("storage", {"storage": Storage((Store("s", "S", Decimal(1), Decimal(2), Decimal(3)),))}),
        ("storage", {"storage": Storage(used={"s": [(FRIDAY, 1.0)]})}),
        *(("projects", {"projects": (tasks,)}) for tasks in OTHER_TASKS),
    ],
)
def test_another_target_task_link_calendar_or_use_is_another_ground(part, changes):
    assert changed(made(), made(**changes)) == {part}


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("as_of", date(2026, 11, 6)),
        ("gates", (gate("power", lead=6),)),
        ("gates", (gate("power", lead=5, passed=True), gate("ready", lead=(1, 2, 3), number=2))),
        ("lateness", (LATE,)),
        ("needs", (Need("a", "b", "power"),)),
    ],
)
def test_another_fact_is_another_ground(part, value):
    given = made()
    assert changed(given, made(facts=replace(given.facts, **{part: value}))) == {part}


def test_a_later_day_of_a_lateness_and_its_missing_mode_count():
    given = made()
    one = made(facts=replace(given.facts, lateness=(LATE,)))
    for other in (replace(LATE, days=4), replace(LATE, mode=None), replace(LATE, happened=date(2026, 9, 2))):
        assert changed(one, made(facts=replace(given.facts, lateness=(other,)))) == {"lateness"}


@dataclass(frozen=True)
class Pair:
    one: object
    other: object


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, "None"), (1, "1"), (1, 1.0), (True, 1), (0.1, 0.10000000000000002), ("", None),
        (Decimal("1.0"), Decimal("1.00")), (("a", "b"), ("ab",)), ((("a",), "b"), (("a", "b"),)), ((), ("",)),
        (("a\0b",), ("a", "b")), ({"a": 1}, {"a": "1"}), ({"a": {}}, {"a": ()}), (Pair("a", "b"), ("a", "b")),
        (Pair("a", None), Pair(None, "a")), (date(2026, 1, 1), datetime(2026, 1, 1)),
        (pl.DataFrame({"a": [1]}), pl.DataFrame({"b": [1]})), (pl.DataFrame({"a": [1]}), pl.DataFrame({"a": [1.0]})),
        (pl.DataFrame({"a": [1, None]}), pl.DataFrame({"a": [None, 1]})),
    ],
)  # fmt: skip
def test_values_that_differ_have_hashes_that_differ(one, other):
    assert hash_of(one) != hash_of(other)


def test_the_order_in_which_a_mapping_was_filled_does_not_count():
    assert hash_of({"a": 1, "b": [2]}) == hash_of({"b": [2], "a": 1})


@pytest.mark.parametrize("value", [{1, 2}, object(), (1, [frozenset()]), {"a": object()}])
def test_what_has_no_known_equality_is_refused_not_taken_for_equal(value):
    with pytest.raises(TypeError, match="equal"):
        hash_of(value)


def build(con, lead, price):
    """A build whose ground is read from a lead time and a price; returns the steps made but the facts'."""
    rows = f"SELECT {lead} AS lead, {price} AS price, unnest([1, 2]) AS number"
    begin(con, ("code", "engine"))
    steps, held, seen = Steps(con), KeptGround(con, made().kept), []
    steps.run("facts", None, lambda to: to.execute(f"CREATE OR REPLACE TABLE core.facts AS {rows}"))
    steps.run("ground", (), lambda to: (seen.append("ground"), held.keep(to)))
    steps.run("forecast", (), lambda to: seen.append(held.asked_by(to).facts.gates[0].lead[0]))
    steps.finish()
    return seen


def test_a_price_makes_the_ground_be_read_again_and_a_lead_time_the_forecast_too(monkeypatch):
    def read(con, kept):
        days = con.sql("SELECT lead FROM core.facts").fetchall()[0][0]
        return replace(ground(one_block(gate("power", lead=days)), line(8)), kept=kept)

    monkeypatch.setattr(module, "ground_of", read)
    with duckdb.connect() as con:
        con.execute("CREATE SCHEMA core")
        assert build(con, lead=5, price=9) == ["ground", 5]
        assert build(con, lead=5, price=9) == []
        assert build(con, lead=5, price=10) == ["ground"]
        assert build(con, lead=6, price=10) == ["ground", 6]
        assert build(con, lead=6, price=10) == []
