"""Baselines that a P6 file carries: copies of a project (``orig_proj_id``) whose planned dates its activities get.

P6 takes a project's own planned dates where no baseline is assigned; here the baseline columns then stay null.
"""

from __future__ import annotations

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_tables import ROW

_TAKEN = {"planned_start": "baseline_start", "planned_finish": "baseline_finish", "duration_s": "baseline_duration_s"}


def baselines(rows: pl.DataFrame, tasks: pl.DataFrame) -> tuple[pl.DataFrame, frozenset[str], dict[str, Finding]]:
    """Tasks with baseline columns, the proj_ids that are baselines, and a finding by project that has any.

    Activities are matched by their code, as P6 does. The assigned baseline (``sum_base_proj_id``) is taken; without an
    assigned one a single baseline is, and of several none.
    """
    present = set(rows["proj_id"])
    copies: dict[str, list[str]] = {}
    for key, owner in rows.select("proj_id", "orig_proj_id").iter_rows():
        if owner is not None and owner != key and owner in present:
            copies.setdefault(owner, []).append(key)
    found: dict[str, Finding] = {}
    parts = [tasks]
    for owner, keys in copies.items():
        project = rows.row(by_predicate=pl.col("proj_id") == owner, named=True)
        taken = _taken(project["sum_base_proj_id"], keys)
        found[owner] = _finding(rows, keys, taken, project[ROW])
        if taken is not None:
            parts.append(_planned(tasks, taken, owner))
    columns = list(_TAKEN.values())
    if len(parts) > 1:
        planned = pl.concat(parts[1:]).unique(["project", "code"], keep="first", maintain_order=True)
        tasks = tasks.drop(columns).join(planned, on=["project", "code"], how="left", maintain_order="left")
        tasks = tasks.select(parts[0].columns)
    return tasks, frozenset(key for keys in copies.values() for key in keys), found


def _taken(assigned: str | None, keys: list[str]) -> str | None:
    if assigned in keys:
        return assigned
    return keys[0] if len(keys) == 1 else None


def _planned(tasks: pl.DataFrame, baseline: str, owner: str) -> pl.DataFrame:
    own = tasks.filter(pl.col("project") == baseline)
    return own.select(pl.lit(owner).alias("project"), "code", *(pl.col(old).alias(new) for old, new in _TAKEN.items()))


def _finding(rows: pl.DataFrame, keys: list[str], taken: str | None, row: int) -> Finding:
    titles = dict(rows.select("proj_id", pl.coalesce("proj_short_name", "proj_id")).iter_rows())
    if taken is None:
        listed = ", ".join(titles[key] for key in keys)
        message = f"the file holds {len(keys)} baselines ({listed}) and assigns none of them: no baseline is taken"
        return Finding("baseline_ambiguous", "warning", row, "sum_base_proj_id", listed, message)
    message = f"baseline '{titles[taken]}' of the file is taken ({len(keys)} in the file)"
    return Finding("baseline_taken", "info", row, "sum_base_proj_id", titles[taken], message)
