"""Every setting is explained, and every limit decides its check."""

from pathlib import Path

import pytest

from tests.schedule.health.judging import begun, done, judge, on
from tests.schedule.projects import activity, link, project, workday
from turnup.programme import Home
from turnup.schedule.health.settings import HealthSettings, Limits
from turnup.strict import Strict

PAGE = Path(__file__).resolve().parents[3] / "docs" / "schedule-health.md"
CHECKS = {
    "logic": "1", "leads": "2", "lags": "3", "finish_to_start": "4", "hard_constraints": "5", "high_float": "6",
    "negative_float": "7", "high_duration": "8", "invalid_forecast": "9a", "invalid_actual": "9b", "resources": "10",
    "missed": "11", "critical_path_length": "13", "baseline_execution": "14",
}  # fmt: skip


def settings_of(model, before=""):
    for name, found in model.model_fields.items():
        if isinstance(found.default, Strict) and not isinstance(found.default, Limits):
            yield from settings_of(type(found.default), f"{before}{name}.")
        else:
            yield f"{before}{name}"


def test_the_page_names_every_setting_and_limit():
    page = PAGE.read_text(encoding="utf-8")
    named = [*settings_of(HealthSettings), *Limits.model_fields]
    assert [name for name in named if f"`{name}`" not in page and f"    {name}:" not in page] == []


def test_the_example_of_the_page_is_a_configuration(tmp_path):
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = lines.index("    schedule_health:")
    example = [line[4:] for line in lines[start : lines.index("", start)]]
    home = Home(tmp_path)
    home.configuration.write_text("\n".join(["name: A", "time_zone: UTC", *example]), encoding="utf-8")
    assert home.load().schedule_health.described == (
        "DCMA-EA PAM 200.1; limits.leads < 1%; limits.baseline_execution >= 0.9; floats.high_days 30"
    )


@pytest.mark.parametrize("name", sorted(Limits.model_fields))
def test_each_limit_decides_its_check(name):
    dated = {"early_start": workday(6, 8), "early_finish": workday(9), "resources": 1}
    rows = [
        done("A", 1, 3, resources=1, **on(3)), begun("B", 5, 4, 3, **dated, **on(8)),
        activity("C", 3, **dated, **on(9)),
    ]  # fmt: skip
    network = project(rows, [link("A", "B"), link("B", "C")], data_date=workday(6, 8))
    verdicts = [judge(network, limits={name: limit}).check(CHECKS[name]).verdict for limit in (">= 0", "> 999")]
    assert verdicts == ["pass", "fail"]
