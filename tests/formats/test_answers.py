"""Every real file, inspected: what is said about it equals the answer that came with it.

The expected figures stand in ``answers/``, one module per kind of file, each taken from the table of answers.
"""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path

import pytest

from expectations.contract import load_contracts
from turnup.formats import inspect

CONTRACTS = load_contracts()
HERE = Path(__file__).parent
KINDS = ("supply", "acceptance")


def _module(path: Path) -> dict[str, dict]:
    spec = importlib.util.spec_from_file_location(f"answers_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.EXPECTED


EXPECTED = {name: entry for path in sorted((HERE / "answers").glob("*.py")) for name, entry in _module(path).items()}


def _find(cases: Path, name: str) -> Path:
    return next(path for kind in KINDS if (path := cases / kind / name).exists())


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_real_file_gives_its_answer(cases, name):
    expected = EXPECTED[name]
    path = _find(cases, name)
    found = inspect(path, path.name, CONTRACTS)
    assert found.ledger.balanced
    codes = [finding.code for finding in found.findings]
    facts = {fact.name: fact.value for fact in found.facts}
    seen = {
        "format": found.format,
        "dataset": found.dataset,
        "ledger": {kind: getattr(found.ledger, kind) for kind in expected.get("ledger", {})},
        "facts": {fact: facts.get(fact) for fact in expected.get("facts", {})},
        "findings": {code: codes.count(code) for code in expected.get("findings", {})},
    }
    assert {part: seen[part] for part in expected} == expected


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_of_the_answers_has_its_figures_here(cases, kind):
    with (cases / kind / "ANSWERS.tsv").open(encoding="utf-8", newline="") as handle:
        rows = [row["file"] for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert rows
    assert [name for name in rows if name not in EXPECTED] == []
