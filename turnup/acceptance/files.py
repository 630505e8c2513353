"""Expectations as files, and the figures of measurement files, for work at the bench and apart from a programme."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import yaml

from expectations.contract import load_contracts
from expectations.judging import judge
from turnup.formats import FileRejected, Finding
from turnup.formats.benchmarks.measured import UNKNOWN
from turnup.ingest import complete_rows
from turnup.isolation import shared_reader
from turnup.programme import Source
from turnup.value_keys import typing_rules
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from turnup.acceptance.expectations import Acceptance

_DATASET = "benchmarks"


def as_yaml(acceptance: Acceptance) -> str:
    """Expectations as a person writes them: what is the default is left out."""
    held: dict[str, Any] = acceptance.model_dump(mode="json", exclude_defaults=True)
    text: str = yaml.safe_dump(held, sort_keys=False, allow_unicode=True, width=110)
    return text


def figures_of(files: Sequence[Path], node: str = "") -> tuple[pl.DataFrame, list[tuple[Path, Finding]]]:
    """The typed figures of measurement files, in order of file and row, and what was wrong with them.

    A file that holds no figures is a finding; the others count. A log that names no host is of ``node``, else of a node
    under the file's own name: logs of two machines are never taken for one.
    """
    contract = load_contracts()[_DATASET]
    frames: list[pl.DataFrame] = []
    findings: list[tuple[Path, Finding]] = []
    for number, file in enumerate(files):
        try:
            source = Source.model_construct(dataset=_DATASET, files=file.name, time_zone="UTC")
            table = shared_reader().parse(file, file.name, source, contract)
        except FileRejected as refusal:
            told = Finding(refusal.code, "error", refusal.row, refusal.column, refusal.value, refusal.message)
            findings.append((file, told))
            continue
        findings += [(file, finding) for finding in table.findings]
        findings += [(file, Finding(row.rule, "error", row.row, row.column, row.value, row.message))
                     for row in table.rejected]  # fmt: skip
        rules = typing_rules(table.source or source, table, file.name)
        delivered = table.frame.with_columns(pl.lit(f"{number:06d}").alias("_ingest")).with_row_index("_n")
        with connect() as con:
            con.register("raw", complete_rows(delivered, contract))
            judged = judge(con, contract, "raw", rules, delivered.columns)
            kept = f"SELECT * FROM {judged.rows} WHERE _n NOT IN (SELECT _n FROM {judged.refused}) ORDER BY _n"
            frames.append(_of_node(con.sql(kept).pl(), node or str(file)))
            refused = f"SELECT rule, _row, column_name, value, message FROM {judged.refused} ORDER BY ALL"
            bad = con.sql(refused).fetchall()
        findings += [(file, Finding(rule, "error", row, column, value, message))
                     for rule, row, column, value, message in bad]  # fmt: skip
    if not frames:
        return pl.DataFrame(), findings
    together = pl.concat(frames, how="diagonal_relaxed").with_row_index("_at")
    return together.with_columns(pl.col("_at").cast(pl.Int64).alias("_row")), findings


def _of_node(figures: pl.DataFrame, node: str) -> pl.DataFrame:
    nameless = pl.col("node").str.to_lowercase() == UNKNOWN
    return figures.with_columns(pl.when(nameless).then(pl.lit(node)).otherwise(pl.col("node")).alias("node"))
