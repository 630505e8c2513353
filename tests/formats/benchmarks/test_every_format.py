"""A small log of every tool: it is recognised, complete and clean, and ready for a verdict."""

from __future__ import annotations

import pytest

from expectations.contract import load_contracts
from tests.formats.benchmarks.logs import EVERY
from turnup.acceptance import units
from turnup.formats import inspect

CONTRACTS = load_contracts()


@pytest.mark.parametrize("form", sorted(EVERY))
def test_is_ready_for_a_verdict(log, form):
    text, name = EVERY[form]
    read = log(text, name)
    assert read.table.format == form.removesuffix("-json")
    assert read.results.incomplete is None
    assert read.results.reasons == ()
    assert read.results.verdict_ready
    assert not {"conflict", "tool_error", "incomplete"} & {row["status"] for row in read.rows}
    assert not {finding.code for finding in read.table.findings if finding.severity == "error"}
    for row in read.rows:
        assert (row["value"] is None) == (row["status"] in ("waived", "not_measured", "skipped")), row
        assert units.known(row["unit"]) or row["unit"] == "MiB/s/rank", row


def test_inspect_gives_results_of_a_log(tmp_path):
    path = tmp_path / "content"
    path.write_text(EVERY["hpl"][0])
    found = inspect(path, "hpl.log", CONTRACTS)
    assert found.results is not None
    first = found.results.figures[0]
    assert {name: first[name] for name in ("test", "statistic", "size", "direction", "value", "unit")} == {
        "test": "hpl", "statistic": "value", "size": 0, "direction": "none", "value": 7999.6, "unit": "GFLOPS"
    }  # fmt: skip
    assert (found.results.verdict_ready, found.results.incomplete) == (True, None)
    path.write_text(EVERY["hpl"][0].replace("End of Tests.", ""))
    cut = inspect(path, "hpl.log", CONTRACTS).results
    assert not cut.verdict_ready
    assert "cut" in cut.incomplete


def test_another_dataset_is_refused(read):
    from turnup.formats import FileRejected

    with pytest.raises(FileRejected, match="feeds benchmarks, not links"):
        read(EVERY["fio"][0], contract=CONTRACTS["links"], name="fio.json")
