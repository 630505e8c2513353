"""The message to an owner, as plain text to send: what is due, what was not read, what to correct."""

from collections.abc import Iterator
from pathlib import Path

from reports.wording import listed, plural
from turnup.returns.chase import Awaited, Chase, WeekOfChases
from turnup.returns.send_back import OpenTable, SendBack

_EXAMPLES = 3
NOBODY = "nobody"


def messages(week: WeekOfChases, workbooks: dict[str, Path]) -> tuple[str, ...]:
    """One message per owner, then one about files that nobody claims; equal weeks give equal text."""
    texts = [message(week, each, workbooks.get(each.owner)) for each in week.chases]
    return (*texts, *([_unclaimed(week)] if week.nobody else []))


def message(week: WeekOfChases, chase: Chase, workbook: Path | None) -> str:
    """The message to one owner, with address and subject."""
    to = f"{chase.owner} <{chase.email}>" if chase.email else chase.owner
    lines = [f"To: {to}", f"Subject: {week.programme}, week {week.week}: {listed(_counts(chase))}", ""]
    if chase.awaited:
        lines += ["Files we expect from you", *(f"- {_awaited(item)}" for item in chase.awaited), ""]
    if chase.back is not None:
        lines += [*_back(chase.back, workbook)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _counts(chase: Chase) -> list[str]:
    back = chase.back
    counts = [plural(len(chase.awaited), "file") + " expected"] if chase.awaited else []
    if back is not None and back.refused:
        counts.append(plural(len(back.refused), "file") + " not read")
    rows = (back.rows + len({(item.file, item.sheet, item.row) for item in back.unsendable})) if back else 0
    counts += [plural(rows, "row") + " to correct"] if rows else []
    return [*counts, *([plural(len(back.taken), "row") + " to look at"] if back and back.taken else [])]


def _awaited(item: Awaited) -> str:
    what = f"{item.source} ({item.files}, for {item.dataset})"
    received = f"{item.last_at:%Y-%m-%d}" if item.last_at else ""
    last = f"the last was {item.last_file}, received {received}" if item.last_file else "no readable one came before"
    match item.reason:
        case "never came":
            return f"{what}: it never came" + (f"; it is due every {item.due:%A}" if item.due else "")
        case "late":
            return f"{what}: it was due on {item.due:%A %Y-%m-%d} and nothing came this week; {last}"
        case _:
            return f"{what}: {last}, and is {item.age_days:g} days old; at most {item.max_age_days:g} are allowed"


def _back(back: SendBack, workbook: Path | None) -> Iterator[str]:
    if back.refused:
        yield "Files that could not be read; please send them again"
        yield from (f"- {item.file}, received {item.received_at:%Y-%m-%d}: {item.message}" for item in back.refused)
        yield ""
    if back.tables:
        yield f"Rows to correct in the workbook {workbook.name if workbook else ''}".rstrip() + ", attached"
        yield from (line for table in back.tables for line in _table(table))
        yield ""
    if back.unsendable:
        yield "Rows to correct in the system they come from"
        shown = [f"- {item.file}, row {item.row}: {item.message}" for item in back.unsendable[:_EXAMPLES]]
        yield from shown
        more = len(back.unsendable) - len(shown)
        if more:
            yield f"  and {more} more, listed in the workbook"
        yield ""
    if back.taken:
        yield "Rows that were taken and do not fit the rest; please look at them"
        yield from (f"- {item.file}, row {item.row}: {item.message}" for item in back.taken[:_EXAMPLES])
        if len(back.taken) > _EXAMPLES:
            yield f"  and {len(back.taken) - _EXAMPLES} more, listed in the workbook"
        yield ""


def _table(table: OpenTable) -> Iterator[str]:
    sheet = f", sheet {table.original.sheet}" if table.original.sheet else ""
    refused, doubtful = table.count("refused"), table.count("doubtful")
    counts = [f"{refused} refused"] if refused else []
    counts += [f"{doubtful} in doubt"] if doubtful else []
    yield f"- {table.original.path}{sheet}: {plural(len(table.rows), 'row')}, {listed(counts)}"
    for row in table.rows[:_EXAMPLES]:
        again = f" (it came back in {row.returned_in} and is still wrong)" if row.returned_in else ""
        message, place = row.faults[0].message, f"row {row.row}"
        named = message.startswith((f"{place}:", f"{place} "))
        yield f"  {message if named else f'{place}: {message}'}{again}"
    if len(table.rows) > _EXAMPLES:
        yield f"  and {len(table.rows) - _EXAMPLES} more"


def _unclaimed(week: WeekOfChases) -> str:
    subject = f"{week.programme}, week {week.week}: {plural(len(week.nobody), 'file')} that no source takes"
    lines = [f"To: {NOBODY}", f"Subject: {subject}", "", "Files that no source in programme.yaml takes"]
    lines += [f"- {file}" for file in week.nobody]
    return "\n".join([*lines, "turnup inspect FILE says what a file is and proposes a source for it."]) + "\n"
