"""Playbooks as people write them, and what a wrong one says."""

import duckdb
import pytest

from tests.readiness.tiny import PLAYBOOKS
from turnup.readiness.kinds import STAGES, SUPPLY_MODELS, UNITS, applicable
from turnup.readiness.playbook import load_playbook, load_playbooks
from turnup.readiness.registry import MetricError, load_metrics
from turnup.warehouse.macros import write_macros
from turnup.yaml_source import ConfigurationError

GOOD = """playbook: mine
version: "1"
kind: storage
title: Mine
gates:
  - id: serve
    title: Serve
    stage: schedulable
    owner_role: operator
    criteria:
      - id: serving
        title: It serves
        metric: storage_serving
        comparison: ">="
        threshold: 1
        owner_role: operator
"""


def test_every_kind_has_one_that_closes_each_stage_that_applies():
    books = {book.kind: book for book in load_playbooks(PLAYBOOKS)}
    assert set(books) == set(UNITS)
    for kind, book in books.items():
        closing = [STAGES.index(gate.stage) for gate in book.gates if gate.stage]
        for model in SUPPLY_MODELS:
            last = max(number for number, stage in enumerate(STAGES) if applicable(kind, model, stage))
            assert last in closing, kind


def test_every_gate_says_how_long_its_work_takes():
    for book in load_playbooks(PLAYBOOKS):
        for gate in book.gates:
            assert gate.lead_time is not None, (book.playbook, gate.id)
            assert gate.lead_time.pessimistic > gate.lead_time.optimistic, (book.playbook, gate.id)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "metric: storage_serving",
            "metric: storage_servng",
            ("line 13", "gates.0.criteria.0.metric", "'storage_servng'", "storage_serving"),
        ),
        ("threshold: 1\n", "threshold: 95\n", ("line 11", "impossible", "share from 0 to 1")),
        ("stage: schedulable", "stage: done", ("line 8", "'done'", "handed_over")),
        ('comparison: ">="', 'comparison: "=>"', ("line 14", "comparison", "'=>'")),
        ("kind: storage", "kind: tape", ("line 3", "'tape'", "gpu_cluster")),
        ("stage: schedulable", "stage: accepted", ("last gate",)),
        ("owner_role: operator\n    criteria", "owner: operator\n    criteria", ("line 9", "owner", "not known")),
        (
            "owner_role: operator\n    criteria",
            "owner_role: operator\n    lead_time: {optimistic: 5, likely: 3, pessimistic: 9}\n    criteria",
            ("line 10", "lead_time", "optimistic <= likely <= pessimistic"),
        ),
        (
            "owner_role: operator\n    criteria",
            "owner_role: operator\n    lead_time: {optimistic: 1, likely: 3}\n    criteria",
            ("lead_time", "pessimistic"),
        ),
        (
            "owner_role: operator\n    criteria",
            "owner_role: operator\n    pool: kiln\n    criteria",
            ("pool", "'kiln'", "burn_in"),
        ),
    ],
)
def test_a_fault_names_file_line_key_found_and_allowed(tmp_path, old, new, said):
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(ConfigurationError) as error:
        load_playbook(file)
    for words in (str(file), *said):
        assert words in str(error.value)


def test_two_files_with_one_name_are_refused(tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(GOOD)
    with pytest.raises(ConfigurationError, match=r"b\.yaml.*already in .*a\.yaml"):
        load_playbooks(tmp_path)


def test_a_metric_file_without_its_front_matter_is_refused(tmp_path):
    (tmp_path / "m.sql").write_text("SELECT 1")
    with pytest.raises(MetricError, match=r"m\.sql"):
        load_metrics(tmp_path)


def test_every_metric_says_what_it_is():
    for metric in load_metrics().values():
        assert metric.title and metric.formula
        assert metric.definition.endswith("."), metric.name
        assert metric.spread in {"unit", "block", "system", "programme"}


def test_evidence_can_be_read_without_the_macros_of_a_build():
    con = duckdb.connect()
    write_macros(con)
    macros = [name for (name,) in con.sql("FROM duckdb_functions() SELECT function_name WHERE NOT internal").fetchall()]
    assert "figure" in macros
    used = {(metric.name, macro) for metric in load_metrics().values() for macro in macros if f"{macro}(" in metric.sql}
    assert used == set()
