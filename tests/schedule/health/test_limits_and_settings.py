"""Limits as they are written, verdicts with unknown parts, and settings from a preset."""

from fractions import Fraction

import pytest
from pydantic import ValidationError

from turnup.schedule.health.limits import Limit
from turnup.schedule.health.presets import PRESETS
from turnup.schedule.health.results import percent, verdict_of
from turnup.schedule.health.settings import HealthSettings, Limits


@pytest.mark.parametrize(
    ("text", "value", "met"),
    [
        ("<= 5%", Fraction(1, 20), True),
        ("<= 5%", Fraction(50_001, 1_000_000), False),
        ("< 5%", Fraction(1, 20), False),
        (">= 90%", Fraction(9, 10), True),
        ("> 0.95", Fraction(19, 20), False),
        (">=0.95", Fraction(19, 20), True),
    ],
)
def test_a_limit_is_exact(text, value, met):
    assert Limit.of(text).met_by(value) is met


@pytest.mark.parametrize("text", ["5%", "= 5%", "<= five", "<= -1%", "<= 5 %%", "", "<= 1e9"])
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(ValueError, match="no limit such as"):
        Limit.of(text)
    with pytest.raises(ValidationError):
        Limits(logic=text)


def test_a_limit_in_words():
    assert [Limit.of(text).words for text in ("<= 5%", "< 1%", ">= 0.95", ">90%")] == [
        "at most 5 %", "below 1 %", "at least 0.95", "above 90 %",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("numerator", "unknown", "denominator", "verdict"),
    [
        (1, 0, 20, "pass"),
        (2, 0, 20, "fail"),
        (0, 1, 20, "pass"),  # were it bad, 1 of 20 would still do
        (1, 1, 20, "no data"),  # it could be either
        (2, 5, 20, "fail"),  # whatever they are
        (0, 0, 0, "no data"),
    ],
)
def test_unknown_parts_never_make_a_verdict(numerator, unknown, denominator, verdict):
    assert verdict_of(numerator, unknown, denominator, Limit.of("<= 5%")) == verdict


def test_a_small_share_does_not_look_like_nothing():
    assert [percent(Fraction(*parts)) for parts in ((0, 9), (1, 7586), (8, 4217), (1, 1))] == [
        "0.0 %", "0.01 %", "0.2 %", "100.0 %",
    ]  # fmt: skip


def test_a_preset_is_a_beginning():
    settings = HealthSettings(preset="oracle", floats={"high_days": 30}, limits={"leads": "<= 2%"})
    assert settings.hard == "mandatory"
    assert settings.logic.level_of_effort
    assert settings.floats.high_days == 30
    assert settings.limits.leads == "<= 2%"
    assert settings.limits.hard_constraints == "< 1%"
    assert settings.limits.lags == "<= 5%"


def test_given_parts_may_be_models():
    assert HealthSettings(preset="oracle", limits=Limits(leads="<= 2%")).limits.hard_constraints == "<= 5%"


def test_the_defaults_are_those_of_the_dcma():
    assert HealthSettings() == HealthSettings(preset="dcma")


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_are_settings(name):
    assert HealthSettings(preset=name).preset == name
    assert HealthSettings.model_validate_json(HealthSettings(preset=name).model_dump_json()) == HealthSettings(
        preset=name
    )


def test_what_is_chosen_otherwise_is_told():
    assert HealthSettings().described == "DCMA-EA PAM 200.1"
    changed = HealthSettings(preset="oracle", floats={"high_days": 30}, limits={"leads": "<= 2%"}, milestones=False)
    assert changed.described == (
        "Check Schedule of Oracle Primavera P6; milestones false; limits.leads <= 2%; floats.high_days 30"
    )
    same = HealthSettings(preset="oracle", hard="mandatory")
    assert same.described == "Check Schedule of Oracle Primavera P6"


def test_unknown_keys_and_presets_are_refused():
    for wrong in (
        {"preset": "best"},
        {"preset": ["oracle"]},
        {"limits": 5},
        {"logics": {}},
        {"hard": "soft"},
        {"path": {"delay_days": 0}},
    ):
        with pytest.raises(ValidationError):
            HealthSettings.model_validate(wrong)
