"""No message of a configuration speaks pydantic: each names file, line, key, what was found and what was expected."""

import re

import pytest

from turnup.expected_values import _PATTERNS
from turnup.programme import Home, Programme
from turnup.yaml_source import ConfigurationError

GOOD = """name: Aurora
time_zone: UTC
sources:
  parts:
    dataset: bom
    files: "BOM*.csv"
"""
FAULTS = {
    "name: 3": ("name", "a text, in quotes where it looks like a number"),
    "week: {weekday: fridai}": ("week.weekday", "'monday', 'tuesday'"),
    'week: {time: "25:00"}': ("week.time", "a time of day such as 18:00"),
    "first_week: W33": ("first_week", "a week such as 2026-W33"),
    "forecast: {iterations: many}": ("forecast.iterations", "a whole number"),
    "forecast: {iterations: 2000000}": ("forecast.iterations", "1000000 or less"),
    "forecast: {confidence: 5}": ("forecast.confidence", "a list"),
    "thresholds: {spares_service_level: 1}": ("thresholds.spares_service_level", "less than 1"),
    "thresholds: {pre_fec_ber: low}": ("thresholds.pre_fec_ber", "a number"),
    "holidays: [never]": ("holidays.0", "a day such as 2026-08-14, in quotes"),
    "currency: usd": ("currency", "three capital letters such as USD"),
    "recipients: [{name: A, email: ana, report: executive}]": ("recipients.0.email", "one address such as"),
    "recipients: Ana": ("recipients", "a list"),
    "retention: 52": ("retention", "keys with values below this key"),
    "roles: {'': [Ana]}": ("roles.", "at least 1 letter"),
    "SOURCE header: 0": ("sources.parts.header", "1 or more or 'auto'"),
    "SOURCE required: maybe": ("sources.parts.required", "true or false"),
    "SOURCE columns: [PN]": ("sources.parts.columns", "keys with values below this key"),
    "SOURCE delimiter: ';;'": ("sources.parts.delimiter", "at most 1 letter"),
    "SOURCE max_age_days: 0": ("sources.parts.max_age_days", "more than 0"),
    "SOURCE mode: all": ("sources.parts.mode", "'snapshot' or 'events'"),
}


@pytest.mark.parametrize("line", FAULTS)
def test_a_refused_value_says_in_words_what_was_expected(line, tmp_path):
    key, words = FAULTS[line]
    own = line.replace("SOURCE ", "    ") if line.startswith("SOURCE") else line
    start = GOOD if not line.startswith("name") else GOOD.replace("name: Aurora\n", "")
    (tmp_path / "programme.yaml").write_text(f"{start}{own}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        Home(tmp_path).load()
    message = str(caught.value)
    assert re.match(rf".*programme\.yaml, line {start.count(chr(10)) + 1}, key '{re.escape(key)}': found .*; ", message)
    assert f"; expected {words}" in message
    assert "input" not in message.lower()
    assert message.count("\n") == 0


def _patterns(model):
    """Every pattern in the schema of a configuration."""
    if isinstance(model, dict):
        return {value for key, value in model.items() if key == "pattern" and isinstance(value, str)}.union(
            *(_patterns(value) for value in model.values())
        )
    return set().union(*map(_patterns, model)) if isinstance(model, list) else set()


def test_every_pattern_of_a_key_has_words():
    found = _patterns(Programme.model_json_schema())
    assert len(found) > 4
    # Numbers that may be written as text bear a pattern of pydantic's own.
    assert {pattern for pattern in found if not pattern.startswith("^(?!^[-+.]*$)")} <= set(_PATTERNS)
