"""``turnup diagnose`` at the bench: what must not end in a pass, and what is said instead."""

import json

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from turnup.yaml_source import ConfigurationError

DASHES = "-" * 87
LIMITS = """baselines:
- {sku: "%s", test: RDMA_Write_BW, metric: bandwidth, statistic: mean, unit: Gbit/s, value: 80, source: plan}
- {test: RDMA_Write_BW, metric: bandwidth, statistic: mean, unit: Gbit/s, value: %d, source: plan, valid_from: %s}
"""


def log(gbit: int, device: str = "mlx5_0") -> str:
    """A log of ib_write_bw, which names no host and no time; 65536 B a message give the message rate."""
    return (
        f"{DASHES}\n                    RDMA_Write BW Test\n"
        f" Dual-port       : OFF\t\tDevice         : {device}\n{DASHES}\n"
        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
        f" 65536      5000             {gbit:.2f}             {gbit:.2f}\t\t     {gbit * 1e3 / 8 / 65536:.6f}\n"
        f"{DASHES}\n"
    )


@pytest.fixture
def bench(tmp_path):
    def asked(files, *options, sku="*", value=380, since="2020-01-01"):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        rules = tmp_path / "limits.yaml"
        rules.write_text(LIMITS % (sku, value, since))
        done = CliRunner().invoke(
            app, ["diagnose", *(str(tmp_path / name) for name in files), "--rules", str(rules), "--json", *options]
        )
        if isinstance(done.exception, ConfigurationError):
            raise done.exception
        nodes = {node["node"].rpartition("/")[2]: node["verdict"] for node in json.loads(done.stdout)["nodes"]}
        return done.exit_code, nodes

    return asked


def test_logs_that_name_no_host_are_not_taken_for_one_node(bench):
    assert bench({"n1.log": log(100), "n2.log": log(390)}) == (1, {"n1.log": "fail", "n2.log": "pass"})


def test_a_node_of_several_logs_is_judged_by_all_its_adapters(bench):
    bad = {"a.log": log(100), "b.log": log(390, "mlx5_1")}
    assert bench(bad, "--node", "n1") == (1, {"n1": "fail"})
    assert bench(bad | {"a.log": log(385)}, "--node", "n1") == (0, {"n1": "pass"})


def test_a_file_that_cannot_be_read_is_no_success(bench):
    assert bench({"n1.log": log(390), "n2.log": "nothing\n"}) == (1, {"n1.log": "pass"})


def test_a_limit_that_does_not_hold_yet_is_not_used(bench):
    assert bench({"n1.log": log(60)}, value=50, since="2099-01-01") == (1, {"n1.log": "fail"})
    assert bench({"n1.log": log(60)}, value=50, since="2020-01-01") == (0, {"n1.log": "pass"})


def test_what_may_be_good_or_bad_is_not_learnt():
    """From temperatures a lower limit would be learnt, which the hottest node passes."""
    done = CliRunner().invoke(app, ["baseline", "learn", "H200", "gpu_burn", "temperature", "--unit", "degC"])
    assert isinstance(done.exception, ConfigurationError)
    assert "degC measures temperature, and whether more of it is good is not known" in str(done.exception)


def test_limits_of_skus_are_not_passed_over(bench):
    with pytest.raises(ConfigurationError, match=r"the limits are for NVIDIA H200, .* write --sku"):
        bench({"n1.log": log(390)}, sku="NVIDIA H200")
    with pytest.raises(ConfigurationError, match="no limit names the SKU 'H200'; they name NVIDIA H200"):
        bench({"n1.log": log(390)}, "--sku", "H200", sku="NVIDIA H200")
    assert bench({"n1.log": log(390)}, "--sku", "nvidia h200", sku="NVIDIA H200") == (0, {"n1.log": "pass"})


def test_a_file_that_is_not_there_and_rules_that_are_no_text_are_named(tmp_path):
    (tmp_path / "n1.log").write_text(log(390))
    (tmp_path / "limits.yaml").write_bytes(b"\xff\xfe\x00")
    for files in (("n2.log", "limits.yaml"), ("n1.log", "none.yaml"), ("n1.log", "limits.yaml")):
        logs, rules = (str(tmp_path / name) for name in files)
        done = CliRunner().invoke(app, ["diagnose", logs, "--rules", rules])
        assert isinstance(done.exception, ConfigurationError), done.exception
