"""The peer's two reports: a page by Jinja2 and a workbook by openpyxl.

Belongs here: laying out what the marts hold. Does not: computing it.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd
from jinja2 import Environment
from openpyxl import Workbook

MARTS = ("funnel", "system_status", "changed", "netting_of_systems", "shortages", "slow_nodes")
_ON_PAGE, _ON_SHEET = 2_000, 1_000_000


def report(folder: Path, database: Path, quarantine: Path, tests: list[tuple[str, str, int]]) -> None:
    """Write ``peer.html`` and ``peer.xlsx``: the marts, the tests, and every refused row."""
    with duckdb.connect(str(database)) as con:  # as dbt holds it open
        tables = {name: con.execute(f"FROM {name} ORDER BY ALL").df() for name in MARTS}
    tables["tests"] = pd.DataFrame(tests, columns=["test", "status", "rows"])
    frames = {file.stem: pd.read_csv(file, dtype=str) for file in sorted(quarantine.glob("*.csv"))}
    broken = [frame.assign(dataset=name) for name, frame in frames.items() if len(frame)]
    named = ["dataset", "file", "row", "columns", "check"]
    tables["refused"] = pd.concat(broken)[named] if broken else pd.DataFrame(columns=named)
    page = Environment(autoescape=True).from_string(_PAGE)
    shown = {name: frame.head(_ON_PAGE) for name, frame in tables.items()}
    (folder / "peer.html").write_text(page.render(tables=shown), encoding="utf-8")
    book = Workbook(write_only=True)
    for name, frame in tables.items():
        sheet = book.create_sheet(name)
        sheet.append(list(frame.columns))
        for row in frame.head(_ON_SHEET).itertuples(index=False):
            sheet.append([None if pd.isna(cell) else cell for cell in row])
    book.save(folder / "peer.xlsx")


_PAGE = """<!doctype html><meta charset="utf-8"><title>Status</title>
{% for name, frame in tables.items() %}<h2>{{ name }}</h2><table><tr>{% for c in frame.columns %}<th>{{ c }}</th>
{% endfor %}</tr>{% for row in frame.itertuples(index=False) %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}
</tr>{% endfor %}</table>{% endfor %}"""
