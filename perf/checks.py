"""What the peer is asked to check: the contracts of a made programme as plain data.

Belongs here: which rules of a contract the usual tools can state. Does not: how the peer states them
(``perf.peer.checked``, ``perf.peer.project``), nor what ours does.
"""

from __future__ import annotations

from typing import Any

from expectations.contract import Contract, load_contracts
from turnup.programme import Home


def checks(home: Home) -> dict[str, Any]:
    """Per dataset of the programme its mode, key, columns with their rules, rules over a row, and references.

    Left out are rules that compare whole tables in a way of our own (conditions that read other tables or our normal
    forms of names): references stand for them.
    """
    contracts = load_contracts()
    modes = {source.dataset: source.mode for source in home.load().sources.values()}
    return {dataset: {"mode": mode, **_asked(contracts[dataset], modes)} for dataset, mode in sorted(modes.items())}


def _asked(contract: Contract, known: dict[str, Any]) -> dict[str, Any]:
    return {
        "key": list(contract.key),
        "columns": [
            {"name": one.name, "type": one.type, "sql": one.sql_type, "values": list(one.values),
             "required": one.required and one.default is None, "minimum": one.minimum, "maximum": one.maximum,
             "longest": one.max_length}
            for one in contract.columns
        ],
        "rules": [
            {"name": rule.name, "condition": rule.condition, "severity": rule.severity}
            for rule in contract.rules if "stg." not in rule.condition and "_key" not in rule.condition
        ],
        "references": [
            {"column": one.column, "dataset": one.dataset, "target": one.target_column, "severity": one.severity}
            for one in contract.references if one.dataset in known
        ],
    }  # fmt: skip
