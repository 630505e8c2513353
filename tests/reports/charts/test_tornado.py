from datetime import date
from decimal import Decimal

from reports.charts.behind import behind
from reports.charts.tornado import draw_tornado
from reports.models.charts import Tornado, TornadoBar

BARS = (
    TornadoBar("Acceptance", date(2027, 1, 1), date(2027, 1, 31), Decimal(30)),
    TornadoBar("Shipment", date(2027, 1, 11), date(2027, 1, 26), Decimal(15)),
)
CHART = Tornado("t", "title", date(2027, 1, 16), date(2027, 1, 6), BARS, "d")


def test_bars_share_one_scale_of_days() -> None:
    d = draw_tornado(CHART, 600)
    wide, narrow = d.bars
    assert abs(narrow.width - wide.width / 2) <= 0.2
    assert abs(d.base - (wide.x + wide.width / 2)) <= 0.2  # the P80 as forecast lies in the middle of the wide bar
    assert d.contract is not None
    assert abs(d.contract - (wide.x + wide.width / 6)) <= 0.2
    assert [bar.value for bar in d.bars] == ["30 d", "15 d"]


def test_a_contract_date_outside_the_bars_is_not_drawn() -> None:
    late = Tornado("t", "title", date(2027, 1, 16), date(2026, 1, 6), BARS, "d")
    assert draw_tornado(late, 340).contract is None


def test_the_same_figures_stand_behind_it() -> None:
    heads, rows = behind(CHART)
    assert heads[0] == "Input"
    assert rows[0] == ("Acceptance", "1 Jan 27", "31 Jan 27", "30 d")
