"""The dbt project of the peer: typed staging made from the checks, marts and a snapshot by hand, and its tests.

Belongs here: writing and running the project. Does not: the marts themselves (``models/``).
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
from dbt.cli.main import dbtRunner

_HERE = Path(__file__).parent
_PROJECT = {
    "name": "peer", "version": "1.0.0", "profile": "peer", "flags": {"send_anonymous_usage_stats": False},
    "models": {"peer": {"+materialized": "table"}},
}  # fmt: skip


def build(folder: Path, database: Path, checks: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Run models, snapshot and tests; returns name, status and failing rows of each test."""
    project = folder / "peer-project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(_HERE / "models", project / "models")
    shutil.copytree(_HERE / "snapshots", project / "snapshots")
    (project / "tests").mkdir()
    with duckdb.connect(str(database), read_only=True) as con:
        held = con.execute("SELECT table_name, list(column_name) FROM information_schema.columns "
                           "WHERE table_schema = 'raw' GROUP BY ALL").fetchall()  # fmt: skip
    for dataset, columns in held:
        _stage(project, dataset, set(columns), checks[dataset])
    profile = {"target": "t", "outputs": {"t": {"type": "duckdb", "path": str(database), "threads": 2}}}
    _write(project / "dbt_project.yml", _PROJECT)
    _write(project / "profiles.yml", {"peer": profile})
    _write(project / "models" / "tests.yml", {"version": 2, "models": [_related(*one) for one in checks.items()]})
    done = dbtRunner().invoke(["build", "--project-dir", str(project), "--profiles-dir", str(project), "--quiet",
                               "--warn-error-options", '{"error": []}'])  # fmt: skip
    broken = [one for one in done.result or () if one.status == "error"]
    if done.exception or done.result is None or broken:
        raise SystemExit(f"dbt: {done.exception or [(one.node.name, one.message) for one in broken]}")
    tests = [one for one in done.result if one.node.resource_type == "test"]
    return [(one.node.name, str(one.status), one.failures or 0) for one in tests]


def _stage(project: Path, dataset: str, columns: set[str], wanted: dict[str, Any]) -> None:
    """A typed table of all columns of the contract, and a test for each rule over a row."""

    def typed(one: dict[str, Any]) -> str:
        cell = f'"{one["name"]}"' if one["name"] in columns else "NULL"
        return f'try_cast({cell} AS {one["sql"]}) AS "{one["name"]}"'

    cells = ",\n    ".join(typed(one) for one in wanted["columns"])
    text = f'SELECT {cells},\n    file, "row"\nFROM raw."{dataset}"\n'
    (project / "models" / f"stg_{dataset}.sql").write_text(text, encoding="utf-8")
    for rule in wanted["rules"]:
        test = (
            f"{{{{ config(severity='warn') }}}}\n"
            f"SELECT * FROM {{{{ ref('stg_{dataset}') }}}} AS checked WHERE {rule['condition']}\n"
        )
        (project / "tests" / f"{dataset}_{rule['name']}.sql").write_text(test, encoding="utf-8")


def _related(dataset: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """Relationships of a staged table; they warn, as broken references keep their rows."""

    def test(one: dict[str, Any]) -> dict[str, Any]:
        return {"relationships": {"arguments": {"to": f"ref('stg_{one['dataset']}')", "field": one["target"]},
                                  "config": {"severity": "warn"}}}  # fmt: skip

    columns = [{"name": one["column"], "data_tests": [test(one)]} for one in wanted["references"]]
    return {"name": f"stg_{dataset}", "columns": columns}


def _write(file: Path, document: dict[str, Any]) -> None:
    file.write_text(json.dumps(document), encoding="utf-8")
