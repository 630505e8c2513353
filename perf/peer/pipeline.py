"""The peer: every file loaded, checked by Great Expectations on pandas, modelled and tested by dbt, told in reports.

Runs in an environment of its own: ``python -m perf.peer.pipeline FOLDER``, where ``FOLDER/inbox`` holds the files and
``FOLDER/checks.json`` the checks (``perf.checks``). Belongs here: the order of the steps. What it does, and what a team
would have besides, is told in ``perf/README.md``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from perf.peer.checked import Checker
from perf.peer.project import build
from perf.peer.report import report


def main(folder: Path) -> None:
    """Load and check every dataset, run models, snapshots and tests, write the reports; print what was refused."""
    os.environ |= {"GX_ANALYTICS_ENABLED": "false", "DO_NOT_TRACK": "1"}
    checks = json.loads((folder / "checks.json").read_text(encoding="utf-8"))
    database, quarantine = folder / "peer.duckdb", folder / "peer-quarantine"
    quarantine.mkdir(exist_ok=True)
    checker, found = Checker(), {}
    with duckdb.connect(str(database)) as con:
        con.execute("CREATE SCHEMA IF NOT EXISTS raw")
        for dataset, wanted in sorted(checks.items()):
            rows = _rows(con, folder, dataset)
            refused = checker.refused(dataset, rows, wanted)
            refused.to_csv(quarantine / f"{dataset}.csv", index=False)
            found[dataset] = int(refused["index"].nunique())
            kept = rows.drop(index=refused["index"].unique())
            if wanted["mode"] != "events":
                kept = kept[kept["file"] == rows["file"].iloc[-1]]
            con.register("kept", kept)
            con.execute(f'CREATE OR REPLACE TABLE raw."{dataset}" AS FROM kept')
            con.unregister("kept")
    tests = build(folder, database, checks)
    report(folder, database, quarantine, tests)
    print(json.dumps({"refused": found}))


def _rows(con: duckdb.DuckDBPyConnection, folder: Path, dataset: str) -> pd.DataFrame:
    """Every delivery of a dataset, oldest first; each cell as text, with its file and row."""
    frames = []
    for file in sorted(folder.glob(f"inbox/*/{dataset}.*")):
        frame: Any
        if file.suffix == ".xlsx":
            frame = pd.read_excel(file, dtype=str)
        else:
            frame = con.execute("SELECT * FROM read_csv($1, all_varchar = true)", [str(file)]).df()
        frames.append(frame.assign(file=f"{file.parent.name}/{file.name}", row=range(2, len(frame) + 2)))
    return pd.concat(frames, ignore_index=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
