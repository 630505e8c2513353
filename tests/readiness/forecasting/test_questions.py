"""What-if texts: every form is read as it is written, everything else is refused with the text and what is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.readiness.forecasting.questions import (
    ALLOWED,
    POOLS,
    ActivityTakes,
    ArrivalMoves,
    GateMoves,
    QuestionError,
    RiskComes,
    ThroughputGrows,
    read_question,
)
from turnup.yaml_source import ConfigurationError

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._#-]{0,12}( [A-Za-z0-9]{1,6})?", fullmatch=True)
DAYS = st.integers(0, 999)
SPACE = st.sampled_from(["", " "])


@pytest.mark.parametrize("text", ALLOWED)
def test_what_an_error_shows_as_allowed_is_allowed(text):
    assert read_question(text).text == text


@given(st.sampled_from(["shipment", "Shipment", "order"]), NAMES, st.sampled_from("+-"), SPACE, DAYS, SPACE)
def test_arrivals_move(source, name, sign, gap, number, unit_gap):
    text = f"{source} {name} {sign}{gap}{number}{unit_gap}d"
    assert read_question(text) == ArrivalMoves(text, source.lower(), name, float(f"{sign}{number}"))


@given(NAMES, DAYS)
def test_activities_take(name, number):
    text = f"activity {name} duration {number}d"
    assert read_question(text) == ActivityTakes(text, name, number)


@given(NAMES, NAMES, st.booleans(), st.sampled_from("+-"), DAYS)
def test_gates_move(system, gate, of_block, sign, number):
    path = f"{system}/B1/{gate}" if of_block else f"{system}/{gate}"
    text = f"gate {path} {sign}{number} days"
    assert read_question(text) == GateMoves(text, path, float(f"{sign}{number}"))


@given(NAMES, st.booleans())
def test_risks_happen_or_do_not(name, happens):
    text = f"risk {name} {'happens' if happens else 'does not happen'}"
    assert read_question(text) == RiskComes(text, name, happens)


@given(NAMES, st.sampled_from(POOLS), st.floats(0.1, 20).map(lambda value: round(value, 1)))
def test_throughput_grows(site, pool, factor):
    text = f"throughput {site} {pool} x{factor}"
    assert read_question(text) == ThroughputGrows(text, site, pool, factor)


@pytest.mark.parametrize(
    "text",
    ["", "shipment S-12", "shipment S-12 14d", "shipment +14d", "activity A1 duration", "gate install +7d",
     "risk R-3 may happen", "throughput ABL lunch x2", "throughput ABL install 2", "throughput ABL install x0",
     "ship it"],
)  # fmt: skip
def test_anything_else_is_refused_with_its_text(text):
    with pytest.raises(QuestionError) as error:
        read_question(text)
    assert f"'{text}'" in str(error.value)
    assert "such as" in str(error.value)
    assert isinstance(error.value, ConfigurationError)  # the command line ends with usage, not with a fault


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text):
    try:
        read_question(text)
    except QuestionError as error:
        assert text.strip() in str(error)
