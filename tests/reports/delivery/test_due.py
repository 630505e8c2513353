"""Who is due what, and when."""

from datetime import UTC, datetime

import pytest

from reports.delivery.due import due
from turnup.warehouse.manifest import ManifestStore


def versions(house):
    return sorted(version for version, *_ in house.states())


def test_an_open_week_goes_only_to_those_who_want_every_result(house):
    house.recipients = (*house.recipients, {"name": "Cleo", "email": "cleo@example.net", "report": "governance",
                                            "cadence": "every_result"})  # fmt: skip
    house.manifest("2026-W45", state="open")
    house.round()
    assert house.states() == {("2026-W45.1", "governance", "cleo@example.net"): "sent"}
    house.manifest("2026-W45", 2, "open")
    house.round()
    assert versions(house) == ["2026-W45.1", "2026-W45.2"]


def test_weeks_that_were_loaded_later_are_not_mailed(house):
    for number in range(38, 45):
        house.manifest(f"2026-W{number}")
    house.round()
    assert set(versions(house)) == {"2026-W44.1"}


def test_a_restatement_goes_to_those_who_had_the_week(house):
    house.manifest()
    house.round()
    house.later(days=14)
    house.manifest("2026-W46")
    house.manifest("2026-W44", 2, "restated")
    house.manifest("2026-W40", 2, "restated")  # never went out
    house.round()
    assert sorted(set(versions(house))) == ["2026-W44.1", "2026-W44.2", "2026-W46.1"]
    assert len(house.taken.of("ada@example.net")) == 3


@pytest.mark.parametrize(
    ("week", "now", "falls_due"),
    [
        # The next cut-offs after Friday 2026-10-30 and 2026-10-23 are 2026-11-06 and 2026-10-30.
        ("2026-W44", datetime(2026, 11, 2, 9, tzinfo=UTC), True),
        ("2026-W43", datetime(2026, 10, 26, 9, tzinfo=UTC), False),
    ],
)
def test_monthly_is_the_last_week_that_closes_in_a_month(house, week, now, falls_due):
    house.recipients = ({**house.recipients[0], "cadence": "monthly"},)
    house.now = now
    house.manifest(week)
    assert house.round().sent == int(falls_due)


def test_the_same_person_twice_in_the_list_gets_one_message(house):
    house.recipients = (*house.recipients, {**house.recipients[0], "email": "Ada@Example.net"})
    house.manifest()
    assert house.round().sent == 2


def test_a_held_report_waits_and_goes_out_once_it_is_released(house):
    house.manifest()
    house.held["executive"] = "DRAFT: inbox is stale; turnup report release lets it go"
    house.round()
    house.round()
    assert house.states()[("2026-W44.1", "executive", "ada@example.net")] == "held"
    assert house.taken.of("ada@example.net") == []
    assert len(house.taken.of("ops@example.net")) == 1
    house.held.clear()
    house.round()
    assert len(house.taken.of("ada@example.net")) == 1


def test_without_a_mail_server_nothing_is_due(house):
    house.manifest()
    programme = house.programme().model_copy(
        update={"delivery": house.programme().delivery.model_copy(update={"mail": None})}
    )
    assert due(programme, ManifestStore(house.root / "store"), [], house.now) == []


def test_what_a_person_wants_sent_again_goes_out_however_old_it_is(house):
    house.manifest()
    house.taken.refusals["rcpt"] = ["550 full for ever"]
    house.round()
    house.later(days=21)
    journal = house.journal()
    [refused] = [entry for entry in journal.entries() if entry.state == "refused"]
    journal.put(refused, "waiting", house.now, approved="Cleo: the box has been emptied")
    assert house.round().sent == 1
    assert house.round().sent == 0
    assert [entry.approved for entry in journal.entries() if entry.message == refused.message] == [
        "Cleo: the box has been emptied"
    ]
