"""The linter of playbooks: every fault at once, with file, line and key; each kind of fault planted by itself."""

import json
import shutil

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.commands.output import Output
from pipelines.commands.playbook import check
from tests.readiness.test_playbook import GOOD
from tests.readiness.tiny import PLAYBOOKS
from turnup.readiness.kinds import UNITS
from turnup.readiness.limits import threshold_fault
from turnup.readiness.playbook_lint import check_playbooks
from turnup.readiness.registry import load_metrics
from turnup.yaml_source import ConfigurationError

CRITERION = """      - id: {id}
        title: {id}
        metric: {metric}
        comparison: "{comparison}"
        threshold: {threshold}
        owner_role: operator
"""


def told(tmp_path, text):
    """Return (line, key, message) of every problem of one file."""
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    problems = check_playbooks([file])
    assert {problem.file for problem in problems} <= {str(file)}
    return [(problem.line, problem.key, problem.message) for problem in problems]


def test_the_shipped_playbooks_are_sound():
    assert check_playbooks(sorted(PLAYBOOKS.glob("*.yaml"))) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "words"),
    [
        ("storage_serving", "storage_srving", 13, "gates.0.criteria.0.metric", "'storage_srving'"),
        ("threshold: 1", "threshold: 95", 15, "gates.0.criteria.0.threshold", "can never hold"),
        ("threshold: 1", "threshold: 0", 15, "gates.0.criteria.0.threshold", "always holds"),
        ("threshold: 1", "threshold: planned", 15, "gates.0.criteria.0.threshold", "capacity in PB"),
        ("storage_serving", "quarantine_share", 13, "gates.0.criteria.0.metric", "whole programme"),
        ("storage_serving", "late_delivery_lines", 13, "", ""),
        ("title: Mine", "titel: Mine", 4, "titel", "not known"),
        ("threshold: 1", "threshold: 1\n        scope: unit", 16, "gates.0.criteria.0.scope", "no rows by unit"),
        ("threshold: 1", "threshold: 1\n        evidence_age_days: 9999", 16, "gates.0.criteria.0.evidence_age_days",
         "no limit"),
        ("stage: schedulable", "stage: accepted", 6, "gates.0", "last gate"),
        ("gates:", "waivers: {high: {by: [director], longest_days: 400}}\ngates:", 5, "waivers.high.longest_days",
         "renewed"),
        ("gates:", "waivers: {high: {by: [director]}}\ngates:", 5, "waivers.high", "longest_days"),
        ("gates:", "waivers: {high: none, urgent: none}\ngates:", 5, "waivers.urgent", "critical"),
        ("gates:", "gates: [", 6, "", "YAML"),
    ],
)  # fmt: skip
def test_each_kind_of_fault_is_named_with_line_and_key(tmp_path, old, new, line, key, words):
    found = told(tmp_path, GOOD.replace(old, new, 1))
    if not words:
        assert found == []
    else:
        assert [(line, key)] == [(at, name) for at, name, message in found if words in message]


def test_all_faults_are_told_at_once(tmp_path):
    text = (
        GOOD.replace("version", "versoin").replace("storage_serving", "storage_up").replace("kind: storage", "kind: x")
    )
    text += CRITERION.format(id="serving", metric="parts_short", comparison="<", threshold=0)
    assert [(line, key) for line, key, _ in told(tmp_path, text)] == [
        (1, "version"),
        (2, "versoin"),
        (3, "kind"),
        (13, "gates.0.criteria.0.metric"),
        (17, "gates.0.criteria.1.id"),
        (21, "gates.0.criteria.1.threshold"),
    ]


def test_a_gate_that_waits_for_what_a_later_gate_closes_is_a_loop(tmp_path):
    early = "gates:\n  - id: early\n    title: Early\n    stage: accepted\n    owner_role: operator\n    criteria:\n"
    early += CRITERION.format(id="late", metric="schedulable", comparison=">=", threshold="planned")
    ((line, key, message),) = told(tmp_path, GOOD.replace("gates:\n", early))
    assert (line, key) == (13, "gates.0.criteria.0.metric")
    assert message == (
        "gate order loop: gate 'early' asks for schedulable, which gate 'serve' closes, and 'serve' waits for 'early'"
    )


def test_kinds_whose_gates_need_each_other_are_a_loop(tmp_path):
    for kind, needed in (("storage", "pop"), ("pop", "wan_link"), ("wan_link", "storage"), ("gpu_cluster", "storage")):
        text = GOOD.replace("playbook: mine", f"playbook: {kind}").replace("kind: storage", f"kind: {kind}")
        (tmp_path / f"{kind}.yaml").write_text(text.replace("threshold: 1", f"threshold: 1\n        needs: {needed}"))
    found = check_playbooks(sorted(tmp_path.glob("*.yaml")))
    assert [problem.message for problem in found] == [
        "gate order loop: pop needs wan_link needs storage needs pop",
        "gate order loop: storage needs pop needs wan_link needs storage",
        "gate order loop: wan_link needs storage needs pop needs wan_link",
    ]  # what needs them stands in no ring itself


def test_one_name_in_two_files(tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(GOOD)
    (found,) = check_playbooks([tmp_path / "a.yaml", tmp_path / "b.yaml"])
    assert (found.file, found.line, found.key) == (str(tmp_path / "b.yaml"), 1, "playbook")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 400) | st.sampled_from(("none", "storage", "accepted", "planned")),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(("id", "stage")), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_any_value_at_any_key_gets_sentences_and_never_an_exception(tmp_path_factory, data):
    book = yaml.safe_load((PLAYBOOKS / "gpu_cluster.yaml").read_text())
    gate = data.draw(st.sampled_from(book["gates"]))
    holder = data.draw(st.sampled_from((book, gate, gate["criteria"][0])))
    key = data.draw(st.sampled_from([*sorted(holder), "waiver", "needs", "evidence_age_days", "entry"]))
    holder[key] = data.draw(_VALUES)
    file = tmp_path_factory.mktemp("any") / "any.yaml"
    file.write_text(yaml.safe_dump(book, sort_keys=False))
    for problem in check_playbooks([file]):
        assert problem.line >= 1
        assert problem.message


@pytest.mark.parametrize(
    ("metric", "comparison", "threshold", "fault"),
    [
        ("racked_share", ">=", "0.95", ""),
        ("racked_share", ">=", "0", "always"),
        ("racked_share", ">", "1", "never"),
        ("racked_share", "<=", "1", "always"),
        ("racked_share", "<", "0", "never"),
        ("racked_share", "==", "1", ""),
        ("wan_n1_demand_share", ">=", "1.2", ""),
        ("parts_short", "<=", "0", ""),
        ("parts_short", "<=", "-1", "never"),
        ("parts_short", ">=", "0", "always"),
        ("parts_short", "!=", "-1", "always"),
        ("parts_short", "==", "0.5", "never"),
        ("site_power_ready", ">=", "1.1", ""),
        ("capacity_moved_net", ">=", "-5", ""),
    ],
)
def test_a_limit_that_decides_nothing(metric, comparison, threshold, fault):
    from decimal import Decimal

    said = threshold_fault(load_metrics()[metric], comparison, Decimal(threshold), UNITS["gpu_cluster"])
    assert {"always": "always holds", "never": "can never hold", "": ""}[fault] in said
    assert bool(said) == bool(fault)


class TestCommand:
    """``turnup playbook check``."""

    def test_the_programmes_own_are_checked_and_faults_end_with_one(self, tmp_path, capsys):
        shutil.copytree(PLAYBOOKS, tmp_path / "playbooks")
        check([], tmp_path, Output(as_json=True))
        found = json.loads(capsys.readouterr().out)
        assert (len(found["files"]), found["problems"]) == (7, [])
        file = tmp_path / "playbooks" / "pop.yaml"
        file.write_text(file.read_text().replace("metric: ordered\n", "metric: orderd\n"))
        with pytest.raises(SystemExit) as end:
            check([], tmp_path, Output(as_json=True))
        assert end.value.code == 1
        (problem,) = json.loads(capsys.readouterr().out)["problems"]
        assert problem["file"] == str(file)
        assert problem["key"] == "gates.0.criteria.0.metric"

    def test_a_programme_without_playbooks(self, tmp_path):
        with pytest.raises(ConfigurationError, match="no playbook"):
            check([], tmp_path, Output(as_json=False))

    def test_a_file_that_is_not_there(self, tmp_path, capsys):
        with pytest.raises(SystemExit):
            check([tmp_path / "none.yaml"], tmp_path, Output(as_json=False))
        assert "cannot be read" in capsys.readouterr().out
