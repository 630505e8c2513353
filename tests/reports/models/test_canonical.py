import json
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

import pytest

from reports.models.canonical import to_json


@dataclass(frozen=True)
class Sample:
    zulu: Decimal
    alpha: tuple[date, ...]
    at: datetime | None = None


def test_keys_sorted_decimals_as_strings_dates_iso() -> None:
    text = to_json(Sample(Decimal("52.500"), (date(2026, 1, 2),)))
    assert text.index('"alpha"') < text.index('"zulu"')
    assert json.loads(text) == {"alpha": ["2026-01-02"], "at": None, "zulu": "52.5"}


@pytest.mark.parametrize(
    ("value", "text"), [("0.000", "0"), ("-0", "0"), ("1E+3", "1000"), ("24576.000", "24576"), ("-1.50", "-1.5")]
)
def test_decimals_have_one_form(value: str, text: str) -> None:
    assert json.loads(to_json(Decimal(value))) == text


def test_floats_are_refused() -> None:
    with pytest.raises(TypeError, match="float"):
        to_json(1.5)
    with pytest.raises(TypeError, match="float in Sample"):
        to_json((Sample(1.5, ()),))  # type: ignore[arg-type]
