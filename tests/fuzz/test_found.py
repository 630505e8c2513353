"""What the campaigns found, kept small."""

import pytest

from expectations.contract import load_contracts
from tests.formats.tabular import writers
from turnup.formats import inspect

RULES = "superbench:\n  rules:\n    rule0:\n      function: variance\n"


def codes(tmp_path, content, name):
    path = tmp_path / "content"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return [found.code for found in inspect(path, name, load_contracts()).findings]


def test_an_encoding_that_does_not_exist_is_damage(tmp_path):
    content = writers.packed('<?xml version="1.0" encoding="UTF-9"?><office:document-content/>')
    assert codes(tmp_path, content, "a.ods") == ["archive"]


@pytest.mark.parametrize("rest", ["", "      metrics:\n", "      metrics: a\n"])
def test_a_rule_without_metrics_is_a_rule(tmp_path, rest):
    assert codes(tmp_path, RULES + rest, "rules.yaml") == []


@pytest.mark.parametrize("rest", ["    rule1: 7\n", "    rule1: [a]\n", "      since: 2026-02-30\n"])
def test_rules_that_are_none_are_refused(tmp_path, rest):
    assert codes(tmp_path, RULES + rest, "rules.yaml") == ["yaml"]


def test_a_diagnosis_whose_lines_are_cut_is_refused(tmp_path):
    content = '{"Defective Details": "x", "Category": "y", "index": "n1"}\n7\n'
    assert codes(tmp_path, content, "diagnosis.jsonl") == ["json"]
