"""Activity codes and user fields of a P6 file named system, block or gate: what binds activities to evidence."""

from __future__ import annotations

import polars as pl

from turnup.formats.schedule.p6_tables import P6Tables

CODES = ("system", "block", "gate")
_SHAPE = {"id": pl.String(), "code": pl.String(), "value": pl.String()}


def codes(tables: P6Tables) -> pl.DataFrame:
    """``id`` and the three codes of each activity that has any; an activity code wins over a user-defined field."""
    found = pl.concat([_activity_codes(tables), _user_fields(tables)]).drop_nulls()
    single = found.unique(["id", "code"], keep="first", maintain_order=True)
    wide = [single.filter(pl.col("code") == code).select("id", pl.col("value").alias(code)) for code in CODES]
    frame = single.select("id").unique(maintain_order=True)
    for each in wide:
        frame = frame.join(each, on="id", how="left", maintain_order="left")
    return frame


def _activity_codes(tables: P6Tables) -> pl.DataFrame:
    named = _named(tables.table("ACTVTYPE"), "actv_code_type_id", "actv_code_type")
    if not named:
        return pl.DataFrame(schema=_SHAPE)
    values = tables.table("ACTVCODE").select("actv_code_id", value=pl.coalesce("short_name", "actv_code_name"))
    of_type = tables.table("TASKACTV").filter(pl.col("actv_code_type_id").is_in(list(named)))
    joined = of_type.join(
        values.unique("actv_code_id", keep="first"), on="actv_code_id", how="left", maintain_order="left"
    )
    return joined.select(id="task_id", code=pl.col("actv_code_type_id").replace_strict(named), value="value")


def _user_fields(tables: P6Tables) -> pl.DataFrame:
    named = _named(tables.table("UDFTYPE").filter(pl.col("table_name") == "TASK"), "udf_type_id", "udf_type_label")
    if not named:
        return pl.DataFrame(schema=_SHAPE)
    of_type = tables.table("UDFVALUE").filter(pl.col("udf_type_id").is_in(list(named)))
    return of_type.select(id="fk_id", code=pl.col("udf_type_id").replace_strict(named), value="udf_text")


def _named(types: pl.DataFrame, key: str, name: str) -> dict[str, str]:
    """Which types bear one of the names, in whatever case."""
    rows = types.select(key, pl.col(name).str.strip_chars().str.to_lowercase()).drop_nulls().iter_rows()
    return {type_: code for type_, code in rows if code in CODES}
