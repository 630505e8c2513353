"""Room in halls, worked by hand. Data date Friday 30 October 2026; week ends are Fridays."""

from datetime import date
from decimal import Decimal

from tests.readiness.tiny import modelled, rows

READY = date(2026, 6, 1)


def hall(name, phase="1", kw=400, racks=10, **changes):
    """Return a phase of a hall: ready, with as much cooling as power."""
    row = {
        "site_id": "ABL", "hall": name, "phase": phase, "racks": racks, "kw_contracted": kw, "kw_energised": kw,
        "air_kw": kw / 4, "liquid_kw": kw * 3 / 4, "planned_ready": READY, "actual_ready": READY,
    }  # fmt: skip
    return row | changes


def later(day, **changes):
    """What makes a phase a planned one."""
    return {"kw_energised": 0, "actual_ready": None, "planned_ready": day} | changes


def system(name, kw, racks=4, priority=1, **changes):
    """Return a system at the site."""
    row = {
        "system_id": name, "name": name, "kind": "gpu_cluster", "site_id": "ABL", "supply_model": "owned",
        "design_kw": kw, "racks": racks, "priority": priority, "owner": "Ana Ruiz",
    }  # fmt: skip
    return row | changes


def block(of, name, units=8, order=1, **changes):
    """Return a block."""
    return {"system_id": of, "block": name, "units": units, "planned_order": order} | changes


def asked(query, phases, systems, blocks=()):
    """Return the rows of a query over a site of these halls and systems."""
    data = {
        "sites": [{"site_id": "ABL", "name": "Abilene", "facility": "first_party"}],
        "facility_capacity": list(phases), "systems": list(systems), "blocks": list(blocks),
    }  # fmt: skip
    tables = ("core.block_room", "core.hall_weeks", "core.hall_runouts", "core.found_sites", "core.site_dates")
    return rows(modelled(data, *tables), query)


def ratios(*given, resource="power"):
    """Return system and block -> what its hall offers against what is due in it up to the block."""
    query = f"SELECT system_id, block, ratio FROM core.block_room WHERE resource = '{resource}'"
    found = asked(query, *given)
    return {f"{row['system_id']} {row['block']}": row["ratio"] for row in found}


def headroom(*given, resource="power", where="hall = 'A'"):
    """Return week number -> headroom, of the weeks in which it changes."""
    query = f"SELECT week_no, headroom FROM core.hall_weeks WHERE resource = '{resource}' AND {where} ORDER BY week_no"
    found: dict[int, Decimal | None] = {}
    last: object = "none yet"
    for row in asked(query, *given):
        if row["headroom"] != last:
            found[row["week_no"]] = last = row["headroom"]
    return found


class TestLoads:
    """What a block needs, where and from when."""

    def loads(self, *given):
        found = asked("SELECT block, kw, racks, hall, day, day_basis FROM core.hall_loads ORDER BY block_no", *given)
        return [tuple(row.values()) for row in found]

    def test_blocks_share_the_design_of_their_system_by_capacity(self):
        # 100 kW over 8 + 8 + 16: 25, 25 and 50; 3 racks: round(0.75), round(1.5) and the rest
        blocks = [block("G", "B1", 8, 1), block("G", "B2", 8, 2), block("G", "B3", 16, 3)]
        found = self.loads([hall("A")], [system("G", 100, racks=3)], blocks)
        assert [(row[1], row[2]) for row in found] == [(25, 1), (25, 1), (50, 1)]

    def test_a_block_that_states_its_own_leaves_the_rest_to_the_others(self):
        blocks = [block("G", "B1", 8, 1, design_kw=70, racks=2), block("G", "B2", 8, 2), block("G", "B3", 8, 3)]
        found = self.loads([hall("A")], [system("G", 100)], blocks)
        assert [(row[1], row[2]) for row in found] == [(70, 2), (15, 1), (15, 1)]

    def test_an_unknown_load_stays_unknown(self):
        (found,) = self.loads([hall("A")], [system("G", None, racks=None)])
        assert found[1:3] == (None, None)

    def test_the_hall_is_that_of_the_block_else_of_the_system_else_the_only_one(self):
        blocks = [block("G", "B1", hall=" b "), block("G", "B2", order=2)]
        assert [row[3] for row in self.loads([hall("A"), hall("B")], [system("G", 1, hall="A")], blocks)] == ["b", "A"]
        assert [row[3] for row in self.loads([hall("A")], [system("G", 1)], blocks[1:])] == ["A"]
        assert [row[3] for row in self.loads([hall("A"), hall("B")], [system("G", 1)], blocks[1:])] == [None]

    def test_the_day_is_the_planned_one_before_that_of_need(self):
        blocks = [
            block("G", "B1", install_date=date(2026, 11, 20), need_date=date(2026, 12, 1)),
            block("G", "B2", order=2, need_date=date(2026, 12, 1)),
            block("G", "B3", order=3),
        ]
        found = self.loads([hall("A")], [system("G", 1)], blocks)
        assert [row[4:] for row in found] == [
            (date(2026, 11, 20), "planned installation"), (date(2026, 12, 1), "day of need"), (None, "no day"),
        ]  # fmt: skip

    def test_links_and_clouds_need_no_room(self):
        systems = [system("W", None, kind="wan_link"), system("C", None, supply_model="cloud")]
        assert self.loads([hall("A")], systems) == []


class TestGate:
    """A block finds room when the hall covers all that is due in it up to the block."""

    def test_blocks_take_their_room_by_day_then_priority(self):
        systems = [system("LOW", 150, priority=2), system("HIGH", 150, priority=1), system("EARLY", 150, priority=3)]
        blocks = [
            block("LOW", "B", need_date=date(2026, 12, 1)), block("HIGH", "B", need_date=date(2026, 12, 1)),
            block("EARLY", "B", need_date=date(2026, 11, 6)),
        ]  # fmt: skip
        found = ratios([hall("A", kw=300)], systems, blocks)
        assert found == {"EARLY B": 2.0, "HIGH B": 1.0, "LOW B": 300 / 450}

    def test_each_hall_by_itself(self):
        blocks = [block("G", "B1", hall="A"), block("G", "B2", order=2, hall="B")]
        found = ratios([hall("A", kw=400), hall("B", kw=90)], [system("G", 200)], blocks)
        assert found == {"G B1": 4.0, "G B2": 0.9}

    def test_a_block_without_a_hall_is_judged_by_the_whole_site(self):
        systems = [system("G", 300, hall="A", priority=1), system("S", 300, priority=2)]
        found = ratios([hall("A", kw=400), hall("B", kw=100)], systems)
        assert found == {"G all": 400 / 300, "S all": 500 / 600}

    def test_an_unknown_load_before_it_is_no_data(self):
        systems = [system("X", None, priority=1), system("G", 100, priority=2)]
        assert ratios([hall("A", kw=400)], systems) == {"X all": None, "G all": None}
        # but 500 known kW do not fit whatever X needs
        systems = [system("X", None, priority=1), system("G", 500, priority=2)]
        assert ratios([hall("A", kw=400)], systems) == {"X all": None, "G all": 0.8}

    def test_an_offer_nobody_states_is_no_data_unless_the_known_ones_do(self):
        assert ratios([hall("A", kw_energised=None)], [system("G", 100)]) == {"G all": None}
        phases = [hall("A", kw_energised=None), hall("A", "2", kw=100)]
        assert ratios(phases, [system("G", 100)]) == {"G all": 1.0}

    def test_a_hall_that_the_site_does_not_have_is_no_data_and_a_finding(self):
        given = [hall("A"), hall("B")], [system("G", 100, hall="C")]
        assert ratios(*given) == {"G all": None}
        (found,) = asked("SELECT code, subject, message FROM core.found_sites", *given)
        assert found["code"] == "hall_unknown"
        assert found["message"] == "G stands in hall C, which site ABL does not have"

    def test_power_counts_as_energised_and_cooling_and_racks_when_ready(self):
        phases = [hall("A", kw=400, **later(date(2026, 12, 4), kw_energised=100))]
        assert ratios(phases, [system("G", 200)]) == {"G all": 0.5}
        assert ratios(phases, [system("G", 200)], resource="cooling") == {"G all": 0.0}
        assert ratios(phases, [system("G", 200)], resource="racks") == {"G all": 0.0}


class TestDates:
    """The day on which the hall of a block is planned to cover it."""

    def days(self, *given):
        found = asked("SELECT block_key, ready_on FROM core.site_dates ORDER BY block_key", *given)
        return {row["block_key"]: row["ready_on"] for row in found}

    def test_blocks_have_their_own_days(self):
        phases = [
            hall("A", kw=100), hall("A", "2", kw=100, **later(date(2026, 12, 4))),
            hall("A", "3", kw=200, **later(date(2027, 1, 15))),
        ]  # fmt: skip
        blocks = [block("G", name, order=number) for number, name in enumerate(("B1", "B2", "B3"), start=1)]
        found = self.days(phases, [system("G", 300, racks=3)], blocks)
        assert found == {"b2": date(2026, 12, 4), "b3": date(2027, 1, 15)}

    def test_what_is_not_planned_has_no_day(self):
        assert self.days([hall("A", kw=100)], [system("G", 300)]) == {"all": None}


class TestWeeks:
    """Headroom by week, and the first week in which a hall runs out."""

    PHASES = (hall("A", kw=300), hall("A", "2", kw=200, **later(date(2026, 12, 11))))
    BLOCKS = (
        block("G", "B1", order=1, install_date=date(2026, 10, 1)),
        block("G", "B2", order=2, install_date=date(2026, 11, 11)),
        block("G", "B3", order=3, install_date=date(2026, 11, 25)),
    )

    def test_loads_come_with_their_weeks_and_phases_with_theirs(self):
        # 130 kW a block. 30 October: 170 left; B2 by 13 November: 40; B3 by 27 November: -90; phase 2: 110
        found = headroom(self.PHASES, [system("G", 390)], self.BLOCKS)
        assert found == {0: 170, 2: 40, 4: -90, 6: 110}

    def test_the_first_week_short_names_who_is_left_out_and_when_it_is_covered(self):
        (found,) = asked("SELECT * FROM core.hall_runouts WHERE resource = 'power'", self.PHASES, [system("G", 390)],
                         self.BLOCKS)  # fmt: skip
        assert (found["week_end"], found["short"], found["pushed_by"]) == (date(2026, 11, 27), 90, "G B3")
        assert found["covered_on"] == date(2026, 12, 11)
        codes = asked("SELECT code, message FROM core.found_sites WHERE item LIKE '%power'", self.PHASES,
                      [system("G", 390)], self.BLOCKS)  # fmt: skip
        assert codes == [{
            "code": "hall_runs_out",
            "message": "A of ABL runs out of power in the week to 2026-11-27: 300 of 390 kW ready; no room for G B3, "
                       "covered in the week to 2026-12-11",
        }]  # fmt: skip

    def test_racks_run_out_by_themselves(self):
        phases = [hall("A", kw=1000, racks=6)]
        blocks = [block("G", "B1", order=1), block("G", "B2", order=2, install_date=date(2026, 11, 6))]
        assert headroom(phases, [system("G", 100, racks=8)], blocks, resource="racks") == {0: 2, 1: -2}
        assert headroom(phases, [system("G", 100, racks=8)], blocks, resource="cooling") == {0: 950, 1: 900}

    def test_an_overdue_phase_counts_nothing_until_it_is_ready_or_dated_anew(self):
        phases = [hall("A", kw=100, **later(date(2026, 10, 16)))]
        assert headroom(phases, [system("G", 60)]) == {0: -60}

    def test_unknown_is_not_zero(self):
        systems = [system("G", 100), system("X", None, priority=2)]
        assert headroom([hall("A", kw=400)], systems) == {0: None}
        assert headroom([hall("A", kw=80)], systems) == {0: -20}  # at most
        codes = asked("SELECT code, message FROM core.found_sites", [hall("A", kw=400)], systems)
        message = "the design power of X is not stated, so the headroom of A is not known"
        assert codes == [{"code": "design_unknown", "message": message}]

    def test_blocks_without_a_hall_are_counted_for_the_whole_site(self):
        phases = [hall("A", kw=100), hall("B", kw=100)]
        systems = [system("G", 80, hall="A"), system("S", 90, priority=2)]
        assert headroom(phases, systems) == {0: 20}
        assert headroom(phases, systems, where="hall = 'the whole site'") == {0: 30}


def test_blocks_that_add_up_to_another_design_are_a_finding():
    blocks = [block("G", "B1", design_kw=60, racks=2), block("G", "B2", order=2, design_kw=60, racks=2)]
    found = asked("SELECT code, message FROM core.found_sites", [hall("A")], [system("G", 100)], blocks)
    message = "the blocks of G are designed for 120 kW together, the system for 100 kW; the blocks count"
    assert found == [{"code": "design_conflict", "message": message}]
