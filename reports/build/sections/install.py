"""Section 7 on installation: backlog and its age, rates of crews, first passes, places, stock, returns, moves."""

from collections import defaultdict
from decimal import Decimal

from reports.build.cells import change, figure, system, table, when, words
from reports.build.sections.logistics import judged
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.wording import DASH, plural, quantity, unit_name

_STEPS = ("staged", "racked", "cabled", "powered", "provisioned")
_PURPOSES = ("production", "spare", "loan", "evaluation")
_GATES = {"power_bringup": "bring-up", "acceptance": "acceptance"}


def install_blocks(week: Week) -> list[Block]:
    """The blocks on installation; without a register of assets that is said and nothing else."""
    if not week.warehouse.delivered("installs"):
        return [Paragraph("no data: installs not delivered", "absent")]
    return [
        *_backlog(week),
        *_rates(week),
        *_yield(week),
        *_positions(week),
        *_stock(week),
        *_returns(week),
        *_moves(week),
    ]


def install_message(week: Week) -> str:
    """One sentence on what waits, empty where nothing does."""
    rows = week.rows("mart.install_backlog")
    total = sum(r.count("waiting") for r in rows)
    oldest = max((r.count("oldest_days") for r in rows), default=0)
    return f"{plural(total, 'device')} wait for a step of installation, the oldest {oldest} d" if total else ""


def _backlog(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.install_backlog"), key=lambda r: (r.text("system_id"), r.count("step_no")))
    if not rows:
        return [Paragraph("No device waits for a step of installation.")]
    heads = ("System", "Waits to be", ">Devices#install_backlog", ">To 7 days", ">To 14", ">To 28", ">Over 28",
             ">Age unknown", ">Median", ">Oldest#install_backlog_days", "Oldest device")  # fmt: skip
    names = ("waiting", "to_7_days", "to_14_days", "to_28_days", "over_28_days", "unknown_age")
    cells = (
        (
            system(r.text("system_id")),
            words(r.text("step")),
            *(figure(r.whole(name)) for name in names),
            figure(r.whole("median_days"), suffix=" d"),
            figure(r.whole("oldest_days"), suffix=" d"),
            words(r.text("oldest")),
        )
        for r in rows
    )
    total = sum(r.count("waiting") for r in rows)
    return [
        table("S7-backlog", f"Install backlog: {plural(total, 'device')} by age", heads, cells, cap=40, of=len(rows))
    ]


def _rates(week: Week) -> list[Block]:
    by_crew: dict[tuple[str, str], dict[str, Record]] = defaultdict(dict)
    for row in week.rows("mart.install_rates"):
        by_crew[row.text("site_id"), row.text("crew")][row.text("step")] = row
    if not by_crew:
        return [Paragraph("no data: no step of installation is dated in the last four weeks", "absent")]
    steps = [step for step in _STEPS if any(step in of_crew for of_crew in by_crew.values())]
    heads = ("Site", "Crew", *(f">{step.capitalize()} a day#{step}_per_crew_day" for step in steps))
    cells = (
        (words(site), words(crew), *(_rate(of_crew.get(step)) for step in steps))
        for (site, crew), of_crew in sorted(by_crew.items())
    )
    absent = [step for step in _STEPS if step not in steps]
    said = f" No day is recorded for: {', '.join(absent)}." if absent else ""
    note = f"Devices per day on which the crew did any of the step, last 28 days.{said}"
    return [table("S7-rates", "Install rates", heads, cells, cap=30, note=note)]


def _rate(row: Record | None) -> Cell:
    if row is None:
        return words("")
    said = f"{plural(row.count('devices'), 'device')} in {plural(row.count('days_worked'), 'day')}"
    rate = row.number("per_day")
    return Cell(quantity(rate) if rate is not None else "not judged", rate, note=said)


def _yield(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.first_pass"), key=lambda r: (r.text("system_id"), r.text("gate") != "power_bringup"))
    if not rows:
        return [Paragraph("no data: no first attempt of bring-up or acceptance ended in the last six weeks", "absent")]
    least = rows[0].count("judged_from")
    heads = ("System", "Gate", ">First attempts ended", ">Passed", ">First-pass yield#first_pass_acceptance_share")
    cells = (
        (
            system(r.text("system_id")),
            words(_GATES.get(r.text("gate"), r.text("gate"))),
            figure(r.whole("finished")),
            figure(r.whole("passed")),
            judged(r.number("yield"), r.count("finished"), least),
        )
        for r in rows
    )
    silent = "" if any(r.text("gate") == "power_bringup" for r in rows) else " Bring-up: no data on faults."
    note = f"Last six weeks; fewer than {least} attempts are not judged.{silent}"
    return [table("S7-yield", "First-pass yield", heads, cells, cap=30, of=len(rows), note=note)]


def _positions(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.positions"), key=lambda r: r.text("system_id"))
    placed = sum(r.count("devices") - r.count("not_placed") for r in rows)
    if not placed:
        return []
    told = sum(r.count("as_planned") for r in rows)
    names = ("devices", "as_planned", "other_position", "other_rack", "no_position", "no_plan", "not_placed")
    differing = [r for r in rows if r.count("devices") > r.count("as_planned") + r.count("not_placed")]
    sentence = f"{told:,} of {plural(placed, 'placed device')} stand where planned"
    if not differing:
        return [Paragraph(f"{sentence}.")]
    heads = ("System", ">Devices", ">As planned#position_as_planned_share", ">Other U", ">Other rack", ">Not told",
             ">No plan", ">Not placed")  # fmt: skip
    cells = ((system(r.text("system_id")), *(figure(r.whole(name)) for name in names)) for r in differing)
    return [table("S7-positions", sentence, heads, cells, cap=30, of=len(differing))]


def _stock(week: Week) -> list[Block]:
    """Pieces by purpose, shown where any is not for production."""
    rows = list(week.rows("mart.stock"))
    if not any(r.text("purpose") != "production" for r in rows):
        return []
    by_system: dict[str, list[Record]] = defaultdict(list)
    for row in rows:
        by_system[row.text("system_id")].append(row)
    heads = ("System", *(f">{name.capitalize()}" for name in _PURPOSES), ">Capacity on hand", ">Aside#capacity_aside",
             ">Loans overdue", ">Loans without return")  # fmt: skip
    cells = (
        _stock_row(name, held)
        for name, held in sorted(by_system.items())
        if any(r.text("purpose") != "production" for r in held)
    )
    note = "Only production bears capacity; aside is what the others would bear. Production: parts that bear capacity."
    return [table("S7-stock", "Production, spare, loan and evaluation pieces", heads, cells, cap=30, note=note)]


def _stock_row(name: str, held: list[Record]) -> tuple[Cell, ...]:
    pieces = {purpose: sum(r.count("pieces") for r in held if r.text("purpose") == purpose) for purpose in _PURPOSES}
    unit = unit_name(next((r.text("unit") for r in held if r.text("unit")), ""))
    totals = [sum((r.amount(column) for r in held), Decimal(0)) for column in ("capacity", "capacity_aside")]
    return (
        system(name),
        *(figure(pieces[purpose]) for purpose in _PURPOSES),
        *(Cell(f"{quantity(total)} {unit}".strip(), total) for total in totals),
        figure(sum(r.count("overdue") for r in held)),
        figure(sum(r.count("without_return") for r in held)),
    )


def _returns(week: Week) -> list[Block]:
    rows = list(week.rows("mart.rma_chains"))
    if not rows:
        return []
    rows.sort(key=lambda r: (not r.flag("is_loop"), -r.count("swaps"), str(r.day("swapped_on")), r.text("serial")))
    heads = ("Old to new", ">Swaps#replacements", "Faults", "First opened", "Last swap", "In use as", "System")
    cells = (
        (
            words(r.text("path").replace(" -> ", " → "), note="goes round in a circle" if r.flag("is_loop") else ""),
            figure(r.whole("swaps")),
            words(r.text("kinds")),
            when(r.day("opened")),
            when(r.day("swapped_on")),
            words(r.text("name") or r.text("serial") if r.flag("is_recorded") else "not in the register"),
            system(r.text("system_id")),
        )
        for r in rows
    )
    return [table("S7-rma", f"{plural(len(rows), 'chain')} of replacements", heads, cells, cap=20, of=len(rows))]


def _moves(week: Week) -> list[Block]:
    rows = list(week.rows("mart.capacity_moves"))
    if not rows:
        return []
    groups: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for row in rows:
        key = tuple(row.text(name) for name in ("from_system", "to_system", "dataset", "decision", "decision_state"))
        groups[key].append(row)
    heads = (
        "From",
        "To",
        "What",
        ">Pieces",
        ">Out",
        ">In#capacity_moved_net",
        "Until",
        "Decision#moves_without_decision",
    )
    cells = (_move_row(key, held) for key, held in sorted(groups.items()))
    open_ones = sum(r.text("decision_state") != "decided" for r in rows)
    nets = "every move nets to zero" if all(r.flag("nets") for r in rows) else "not every move nets to zero"
    title = f"Capacity moved between systems: {plural(len(rows), 'move')}, {open_ones} without a decision; {nets}"
    blocks: list[Block] = [table("S7-moves", title, heads, cells, cap=20)]
    return [*blocks, *_transfers(week)]


def _move_row(key: tuple[str, ...], held: list[Record]) -> tuple[Cell, ...]:
    source, target, dataset, decision, decided = key
    days = [at for r in held if (at := r.day("moved_on"))]
    return (
        system(source),
        system(target),
        words("pieces" if dataset == "installs" else "shares of orders"),
        figure(sum((r.amount("pieces") for r in held), Decimal(0))),
        *(figure(sum((r.amount(name) for r in held), Decimal(0))) for name in ("quantity_out", "quantity_in")),
        when(max(days, default=None)),
        Cell(decision or DASH, decision or None, "" if decided == "decided" else "amber",
             note="" if decided == "decided" else "no decision" if decided == "none" else decided),
    )  # fmt: skip


def _transfers(week: Week) -> list[Block]:
    rows = sorted(
        week.rows("mart.capacity_transfers"), key=lambda r: (r.text("kind"), r.text("dataset"), r.text("system_id"))
    )
    heads = ("System", "What", ">In", ">Out", ">Net")
    cells = (
        (
            system(r.text("system_id"), unit_name(r.text("unit"))),
            words("pieces" if r.text("dataset") == "installs" else "shares of orders"),
            figure(r.number("quantity_in")),
            figure(r.number("quantity_out")),
            change(r.number("net")),
        )
        for r in rows
    )
    return [table("S7-transfers", "Net of moves by system; a kind adds up to zero", heads, cells, cap=30, of=len(rows))]
