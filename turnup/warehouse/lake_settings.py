"""Where the lake of a programme is, as ``programme.yaml`` says it (``turnup.warehouse.lake`` reads and writes it)."""

from __future__ import annotations

import re

from pydantic import field_validator

from turnup.strict import Strict

_SECRET = re.compile(r"(?i)\bpassword\s*=|://[^/@\s]*:[^/@\s]*@")


class Lake(Strict):
    """A DuckLake that several machines share, instead of Parquet files in the programme's own store.

    Attributes:
        catalog: what follows ``ducklake:``, such as ``postgres:host=db dbname=turnup user=turnup``, or a file's path
            where one process alone works with it.
        data: folder of the rows, at the same path on every machine.
    """

    catalog: str
    data: str

    @field_validator("catalog")
    @classmethod
    def _holds_no_secret(cls, value: str) -> str:
        if _SECRET.search(value):
            raise ValueError("a password does not belong here; set PGPASSWORD or PGPASSFILE where turnup runs")
        return value
