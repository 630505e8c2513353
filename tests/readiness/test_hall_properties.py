"""Whatever the systems, blocks and halls: nothing is counted twice, and nothing unknown is counted as zero."""

from datetime import date, timedelta
from random import Random

import pytest

from tests.readiness.test_halls import block, hall, later, system
from tests.readiness.tiny import AS_OF, modelled, rows

TABLES = ("core.block_room", "core.hall_weeks", "core.hall_runouts")
HALLS = ("A", "B", None)


def programme(seed):
    """Return datasets of 25 systems of 1 to 4 blocks over two halls of three phases, some of it unknown or undated."""
    draw = Random(seed)

    def day():
        return AS_OF + timedelta(days=draw.randrange(-60, 340)) if draw.random() < 0.8 else None

    phases = [
        hall(name, str(number), kw=draw.choice((200, 500)), racks=draw.randrange(5, 40))
        | (later(day()) if draw.random() < 0.4 else {})
        for name in ("A", "B") for number in (1, 2, 3)
    ]  # fmt: skip
    systems, blocks = [], []
    for number in range(25):
        name = f"S{number}"
        known = draw.random() < 0.9
        systems.append(system(name, draw.randrange(1, 150) if known else None, racks=draw.randrange(1, 6),
                              priority=draw.randrange(1, 5), hall=draw.choice(HALLS)))  # fmt: skip
        for place in range(draw.randrange(0, 5)):
            own = {"design_kw": draw.randrange(1, 10)} if draw.random() < 0.1 else {}
            blocks.append(block(name, f"B{place}", units=draw.randrange(1, 9), order=place, hall=draw.choice(HALLS),
                                install_date=day(), **own))  # fmt: skip
    sites = [{"site_id": "ABL", "name": "Abilene", "facility": "first_party"}]
    return {"sites": sites, "facility_capacity": phases, "systems": systems, "blocks": blocks}


@pytest.fixture(scope="module", params=range(4))
def found(request):
    """A database with the room of a random programme, and the programme."""
    data = programme(request.param)
    return data, modelled(data, *TABLES)


def test_a_system_needs_its_design_once_and_no_more(found):
    data, con = found
    loads = {r["system_id"]: r for r in rows(con, "SELECT system_id, count(*) AS blocks, count(DISTINCT block_key) AS "
             "distinct_blocks, sum(kw) AS kw, count(kw) AS known FROM core.hall_loads GROUP BY ALL")}  # fmt: skip
    own = {}
    for row in data["blocks"]:
        own.setdefault(row["system_id"], []).append(row.get("design_kw"))
    for one in data["systems"]:
        load, stated = loads[one["system_id"]], own.get(one["system_id"], [None])
        assert load["blocks"] == load["distinct_blocks"] == len(stated)
        known = sum(kw for kw in stated if kw is not None)
        if one["design_kw"] is None:
            assert load["known"] == sum(kw is not None for kw in stated)  # the others stay unknown, not zero
        elif None in stated:
            assert load["kw"] == max(one["design_kw"], known)
        else:
            assert load["kw"] == known


def test_the_halls_of_a_site_hold_its_placed_loads_and_the_whole_site_all(found):
    _, con = found
    query = """SELECT sum(kw) AS all_kw, sum(kw) FILTER (hall_key IS NOT NULL) AS placed FROM core.hall_loads
        WHERE coalesce(day, DATE '2026-01-01') <= DATE '2027-10-29'"""
    (total,) = rows(con, query)
    last = rows(con, "SELECT hall_key, load FROM core.hall_weeks WHERE week_no = 52 AND resource = 'power'")
    assert sum(row["load"] for row in last if row["hall_key"] != "*") == total["placed"]
    assert [row["load"] for row in last if row["hall_key"] == "*"] == [total["all_kw"]]


def test_what_is_not_known_never_makes_room(found):
    _, con = found
    guessed = "SELECT count(*) AS n FROM core.block_room WHERE ratio >= 1 AND unknown > 0"
    assert rows(con, guessed) == [{"n": 0}]
    guessed = (
        "SELECT count(*) AS n FROM core.hall_weeks WHERE headroom >= 0 AND (unknown_loads > 0 OR silent_phases > 0)"
    )
    assert rows(con, guessed) == [{"n": 0}]


def test_headroom_is_what_is_ready_less_what_is_due(found):
    _, con = found
    assert rows(con, "SELECT count(*) AS n FROM core.hall_weeks WHERE headroom <> ready - load") == [{"n": 0}]
    growing = """SELECT count(*) AS n FROM (SELECT load < lag(load) OVER (PARTITION BY hall_key, resource
        ORDER BY week_no) AS less FROM core.hall_weeks) WHERE less"""
    assert rows(con, growing) == [{"n": 0}]


def test_who_is_left_out_needs_at_least_what_is_short(found):
    _, con = found
    query = """SELECT count(*) AS n FROM core.hall_runouts r WHERE r.short > (
        SELECT sum(CASE r.resource WHEN 'racks' THEN l.racks ELSE l.kw END) FROM core.hall_loads l
        WHERE list_contains(string_split(r.pushed_by, ', '), CASE l.block WHEN 'all' THEN l.system_id
            ELSE l.system_id || ' ' || l.block END))"""
    assert rows(con, query) == [{"n": 0}]


def test_the_order_of_rows_never_matters(found):
    data, con = found
    shuffled = {name: Random(1).sample(given, len(given)) for name, given in data.items()}
    other = modelled(shuffled, *TABLES)
    for query in (
        "SELECT system_key, block_key, resource, ready, load, ratio FROM core.block_room ORDER BY ALL",
        "SELECT hall_key, resource, week_no, ready, load, headroom FROM core.hall_weeks ORDER BY ALL",
        "SELECT hall_key, resource, week_end, short, pushed_by, covered_on FROM core.hall_runouts ORDER BY ALL",
    ):
        assert rows(con, query) == rows(other, query)


def test_a_phase_that_is_ready_today_is_no_worse_than_one_planned(found):
    data, con = found
    sooner = [row | {"actual_ready": date(2026, 1, 1), "kw_energised": row["kw_contracted"]}
              for row in data["facility_capacity"]]  # fmt: skip
    other = modelled(data | {"facility_capacity": sooner}, *TABLES)
    room = "SELECT hall_key, resource, week_no, ready FROM core.hall_weeks ORDER BY ALL"
    before, after = (rows(one, room) for one in (con, other))
    assert all(one["ready"] <= two["ready"] for one, two in zip(before, after, strict=True))
