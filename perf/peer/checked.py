"""Row checks by Great Expectations on pandas: the whole rows, every failing row named.

Belongs here: expectations made from the checks, and the rows that break them. Does not: loading or modelling.
"""

from __future__ import annotations

from typing import Any

import great_expectations as gx
import pandas as pd

FORMS = {
    "int": r"^[-+]?\d+$", "dec": r"^[-+]?\d+(?:\.\d+)?$", "money": r"^[-+]?\d+(?:\.\d+)?$",
    "price": r"^[-+]?\d+(?:\.\d+)?$", "float": r"^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$", "date": r"^\d{4}-\d{2}-\d{2}",
    "ts": r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}", "local": r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}",
    "bool": r"^(?i:true|false|yes|no|0|1)$",
}  # fmt: skip
"""How a value of a type is written."""
_NUMBER = "number of "


class Checker:
    """One context for all datasets."""

    def __init__(self) -> None:
        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = {"globally": False}
        self._source = context.data_sources.add_pandas("files")

    def refused(self, dataset: str, rows: pd.DataFrame, wanted: dict[str, Any]) -> pd.DataFrame:
        """One row for each broken check of each row: its index, the check, the column, and the row as delivered."""
        suite = gx.ExpectationSuite(name=dataset, expectations=list(_expectations(rows, wanted)))
        batch = self._source.add_dataframe_asset(dataset).add_batch_definition_whole_dataframe("all")
        bounded = rows.assign(
            **{_NUMBER + name: pd.to_numeric(rows[name], errors="coerce") for name in _bounded(rows, wanted)}
        )
        result = batch.get_batch({"dataframe": bounded}).validate(suite, result_format="COMPLETE")
        broken = [
            {"index": index, "check": one.expectation_config.type, "columns": _columns(one.expectation_config.kwargs)}
            for one in result.results
            for index in one.result.get("unexpected_index_list") or []
        ]
        frame = pd.DataFrame(broken, columns=["index", "check", "columns"])
        return frame.join(rows, on="index") if len(frame) else frame


def _columns(given: dict[str, Any]) -> str:
    return str(given.get("column") or ", ".join(given.get("column_list", ()))).removeprefix(_NUMBER)


def _bounded(rows: pd.DataFrame, wanted: dict[str, Any]) -> list[str]:
    return [
        column["name"]
        for column in wanted["columns"]
        if column["name"] in rows and (column["minimum"] is not None or column["maximum"] is not None)
    ]


def _expectations(rows: pd.DataFrame, wanted: dict[str, Any]) -> list[Any]:
    made, e = [], gx.expectations
    for column in (one for one in wanted["columns"] if one["name"] in rows):
        name = column["name"]
        if column["required"]:
            made.append(e.ExpectColumnValuesToNotBeNull(column=name))
        if column["type"] in FORMS:
            made.append(e.ExpectColumnValuesToMatchRegex(column=name, regex=FORMS[column["type"]]))
        if column["values"]:
            made.append(e.ExpectColumnValuesToBeInSet(column=name, value_set=column["values"]))
        if column["longest"]:
            made.append(e.ExpectColumnValueLengthsToBeBetween(column=name, max_value=column["longest"]))
        if name in _bounded(rows, wanted):
            low, high = column["minimum"], column["maximum"]
            made.append(e.ExpectColumnValuesToBeBetween(column=_NUMBER + name, min_value=low, max_value=high))
    key = [name for name in wanted["key"] if name in rows]
    return [*made, e.ExpectCompoundColumnsToBeUnique(column_list=[*key, "file"])]
