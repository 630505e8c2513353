"""Slips of milestones: the Ranger launches as they were told month by month, and properties of any history."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.trend.slips import slips

CASES = Path(__file__).parents[3] / "shared" / "cases" / "reports"
_DAYS = st.dates(date(2020, 1, 1), date(2030, 1, 1))


def _month(text: str, add: int = 0) -> date:
    year, month = (int(part) for part in text.split(":"))
    whole = year * 12 + month - 1 + add
    return date(whole // 12, whole % 12 + 1, 1)


def _ranger(file: Path) -> tuple[dict[str, list[tuple[date, date]]], dict[str, date]]:
    """Reports (month, launch month told) per flight, and the months of the launches."""
    told: dict[str, list[tuple[date, date]]] = {}
    launched: dict[str, date] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("19"):
            continue
        at, flight, event, value = line.split()[:4]
        if event == "Start":
            told[flight] = [(_month(at), _month(value))]
        elif event == "Delta":
            last = told[flight][-1][1]
            told[flight].append((_month(at), _month(f"{last.year}:{last.month}", int(value))))
        else:
            launched[flight] = _month(at)
    return told, launched


@pytest.mark.parametrize("name", ["nasa-slip-orig.dat", "nasa-slip-vert.dat"])
def test_ranger_history(name: str) -> None:
    if not (CASES / name).exists():
        pytest.skip("the shared cases are not here")
    told, launched = _ranger(CASES / name)
    assert sorted(told) == [f"RA-{n}" for n in range(1, 10)]
    found = {flight: slips(reports) for flight, reports in told.items()}
    assert len(found["RA-8"]) == 6
    assert sum(slip.months for slip in found["RA-8"]) == 21
    assert [slip.months for slip in found["RA-8"]] == [1, 9, 2, 7, 1, 1]
    assert [slip.months for slip in found["RA-5"]] == [-1, 5, -1]
    for flight, on in launched.items():
        assert told[flight][-1][1] == on, f"{flight} ends on the diagonal"


@given(st.dictionaries(_DAYS, _DAYS, min_size=1, max_size=30))
def test_slips_add_up_to_the_net_slip(told: dict[date, date]) -> None:
    found = slips(told.items())
    first, last = told[min(told)], told[max(told)]
    assert sum(slip.days for slip in found) == (last - first).days
    assert sum(slip.months for slip in found) == (last.year - first.year) * 12 + last.month - first.month
    assert all(slip.days for slip in found)


@given(st.dictionaries(_DAYS, _DAYS, min_size=1, max_size=10), st.integers(1, 40))
def test_a_report_that_tells_nothing_new_is_no_slip(told: dict[date, date], later: int) -> None:
    last = max(told)
    again = told | {last + timedelta(days=later): told[last]}
    assert slips(again.items()) == slips(told.items())
