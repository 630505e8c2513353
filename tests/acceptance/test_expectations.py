"""Limits as data: what makes a row unsound, what a set contradicts, and which row holds."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import ValidationError

from turnup.acceptance.expectations import Acceptance, Baseline, Peak, Rule, Term, in_force
from turnup.acceptance.files import as_yaml
from turnup.acceptance.importers import RuleError, from_azure_nhc
from turnup.acceptance.lint import lint
from turnup.programme import Home
from turnup.yaml_source import ConfigurationError


def baseline(**changes):
    row = {"sku": "H100", "test": "all_reduce", "metric": "busbw", "unit": "GB/s", "value": 460, "source": "plan"}
    return Baseline.model_validate(row | changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"lower": 0.05}, "reversed band"),
        ({"operator": "<=", "upper": -0.05}, "reversed band"),
        ({"operator": "between", "lower": -0.05}, "needs both limits"),
        ({"operator": ">=", "upper": 0.05}, "has one limit"),
        ({"operator": "=="}, "is for counts"),
        ({"unit": "GByte"}, "not a known unit"),
        ({"unit": ""}, "not a known unit"),
        ({"value": float("nan")}, "finite"),
        ({"size": "16 bananas"}, "neither"),
        ({"source": ""}, "at least 1 character"),
        ({"limit": 3}, "Extra inputs"),
    ],
)
def test_an_unsound_row_is_refused_with_its_reason(changes, words):
    with pytest.raises(ValidationError, match=words):
        baseline(**changes)


def test_bounds():
    assert baseline(lower=-0.1, warn=0.05).bounds.model_dump() == {
        "low": pytest.approx(414.0), "high": None, "open": False,
        "warn_low": pytest.approx(437.0), "warn_high": None,
    }  # fmt: skip
    time = baseline(metric="latency", unit="us", operator="<=", value=10, upper=0.2)
    assert time.bounds.high == pytest.approx(12)
    assert baseline(size="16G").size == 17179869184


def test_of_several_the_newest_that_holds_counts():
    later = baseline(value=470, valid_from="2027-01-01")
    rows = [baseline(value=400), baseline(value=460, valid_from="2026-06-01"), later]
    assert [row.value for row in in_force(rows, date(2026, 5, 31))] == [400]
    assert [row.value for row in in_force(rows, date(2026, 6, 1))] == [460]
    assert [row.value for row in in_force(rows, date(2027, 1, 1))] == [470]
    assert len(in_force([baseline(), baseline(sku="H200")], date(2026, 1, 1))) == 2


LINTED = [
    (Acceptance(baselines=(baseline(unit="us"),)), "measures time"),
    (Acceptance(baselines=(baseline(unit="Gbit/s"),)), "measures bit_rate"),
    (Acceptance(baselines=(baseline(), baseline(value=450))), "stands 2 times"),
    (Acceptance(baselines=(baseline(operator="<=", value=400, sku="H100"), baseline(value=460))), "cannot both hold"),
    (
        Acceptance(
            baselines=(baseline(value=900),),
            peaks=(Peak(sku="H100", metric="busbw", unit="GB/s", value=787.5, source="sheet"),),
        ),
        "the peak is 787.5",
    ),
]


@pytest.mark.parametrize(("acceptance", "words"), LINTED)
def test_contradictions_are_found(acceptance, words):
    assert words in " ".join(lint(acceptance))


def test_a10_adapter_limits_in_bytes_were_meant_in_bits():
    for value in (180, 380, 390, 400):
        wrong = baseline(test="ib_write_bw_gdr", metric="bandwidth", value=value)
        assert "meant in Gbit/s" in " ".join(lint(Acceptance(baselines=(wrong,))))
        right = baseline(test="ib_write_bw_gdr", metric="bandwidth", value=value, unit="Gbit/s")
        assert lint(Acceptance(baselines=(right,))) == []


def test_a_rule_counts_baselines_that_exist():
    term = Term(take="violations", of=("memory",))
    with pytest.raises(ValidationError, match="no baseline has"):
        Acceptance(rules=(Rule(id="two", left=term, violated=">=", limit=2, source="plan"),))
    with pytest.raises(ValidationError, match="is no pattern"):
        Term(take="min", of=("mem-bw/(",))


CONF = """# Sat May 6 00:05:37 UTC 2023
* || export MARK_OFFLINE=1
 * || check_hw_ib 400 mlx5_ib0:1
 * || check_hw_ib 400 mlx5_ib1:1
 *|| check_gpu_count 8 rocm
 * || check_gpu_xid
 * || check_gpu_bw 48 335
 * || check_nccl_allreduce 460.0 1 16G $ROOT/topo.xml
* || check_ib_bw_gdr 380
"""


def test_a_conf_file_is_taken_over_with_its_units_and_lines(tmp_path):
    conf = tmp_path / "sku.conf"
    conf.write_text(CONF)
    found = {(row.test, row.metric): row for row in from_azure_nhc(conf, "H100").baselines}
    assert (found["all_reduce", "busbw"].value, found["all_reduce", "busbw"].size) == (460, 17179869184)
    assert (found["ib_write_bw_gdr", "bandwidth"].value, found["ib_write_bw_gdr", "bandwidth"].unit) == (380, "Gbit/s")
    assert (found["gpu_host_copy", "bandwidth"].value, found["gpu_peer_copy", "bandwidth"].value) == (48, 335)
    assert found["gpu_count", "count"].operator == "=="
    assert found["all_reduce", "busbw"].source == "sku.conf, line 8"
    assert found["all_reduce", "busbw"].source_date == date(2023, 5, 6)
    assert len(found) == 6
    conf.write_text(CONF.replace("460.0", "fast"))
    with pytest.raises(RuleError, match=r"line 8.*'fast'"):
        from_azure_nhc(conf, "H100")


@pytest.mark.parametrize(
    ("name", "collective", "gdr", "copy"),
    [
        ("nd96isr_h100_v5.conf", 460, 380, (48, 335)),
        ("nd96isr_h200_v5.conf", 431, 360, (48, 335)),
        ("nd96isr_mi300x_v5.conf", 314, None, (48, 44)),
        ("nd96amsr_a100_v4.conf", 228, 180, (21, 238)),
    ],
)
def test_the_public_conf_files(cases, name, collective, gdr, copy):
    acceptance = from_azure_nhc(cases / "acceptance" / "azure_nhc" / name, "X")
    found = {(row.test, row.metric): row.value for row in acceptance.baselines}
    assert found["all_reduce", "busbw"] == collective
    assert found.get(("ib_write_bw_gdr", "bandwidth")) == gdr
    assert (found["gpu_host_copy", "bandwidth"], found["gpu_peer_copy", "bandwidth"]) == copy
    assert lint(acceptance) == []


def test_files_of_the_programme_add_up_and_name_their_faults(tmp_path):
    home = Home(tmp_path)
    home.configuration.write_text("name: A\ntime_zone: UTC\nacceptance: {scaling_minimum: 0.8}\n")
    home.baselines.mkdir()
    (home.baselines / "plan.yaml").write_text(as_yaml(Acceptance(baselines=(baseline(),))))
    loaded = home.load()
    assert loaded.acceptance.baselines == (baseline(),)
    assert loaded.acceptance.scaling_minimum == 0.8
    assert loaded.fingerprint != home.load().model_copy(update={"acceptance": Acceptance()}).fingerprint
    (home.baselines / "bad.yaml").write_text("baselines:\n  - {sku: X, test: t, unit: GB/s, value: 1, sauce: plan}\n")
    with pytest.raises(ConfigurationError, match=r"bad.yaml, line 2.*sauce"):
        home.load()


def test_limits_that_replace_each_other_are_not_compared():
    old = baseline(operator="between", lower=-0.05, upper=0.05, value=100)
    new = baseline(operator="between", lower=-0.05, upper=0.05, value=390, valid_from="2026-09-01")
    assert lint(Acceptance(baselines=(old, new))) == []
    under = baseline(operator="<=", value=300, valid_from="2026-09-01")
    (told,) = lint(Acceptance(baselines=(old, new, under)))
    assert told.endswith("at least 370.5 and at most 300 cannot both hold")
