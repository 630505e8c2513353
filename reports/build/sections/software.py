"""Section 7 on software: what is worse on the present one, what differs from what is laid down, who is due a test."""

from reports.build.cells import figure, system, table, when, words
from reports.build.week import Week
from reports.models.common import Block, Cell
from reports.wording import plural


def software_blocks(week: Week) -> list[Block]:
    """Regressions, software against what is laid down, the drift list, revalidations due."""
    return [*_regressions(week), *_software(week), *_drift(week), *_revalidations(week)]


def _regressions(week: Week) -> list[Block]:
    rows = week.ordered("mart.acceptance_regressions", "system_id", "test", "metric", "stack")
    if not rows:
        return []
    heads = ("System", "Figure", "Stack", "Before", ">Units", ">Worst change")
    cells = (
        (
            system(r.text("system_id")),
            words(f"{r.text('test')} {r.text('metric')}"),
            words(r.text("stack")),
            words(r.text("stack_before")),
            figure(r.whole("units")),
            Cell(f"{round(r.amount('worst_change') * 100, 1)} %"),
        )
        for r in rows
    )
    return [table("S7-regressions", "Worse on the present software than before", heads, cells, cap=40, of=len(rows))]


def _software(week: Week) -> list[Block]:
    rows = week.ordered("mart.software", "system_id", "component")
    if not rows:
        return []
    heads = ("System", "Component", "Laid down", ">Units", ">As laid down", ">Other", ">No data", "Found instead")
    cells = (
        (
            system(r.text("system_id")),
            words(r.text("component"), note=r.text("source")),
            words(r.text("golden")),
            *(figure(r.whole(name)) for name in ("units", "ok", "drift", "no_data")),
            words(r.text("found")),
        )
        for r in rows
    )
    return [table("S7-software", "Software against what is laid down", heads, cells, cap=80, of=len(rows))]


def _drift(week: Week) -> list[Block]:
    rows = week.ordered("mart.software_drift", "system_id", "component", "unit_id")
    if not rows:
        return []
    heads = ("System", "Unit", "Component", "Version", "Laid down", "Seen")
    cells = (
        (
            system(r.text("system_id")),
            *(words(r.text(name)) for name in ("unit_id", "component", "version", "golden")),
            when(r.day("observed_at")),
        )
        for r in rows
    )
    return [table("S7-drift", f"Drift list: {plural(len(rows), 'component')}", heads, cells, cap=40, of=len(rows))]


def _revalidations(week: Week) -> list[Block]:
    rows = week.ordered("mart.revalidations", "system_id", "unit_id", "component")
    if not rows:
        return []
    heads = ("System", "Unit", "Component", "Before", "Now", "Changed", "Tested")
    cells = (
        (
            system(r.text("system_id")),
            *(words(r.text(name)) for name in ("unit_id", "component", "version_before", "version")),
            when(r.day("changed_at"), status="amber"),
            when(r.day("tested_at")),
        )
        for r in rows
    )
    note = "They stay accepted; a test on the present software is due."
    return [table("S7-revalidation", "Revalidation due", heads, cells, cap=40, of=len(rows), note=note)]
