"""Messages of an EDI file as rows of a dataset; what its own control figures contradict is set aside, whole.

A message is refused when its number, its count of segments or its totals disagree, or when the envelope around it
does: then segments are missing, doubled, or from another file, and nobody can say which rows are right. The rest of
the file is read. The formats ``x12_by_message`` and ``edifact_by_message`` judge each message by its own figures only,
for partners whose envelopes are known to be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical
from turnup.formats.edi.envelope import Fault, Message
from turnup.formats.edi.events import status_events, transport_events
from turnup.formats.edi.interchange import EdiFile
from turnup.formats.edi.notices import consignment_lines, despatch_lines, notice_lines
from turnup.formats.edi.orders import (
    Row,
    answered_lines,
    answered_schedule,
    edifact_lines,
    edifact_schedule,
    order_lines,
    order_schedule,
)
from turnup.formats.edi.segments import Segment
from turnup.formats.edi.totals import total_faults
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

Reader = Callable[[Message], Iterator[Row]]

READERS: Mapping[str, Mapping[str, Reader]] = {
    "purchase_orders": {"850": order_lines, "855": answered_lines, "ORDERS": edifact_lines, "ORDRSP": edifact_lines},
    "po_schedule": {"850": order_schedule, "855": answered_schedule, "ORDRSP": edifact_schedule},
    "shipments": {"856": notice_lines, "DESADV": despatch_lines, "IFCSUM": consignment_lines},
    "logistics_events": {"214": status_events, "IFTSTA": transport_events},
}
FEEDS = ("purchase_orders", "shipments", "logistics_events", "po_schedule")
_READ = frozenset(kind for readers in READERS.values() for kind in readers)
_ACKNOWLEDGEMENTS = frozenset({"997", "999", "TA1", "CONTRL", "APERAK", "824"})


@dataclass(frozen=True)
class _Judged:
    """A message with its rows for the dataset and the faults that refuse it."""

    message: Message
    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    noted: tuple[Fault, ...]


def parse_messages(request: Request, form: str, read: EdiFile, *, envelopes: bool = True) -> RawTable:
    """Read the messages of a file that feed the source's dataset.

    Args:
        request: the file, its source and the contract.
        form: name of the format.
        read: the file cut into segments and envelopes.
        envelopes: whether a fault of an envelope refuses the messages in it; else it is only told.

    Raises:
        FileRejected: ``edi_message`` when no message of the file feeds the dataset.
    """
    readers = READERS.get(request.contract.name, {})
    judged = [_judged(m, readers[m.kind], envelopes) for m in read.envelopes.messages if m.kind in readers]
    if not judged or not any(each.rows or each.faults for each in judged):
        raise _nothing(request.contract.name, read)
    good = [row for each in judged if not each.faults for row in each.rows]
    rejected = [refusal for each in judged if each.faults for refusal in _refused(each)]
    labels = {row["_row"]: each.message.label for each in judged for row in each.rows}
    findings = [*read.findings, *_found(read, judged), *_unread(read)]
    ledger = _ledger(read, judged, len(good), rejected)
    facts = [*_facts(read, judged), *read.facts]
    return adapted(request, form, _frame(good, labels), ledger, findings, rejected=rejected, facts=facts)


def _judged(message: Message, reader: Reader, envelopes: bool) -> _Judged:
    own = (*message.faults, *total_faults(message))
    around = tuple(message.envelope)
    return _Judged(message, tuple(reader(message)), (*own, *around) if envelopes else own, () if envelopes else around)


def _nothing(dataset: str, read: EdiFile) -> FileRejected:
    kinds = ", ".join(sorted({message.kind for message in read.envelopes.messages})) or "no message"
    faults = [fault for message in read.envelopes.messages for fault in (*message.faults, *message.envelope)]
    wrong = "".join(f"; {fault.message}" for fault in dict.fromkeys((*read.envelopes.faults, *faults)))
    takes = ", ".join(sorted(READERS.get(dataset, {}))) or "no message"
    told = f"the file holds {kinds}; {dataset} takes {takes}{wrong}"
    return FileRejected("edi_message", told, value=kinds, expected=takes)


def _refused(judged: _Judged) -> list[Rejected]:
    """Every row of a refused message, or its header when it holds none."""
    message, fault = judged.message, judged.faults[0]
    why = "; ".join(dict.fromkeys(each.message for each in judged.faults))
    told = f"message {message.label} is set aside: {why}; ask its sender for a correct one"
    if not message.faults and fault in message.envelope:
        told += ", or let each message be judged by itself with 'format: x12_by_message' (or edifact_by_message)"
    rows: Sequence[Row] = judged.rows or ({"_row": message.row},)
    return [
        Rejected(_number(row), message.label, fault.where, fault.value, fault.code, fault.expected, told, _given(row))
        for row in rows
    ]


def _number(row: Row) -> int:
    return int(row["_row"] or 0)


def _given(row: Row) -> str:
    return canonical({name: value for name, value in row.items() if name != "_row"})


def _found(read: EdiFile, judged: Sequence[_Judged]) -> Iterator[Finding]:
    """Each fault once; a fault of an envelope that only notes is a finding all the same."""
    faults = [fault for each in judged for fault in (*each.faults, *each.noted)]
    for message in read.envelopes.messages:
        faults += [*message.faults, *message.envelope]
    for fault in dict.fromkeys((*read.envelopes.faults, *faults)):
        yield Finding(fault.code, "error", fault.row, fault.where, fault.value, fault.message)


def _unread(read: EdiFile) -> Iterator[Finding]:
    for message in read.envelopes.messages:
        if message.kind not in _READ | _ACKNOWLEDGEMENTS:
            told = f"message {message.label} (segment {message.row}) is of a kind that feeds no dataset"
            yield Finding("message_not_read", "warning", message.row, None, message.kind, told)


def _ledger(read: EdiFile, judged: Sequence[_Judged], good: int, rejected: Sequence[Rejected]) -> Ledger:
    """Segments by what they are; header and footer are the envelopes that no row was made of."""
    headers = sum(1 for each in judged if each.faults and not each.rows)
    opening, closing = read.envelopes.opening - headers, read.envelopes.closing
    lines = len(read.segments)
    other = lines - good - len(rejected) - opening - closing
    return Ledger(lines=lines, data=good, header=opening, footer=closing, rejected=len(rejected), other=other)


def _frame(rows: Sequence[Row], labels: Mapping[str | int | None, str]) -> pl.DataFrame:
    names = dict.fromkeys(name for row in rows for name in row if not name.startswith("_"))
    columns = {name: pl.Series([row.get(name) for row in rows], dtype=pl.String) for name in names}
    return pl.DataFrame(columns).with_columns(
        pl.Series("_row", [row["_row"] for row in rows], dtype=pl.Int64),
        pl.Series("_sheet", [labels[row["_row"]] for row in rows], dtype=pl.String),
        pl.Series("_given", [_given(row) for row in rows], dtype=pl.String),
    )


def _facts(read: EdiFile, judged: Sequence[_Judged]) -> Iterator[Fact]:
    """Stated and actual figures; lists run in the order of the messages."""
    messages = read.envelopes.messages
    rows = [row for each in judged for row in each.rows]
    yield Fact("messages", tuple(message.label for message in messages))
    yield Fact("message_ends", tuple(_end(message) for message in messages), note="number in the trailer")
    for first, last in read.envelopes.references:
        yield Fact("interchange_number", (first, last), note="opened and closed as")
    yield Fact("segments_stated", sum(m.stated or 0 for m in messages), "segments", "in the trailers of the messages")
    yield Fact("segments_actual", sum(len(m.segments) for m in messages), "segments")
    yield Fact("lines", len(rows), "lines")
    yield from _line_facts(rows)
    yield from _stated_totals(judged)
    levels = [s.text(3) or "" for each in judged if each.message.kind == "856" for s in each.message.all("HL")]
    if levels:
        yield Fact("hierarchy", tuple(levels), note="levels in order: shipment, order, pack, item")
    yield Fact("set_aside", sum(1 for each in judged if each.faults), "messages", "refused by their control figures")


def _end(message: Message) -> str:
    last = message.segments[-1]
    return last.text(2) or "" if last.tag in ("SE", "UNT") else ""


def _line_facts(rows: Sequence[Row]) -> Iterator[Fact]:
    counted = [str(row["_number"]) for row in rows if row.get("_number") is not None]
    if counted:
        units = " ".join(sorted({str(row["_unit"]) for row in rows if row.get("_unit")}))
        yield Fact("quantities", tuple(counted), units)
        if all(_is_number(text) for text in counted):
            yield Fact("quantity", format(sum((Decimal(text) for text in counted), Decimal(0)), "f"), units)
    for name, column in (("orders", "po"), ("shipments", "shipment")):
        values = tuple(dict.fromkeys(str(row[column]) for row in rows if row.get(column)))
        if values:
            yield Fact(name, values)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).removeprefix("-").isdecimal()


def _stated_totals(judged: Sequence[_Judged]) -> Iterator[Fact]:
    totals = [s for each in judged for s in each.message.all("CTT", "CNT")]
    if totals:
        yield Fact("stated_totals", tuple(_total(segment) for segment in totals), note="CTT01 and CTT02, or CNT")


def _total(segment: Segment) -> str:
    return " ".join(text for number in range(1, 3) if (text := segment.joined(number)))
