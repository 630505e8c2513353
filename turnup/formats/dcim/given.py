"""The rows of a table as delivered, for what no column of a dataset holds."""

from __future__ import annotations

import json

from turnup.formats.model import RawTable
from turnup.formats.tabular.names import name_key


def given_rows(table: RawTable) -> list[dict[str, str | None]]:
    """Each row under its header's names in the form that compares."""
    return [
        {name_key(name): value for name, value in json.loads(text).items()} for text in table.frame["_given"].to_list()
    ]
