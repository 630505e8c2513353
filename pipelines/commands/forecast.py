"""``turnup forecast``: when what is contracted will be there and how sure that is; and what would follow if."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pipelines.commands.output import plain
from pipelines.commands.published import published_week
from turnup.programme import Home
from turnup.readiness.forecasting.published import published_ground
from turnup.readiness.forecasting.what_if import Compared, what_if
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from decimal import Decimal
    from pathlib import Path

    import duckdb

    from pipelines.commands.output import Output

_FORECASTS = """SELECT * FROM mart.forecast
    ORDER BY CASE scope_type WHEN 'kind' THEN 1 WHEN 'system' THEN 2 ELSE 3 END, scope"""
_DRIVERS = "SELECT * FROM mart.forecast_drivers ORDER BY scope_type, scope, rank"
_TORNADO = "SELECT * FROM mart.forecast_tornado ORDER BY scope_type, scope, rank"
_RECORD = "SELECT * FROM mart.calibration ORDER BY scope <> 'all', scope, lead_days"
_ASSUMPTIONS = "SELECT * FROM mart.forecast_assumptions ORDER BY node"
_HEALTH = "SELECT * FROM mart.schedule_health ORDER BY project, check_no"
_CLAIMS = "SELECT * FROM core.activity_claims ORDER BY ALL"
_DRIVERS_SHOWN = 5


def show_forecast(folder: Path, week: str, questions: Sequence[str], output: Output) -> None:
    """Print the forecast of a published week, or compare it with what somebody asks; nothing is written."""
    home = Home(folder)
    home.load()
    with connect(published_week(home, week), read_only=True) as con:
        about = _records(con, "SELECT week, as_of FROM meta.week")[0]
        ground = published_ground(con)
        if questions:
            compared = what_if(ground, questions)
            output.document({**about, "questions": list(questions), "compared": [_record(one) for one in compared]})
            _show_compared(about, questions, compared, output)
            return
        record = {
            **about,
            **{
                name: _records(con, query)
                for name, query in (
                    ("forecasts", _FORECASTS), ("drivers", _DRIVERS), ("tornado", _TORNADO), ("calibration", _RECORD),
                    ("health", _HEALTH), ("claims", _CLAIMS), ("assumptions", _ASSUMPTIONS),
                )
            },
        }  # fmt: skip
    output.document(record)
    _show(record, output)


def _show(record: dict[str, Any], output: Output) -> None:
    output.line(f"Forecast of week {record['week']}, data date {record['as_of']}")
    output.line(f"  our record: {_held(record['calibration'])}")
    drawn = next((row for row in record["forecasts"] if row["method"]), None)
    if drawn is not None:
        output.line(f"  {drawn['method']}, {drawn['iterations']} runs, seed {drawn['seed']}")
    output.table(
        "When the rest is there",
        ("scope", "to go", "unit", "P50", "P80", "P95", "contract", "chance", "slip, days", "note"),
        [
            (
                row["scope"] if row["scope_type"] != "kind" else f"all {row['scope']}", row["remaining"], row["unit"],
                row["p50"], row["p80"], row["p95"], row["contract_date"], _share(row["confidence"]),
                row["slip_week_days"], row["note"],
            )
            for row in record["forecasts"]
        ],
    )  # fmt: skip
    leading = [row for row in record["drivers"] if row["scope_type"] == "kind" and row["rank"] <= _DRIVERS_SHOWN]
    if leading:
        rows = [(row["scope"], row["name"], _share(row["criticality"]), row["basis"]) for row in leading]
        output.table("What decides it", ("kind", "driver", "on the path", "duration from"), rows)
    for claim in record["claims"]:
        output.line(
            f"  {claim['code']} {claim['name']} is claimed done, gate {claim['gate']} has not passed: "
            f"{plain(claim['remaining_days'])} working days taken to remain"
        )


def _held(rows: list[dict[str, Any]]) -> str:
    row = next((one for one in rows if one["scope"] == "all" and one["lead_days"] == 28), None)
    if row is None or not row["gates"]:
        return "no gate has passed yet that was forecast 28 days before"
    few = "" if row["enough"] else " (fewer than 10 cases: weak evidence)"
    brier = f"; Brier score {plain(row['brier'])} of {row['dates']} contract dates" if row["dates"] else ""
    return f"P50 held for {row['p50_held']} and P80 for {row['p80_held']} of {row['gates']} gates{few}{brier}"


def _show_compared(
    about: dict[str, Any], questions: Sequence[str], compared: Sequence[Compared], output: Output
) -> None:
    output.line(f"Week {about['week']}, data date {about['as_of']}; nothing is changed. If:")
    for question in questions:
        output.line(f"  {question}")
    changed = [one for one in compared if one.changed]
    if not changed:
        output.line("No date and no chance would change.")
        return
    output.table(
        "What would change", ("scope", "P50", "P80", "P95", "chance of the contract date"),
        [
            (
                one.target.scope if one.target.scope_type != "kind" else f"all {one.target.scope}",
                *(_moved(getattr(one.before, name), getattr(one.after, name), days) for name, days in one.days.items()),
                f"{_share(one.before.contract)} -> {_share(one.after.contract)}",
            )
            for one in changed
        ],
    )  # fmt: skip


def _moved(before: date | None, after: date | None, days: int | None) -> str:
    words = f"{before or 'none'} -> {after or 'none'}"
    return words if days is None else f"{words} ({days:+d} d)" if days else str(before)


def _share(value: Decimal | None) -> str:
    return "" if value is None else f"{float(value):.0%}"


def _record(one: Compared) -> dict[str, Any]:
    target = one.target
    return {
        "scope_type": target.scope_type, "scope": target.scope, "unit": target.unit, "target": target.target,
        "remaining": target.remaining, "contract_date": target.contract_date, "commit_date": target.commit_date,
        "need_date": target.need_date, "before": asdict(one.before), "after": asdict(one.after), "days": one.days,
        "changed": one.changed,
    }  # fmt: skip


def _records(con: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    result = con.sql(query)
    return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]
