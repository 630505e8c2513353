"""Cut-offs in the weeks in which the clocks change, and in week 53: ours, and the windows that Dagster runs."""

from datetime import UTC, datetime

import pytest

from pipelines.partitions import partition_key, weekly_partitions
from turnup.programme import Programme
from turnup.week import Calendar


def programme(zone, weekday="sunday", time="18:00"):
    return Programme(name="p", time_zone=zone, first_week="2026-W02", week={"weekday": weekday, "time": time})


@pytest.mark.parametrize(
    ("zone", "label", "cut_off", "hours"),
    [
        # Clocks change on the Sunday that ends the week: 18:00 local time is UTC+1 or UTC+0 in Dublin, UTC-7 or UTC-8
        # in Los Angeles, and the week has an hour less or more than 168.
        ("Europe/Dublin", "2026-W13", datetime(2026, 3, 29, 17, tzinfo=UTC), 167),
        ("Europe/Dublin", "2026-W14", datetime(2026, 4, 5, 17, tzinfo=UTC), 168),
        ("Europe/Dublin", "2026-W43", datetime(2026, 10, 25, 18, tzinfo=UTC), 169),
        ("America/Los_Angeles", "2026-W10", datetime(2026, 3, 9, 1, tzinfo=UTC), 167),
        ("America/Los_Angeles", "2026-W44", datetime(2026, 11, 2, 2, tzinfo=UTC), 169),
        ("Europe/Dublin", "2026-W53", datetime(2027, 1, 3, 18, tzinfo=UTC), 168),
    ],
)
def test_cut_offs_by_hand(zone, label, cut_off, hours):
    week = Calendar(programme(zone)).week(label)
    assert week.cut_off == cut_off
    assert (week.cut_off - week.start).total_seconds() == hours * 3600


@pytest.mark.parametrize("zone", ["Europe/Dublin", "America/Los_Angeles", "Asia/Kolkata"])
@pytest.mark.parametrize(
    ("weekday", "time"), [("friday", "18:00"), ("sunday", "18:00"), ("sunday", "00:30"), ("monday", "06:00")]
)
def test_dagster_runs_the_same_windows_for_a_year_and_a_half(zone, weekday, time):
    made = programme(zone, weekday, time)
    calendar, partitions = Calendar(made), weekly_partitions(made)
    week = calendar.week("2026-W02")
    for _ in range(78):
        window = partitions.time_window_for_partition_key(partition_key(made, week))
        assert (window.start.timestamp(), window.end.timestamp()) == (week.start.timestamp(), week.cut_off.timestamp())
        week = calendar.after(week)
