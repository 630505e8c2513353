"""What the peer is asked to check, the contracts of a made programme as plain data, and which bad rows both found.

Belongs here: which rules of a contract the usual tools can state, and comparing what came of them. Does not: how
the peer states them (``perf.peer.checked``, ``perf.peer.project``), nor what ours does.
"""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl

from expectations.contract import Contract, load_contracts
from turnup.programme import Home
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.publish import published_file

Rows = set[tuple[str, int]]


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


def refused(home: Home, week: str) -> Rows:
    """File and row of everything that a refreshed week put in quarantine."""
    manifest = ManifestStore(home.store).latest(week)
    if manifest is None:
        return set()
    with duckdb.connect(str(published_file(home, manifest)), read_only=True) as con:
        return set(con.sql('SELECT file, "row" FROM meta.quarantine').fetchall())


def refused_by_peer(home: Home) -> Rows:
    """File and row of everything that the peer put in quarantine."""
    found: Rows = set()
    for file in sorted((home.root / "peer-quarantine").glob("*.csv")):
        rows = pl.read_csv(file, infer_schema=False)
        found |= {(name, int(row)) for name, row in rows.select("file", "row").rows()} if rows.height else set()
    return found
