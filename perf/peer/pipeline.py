"""The peer: every file loaded, checked by Great Expectations on pandas, modelled by dbt, told in HTML and a workbook.

Runs in an environment of its own: ``python perf/peer/pipeline.py FOLDER``, where ``FOLDER/inbox`` holds the files and
``FOLDER/checks.json`` the checks (``perf.refreshes`` writes them from the contracts). It does what a team would do, and
not what turnup does besides: no ledger of lines, no history, no critical path, no forecast.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

os.environ["GX_ANALYTICS_ENABLED"] = "false"
os.environ["DO_NOT_TRACK"] = "1"
_HERE = Path(__file__).parent
_FORMS = {
    "int": r"^[-+]?\d+$", "dec": r"^[-+]?\d+(\.\d+)?$", "money": r"^[-+]?\d+(\.\d+)?$",
    "float": r"^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$", "date": r"^\d{4}-\d{2}-\d{2}",
    "ts": r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}",
    "bool": r"^(?i:true|false|yes|no|0|1)$",
}  # fmt: skip


def main(folder: Path) -> None:
    """Load and check every dataset, run the models, write the reports."""
    import great_expectations as gx

    checks = json.loads((folder / "checks.json").read_text(encoding="utf-8"))
    database = folder / "peer.duckdb"
    database.unlink(missing_ok=True)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    source = context.data_sources.add_pandas("files")
    refused: list[pd.DataFrame] = []
    with duckdb.connect(str(database)) as con:
        con.execute("CREATE SCHEMA raw")
        for dataset, wanted in sorted(checks.items()):
            rows = _rows(con, folder, dataset, wanted)
            bad = _bad_rows(gx, source, dataset, rows, wanted)
            refused.append(rows[bad].assign(dataset=dataset)[["dataset", "file", "row"]])
            kept = rows[~bad]
            con.register("kept", kept)
            con.execute(f'CREATE TABLE raw."{dataset}" AS FROM kept')
            con.unregister("kept")
    _dbt(folder, database)
    _report(folder, database, pd.concat(refused))


def _rows(con: duckdb.DuckDBPyConnection, folder: Path, dataset: str, wanted: dict[str, Any]) -> pd.DataFrame:
    """All deliveries of a feed, the newest one of a snapshot; every cell as text, with its file and row."""
    found = sorted(folder.glob(f"inbox/*/{dataset}.*"))
    files = found if wanted["mode"] == "events" else found[-1:]
    frames = []
    for file in files:
        if file.suffix == ".xlsx":
            frame = pd.read_excel(file, dtype=str)
        else:
            frame = con.execute("SELECT * FROM read_csv($1, all_varchar = true)", [str(file)]).df()
        frames.append(frame.assign(file=f"{file.parent.name}/{file.name}", row=range(2, len(frame) + 2)))
    return pd.concat(frames, ignore_index=True)


def _bad_rows(gx: Any, source: Any, dataset: str, rows: pd.DataFrame, wanted: dict[str, Any]) -> pd.Series:
    batch = source.add_dataframe_asset(dataset).add_batch_definition_whole_dataframe("all")
    suite = gx.ExpectationSuite(name=dataset, expectations=_expectations(gx, rows, wanted))
    found = batch.get_batch({"dataframe": rows}).validate(suite, result_format="COMPLETE")
    bad = pd.Series(False, index=rows.index)
    for one in found.results:
        bad.loc[one.result.get("unexpected_index_list") or []] = True
    return bad


def _expectations(gx: Any, rows: pd.DataFrame, wanted: dict[str, Any]) -> list[Any]:
    made, e = [], gx.expectations
    for column in (one for one in wanted["columns"] if one["name"] in rows):
        name = column["name"]
        if column["required"]:
            made.append(e.ExpectColumnValuesToNotBeNull(column=name))
        if column["type"] in _FORMS:
            made.append(e.ExpectColumnValuesToMatchRegex(column=name, regex=_FORMS[column["type"]]))
        if column["values"]:
            made.append(e.ExpectColumnValuesToBeInSet(column=name, value_set=column["values"]))
    key = [name for name in wanted["key"] if name in rows]
    if len(key) == 1:
        made.append(e.ExpectColumnValuesToBeUnique(column=key[0]))
    elif key and wanted["mode"] != "events":
        made.append(e.ExpectCompoundColumnsToBeUnique(column_list=key))
    return made


def _dbt(folder: Path, database: Path) -> None:
    from dbt.cli.main import dbtRunner

    project = folder / "peer-project"
    (project / "models").mkdir(parents=True, exist_ok=True)
    for model in sorted((_HERE / "models").glob("*.sql")):
        (project / "models" / model.name).write_bytes(model.read_bytes())
    (project / "dbt_project.yml").write_text(
        "name: peer\nversion: 1.0.0\nprofile: peer\nmodels: {peer: {+materialized: table}}\n", encoding="utf-8"
    )
    profile = {"target": "t", "outputs": {"t": {"type": "duckdb", "path": str(database), "threads": 2}}}
    (project / "profiles.yml").write_text(json.dumps({"peer": profile}), encoding="utf-8")
    place = ["--project-dir", str(project), "--profiles-dir", str(project), "--quiet"]
    done = dbtRunner().invoke(["run", *place])
    if not done.success:
        raise SystemExit(f"dbt: {done.exception or done.result}")


def _report(folder: Path, database: Path, refused: pd.DataFrame) -> None:
    from jinja2 import Environment
    from openpyxl import Workbook

    with duckdb.connect(str(database)) as con:
        tables = {name: con.execute(f"FROM {name}").df() for name in ("system_status", "shortages", "slow_nodes")}
    page = Environment(autoescape=True).from_string(_PAGE)
    (folder / "peer.html").write_text(
        page.render(tables={name: frame.head(2_000) for name, frame in tables.items()}, refused=len(refused)),
        encoding="utf-8",
    )
    book = Workbook(write_only=True)
    for name, frame in {**tables, "refused": refused}.items():
        sheet = book.create_sheet(name)
        sheet.append(list(frame.columns))
        for row in frame.head(1_000_000).itertuples(index=False):
            sheet.append([None if pd.isna(cell) else cell for cell in row])
    book.save(folder / "peer.xlsx")


_PAGE = """<!doctype html><title>Status</title><p>{{ refused }} rows refused</p>
{% for name, frame in tables.items() %}<h2>{{ name }}</h2><table><tr>{% for c in frame.columns %}<th>{{ c }}</th>
{% endfor %}</tr>{% for row in frame.itertuples(index=False) %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}
</tr>{% endfor %}</table>{% endfor %}"""

if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
