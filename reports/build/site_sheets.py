"""The one-page sheet of a site: the boxes of ``sheets`` over every system at it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from reports.build.cells import figure, state, table, words
from reports.build.comments import comment_blocks
from reports.build.evidence import Behind
from reports.build.made_later import Later
from reports.build.sheets import (
    PARTS,
    PLACES,
    Parts,
    blocker_blocks,
    boxes,
    by_system,
    commitment_blocks,
    forecast_blocks,
    raid_blocks,
)
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Paragraph
from reports.models.sheets import Sheet
from reports.palette import worst
from reports.text import anchor, file_stems
from reports.wording import REACHED, kind_name, kind_rank, listed, plural, quantity, unit_name


def build_site_sheets(week: Week) -> list[Later]:
    """Return one sheet per site that has a system, in order of site id, each made when it is asked for."""
    at: dict[str, list[Record]] = defaultdict(list)
    for row in sorted(week.rows("mart.systems"), key=lambda r: r.text("system_id")):
        if row.text("site_id"):
            at[row.text("site_id")].append(row)
    parts = by_system(week, PARTS)
    gates: dict[str, list[Record]] = defaultdict(list)
    for row in week.rows("mart.site_gates"):
        gates[row.text("site_id")].append(row)
    sites = sorted(at)
    behind = Behind(week, PLACES)
    heads = [_head(week, site, stem, at[site]) for site, stem in zip(sites, file_stems(sites), strict=True)]
    return [
        (head, partial(_site_sheet, week, head, at[head.subject], parts, gates[head.subject], behind)) for head in heads
    ]


def _head(week: Week, site: str, stem: str, systems: list[Record]) -> Sheet:
    return Sheet(
        kind="site",
        id=anchor("SITE", site),
        subject=site,
        file=stem,
        name=systems[0].text("site_name"),
        status=worst([row.text("status") or "grey" for row in systems]),
        summary=_summary(systems),
        facts=_facts(week, site, systems),
        boxes=(),
    )


def _site_sheet(
    week: Week, head: Sheet, systems: list[Record], parts: Parts, gates: list[Record], behind: Behind
) -> Sheet:
    names = [row.text("system_id") for row in systems]
    mine = {name: [row for system in names for row in groups.get(system, [])] for name, groups in parts.items()}
    mine["blockers"].sort(key=lambda r: (r.count("rank"), r.text("blocker_id")))
    content: dict[str, Sequence[Block]] = {
        "commitments": commitment_blocks(mine["commitments"]),
        "funnel": _funnels(mine["funnel"]),
        "gates": _gates(gates),
        "blockers": blocker_blocks(week, mine["blockers"], behind),
        "forecast": forecast_blocks(mine["commitments"], []),
        "raid": raid_blocks(mine["raid"], mine["waivers"]),
        "comment": comment_blocks(week, systems, mine),
    }
    return replace(head, boxes=boxes("BOX", content))


def _summary(systems: list[Record]) -> str:
    sums: dict[tuple[str, str], tuple[Decimal, Decimal]] = defaultdict(lambda: (Decimal(0), Decimal(0)))
    for row in systems:
        there, whole = sums[row.text("kind"), row.text("unit")]
        sums[row.text("kind"), row.text("unit")] = (
            there + row.amount("schedulable"),
            whole + row.amount("contracted"),
        )
    parts = [
        f"{kind_name(kind)} {quantity(there)} of {quantity(whole)} {unit_name(unit)}"
        for (kind, unit), (there, whole) in sorted(sums.items(), key=lambda item: kind_rank(item[0][0]))
    ]
    return f"Schedulable of contracted: {listed(parts)}."


def _facts(week: Week, site: str, systems: list[Record]) -> tuple[tuple[str, str], ...]:
    first = systems[0]
    row = next((r for r in week.rows("stg.sites") if r.text("site_id") == site), Record({}))
    facts = (
        ("Region", first.text("region")),
        ("Country", row.text("country")),
        ("Facility", (first.text("facility")).replace("_", " ")),
        ("Provider", row.text("provider")),
        ("Time zone", row.text("time_zone")),
        ("Systems", quantity(len(systems))),
        ("Owners", listed(sorted({r.text("owner") for r in systems if r.text("owner")}))),
    )
    return tuple((name, value) for name, value in facts if value)


def _funnels(rows: list[Record]) -> list[Block]:
    """Capacity that reached each stage, one column per kind in its own unit."""
    kinds = sorted({(r.text("kind"), r.text("unit")) for r in rows}, key=lambda key: kind_rank(key[0]))
    if not kinds:
        return [Paragraph("no data: the funnel has not been computed", "absent")]
    sums: dict[tuple[int, str], dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for row in rows:
        if row.flag("applicable") or not row.has("applicable"):
            sums[row.count("stage_no"), row.text("stage")][row.text("kind")] += row.amount("reached")
    heads = ("Stage", *(f">{kind_name(kind)} ({unit})" for kind, unit in kinds))
    cells = (
        (words(REACHED.get(stage, stage)), *(figure(found.get(kind)) for kind, _ in kinds))
        for (_, stage), found in sorted(sums.items())
    )
    return [table("funnel", "Reached by stage; a stage that a kind does not have is a dash", heads, cells)]


def _gates(rows: list[Record]) -> list[Block]:
    if not rows:
        return [Paragraph("no data: no gate has been evaluated here", "absent")]
    heads = ("Gate", ">Passed", ">Of", "Worst that waits", "Blocked")
    cells = (
        (
            words(r.text("gate").replace("_", " ")),
            figure(r.count("passed")),
            figure(r.count("total")),
            state(r.text("worst")) if r.text("worst") else words("nothing waits"),
            words(r.text("blocked_capacity")),
        )
        for r in sorted(rows, key=lambda r: r.count("gate_no"))
    )
    return [table("gates", plural(len(rows), "gate"), heads, cells)]
