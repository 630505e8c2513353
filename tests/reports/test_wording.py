from datetime import date, datetime
from decimal import Decimal

import pytest

from reports import wording as w


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (Decimal("0.000"), "0"),
        (24576, "24,576"),
        (Decimal("52.500"), "52.5"),
        (Decimal("-3.25"), "−3.25"),
        (100, "100"),
    ],
)
def test_quantity(value: Decimal | None, text: str) -> None:
    assert w.quantity(value) == text


@pytest.mark.parametrize(("value", "text"), [(412, "+412"), (-612, "−612"), (0, "0"), (None, "–")])
def test_signed(value: int | None, text: str) -> None:
    assert w.signed(value) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(6891, 10078, "68 %"), (9999, 10000, "99 %"), (3, 2, "150 %"), (0, 5, "0 %"), (1, 0, "–"), (None, 5, "–")],
)
def test_percent_is_rounded_down(part: int | None, whole: int, text: str) -> None:
    assert w.percent(None if part is None else Decimal(part), Decimal(whole)) == text


@pytest.mark.parametrize(
    ("value", "text"), [("0.38", "38 %"), ("0.998", "> 99 %"), ("1", "100 %"), ("0.003", "< 1 %"), ("0", "0 %")]
)
def test_share_never_claims_certainty(value: str, text: str) -> None:
    assert w.share(Decimal(value)) == text


@pytest.mark.parametrize(
    ("value", "text"), [("912533.33", "USD 913k"), ("1240000", "USD 1.24M"), ("9500", "USD 9,500"), ("0", "USD 0")]
)
def test_money(value: str, text: str) -> None:
    assert w.money(Decimal(value), "USD") == text


def test_dates_and_instants_are_those_of_the_programme() -> None:
    assert w.day(date(2026, 6, 12)) == "12 Jun 26"
    assert w.day(None) == "–"
    assert w.instant(datetime(2026, 10, 30, 23, 0), "America/Chicago") == "Fri 2026-10-30 18:00 CDT"
    assert w.instant(datetime(2026, 1, 1, 3, 0), "America/Chicago") == "Wed 2025-12-31 21:00 CST"


def test_plural_and_listed() -> None:
    assert [w.plural(n, "row") for n in (0, 1, 1200)] == ["no rows", "1 row", "1,200 rows"]
    assert [w.listed(x) for x in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_kinds_keep_their_order_and_unknown_ones_come_last() -> None:
    assert sorted(["zeta", "storage", "gpu_cluster"], key=w.kind_rank) == ["gpu_cluster", "storage", "zeta"]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("Chance of meeting it: 0 % (last week < 1 %).", "Chance of meeting it: 0\u00a0% (last week < 1\u00a0%)."),
        ("+5 d, 1,152 kW, 480 GB/s", "+5\u00a0d, 1,152\u00a0kW, 480\u00a0GB/s"),
        ("3 of 8 halls, 12 days, 4 Dallas, 31 Dec 26, phase 2 Data", None),
        ("", None),
    ],
)
def test_a_figure_keeps_its_unit_on_its_line(text, bound):
    assert w.together(text) == (bound or text)
    assert w.together(text).replace("\u00a0", " ") == text
