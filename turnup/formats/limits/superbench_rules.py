"""SuperBench's files beside its results: rules (YAML), baseline (JSON) and the diagnosis it makes (JSON lines)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from turnup.formats.content import Content, load_json
from turnup.formats.limits.described import lines_ledger
from turnup.formats.model import Fact, FileRejected, Ledger, Look

_HEAD = re.compile(r"^superbench:\s*\n\s+rules:", re.MULTILINE)
_NAME = re.compile(r"^[\w.-]+/[\w.:-]+$")


def is_rules(content: Content) -> bool:
    """Whether a text is a rule file."""
    return not content.looks_like_json and _HEAD.search(content.head_text) is not None


def is_baseline(content: Content) -> bool:
    """Whether a document maps ``test/metric`` names to numbers and nothing else."""
    held = content.json
    return (
        isinstance(held, dict)
        and len(held) > 0
        and all(_NAME.match(str(name)) and isinstance(value, str) and _is_number(value) for name, value in held.items())
    )


def is_diagnosis(content: Content) -> bool:
    """Whether the first line is a node with its defects."""
    first = content.head_text.lstrip().partition("\n")[0]
    return first.startswith("{") and '"Defective Details"' in first and '"Category"' in first


def look_at_rules(content: Content) -> Look:
    """How many rules of which function, over how many metrics.

    Raises:
        FileRejected: ``yaml`` when the text is no YAML.
    """
    text = content.text(None).text
    rules = _rules(text)
    functions = [str(rule.get("function") or ("store" if rule.get("store") else "summary")) for rule in rules.values()]
    statistics = sorted({name for rule in rules.values() for name in _listed(rule.get("statistics"))})
    facts = [
        Fact("rules", len(rules)),
        Fact("functions", tuple(functions)),
        Fact("categories", tuple(dict.fromkeys(str(rule.get("categories")) for rule in rules.values()))),
        Fact("metric_patterns", sum(len(_listed(rule.get("metrics"))) for rule in rules.values())),
    ]
    if statistics:
        facts.append(Fact("statistics", tuple(statistics)))
    return Look(lines_ledger(text, len(rules)), tuple(facts))


def _rules(text: str) -> Mapping[str, Mapping[str, Any]]:
    try:
        document = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        raise FileRejected("yaml", f"not valid YAML: {error}", expected="rules of SuperBench") from error
    held = document.get("superbench") if isinstance(document, dict) else None
    rules = (held.get("rules") or {}) if isinstance(held, dict) else None
    if not isinstance(rules, dict) or not all(isinstance(rule, dict) for rule in rules.values()):
        message = "'superbench: rules:' does not give each rule its settings"
        raise FileRejected("yaml", message, expected="rules of SuperBench")
    return rules


def look_at_baseline(content: Content) -> Look:
    """The reference figures by name."""
    held = content.document.value
    facts = [Fact("metrics", len(held)), *(Fact(str(name), _plain(value)) for name, value in held.items())]
    return Look(Ledger(lines=len(held), data=len(held)), tuple(facts))


def look_at_diagnosis(content: Content) -> Look:
    """The nodes that were found defective, and the category of each."""
    text = content.text(None).text
    nodes = [_node(line, row) for row, line in enumerate(text.split("\n"), start=1) if line.strip()]
    facts = [
        Fact("defective_nodes", len(nodes)),
        Fact("nodes", tuple(f"{node.get('index')} {node.get('Category')}" for node in nodes)),
    ]
    return Look(lines_ledger(text, len(nodes)), tuple(facts))


def _node(line: str, row: int) -> dict[str, Any]:
    value = load_json(line).value
    if not isinstance(value, dict):
        raise FileRejected("json", f"line {row} is no object", row=row, expected="one node a line")
    return value


def _listed(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)] if value else []


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", text) is not None


def _plain(value: str) -> str:
    return value.removesuffix(".0")
