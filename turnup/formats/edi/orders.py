"""Purchase orders (X12 850, EDIFACT ORDERS) and their answers (855, ORDRSP): order lines and promised days.

A requested day is no promise: only days that a message calls scheduled, promised or estimated become rows of
``po_schedule``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnup.formats.edi.envelope import Message
from turnup.formats.edi.parts import (
    X12_PARTS,
    chosen,
    edifact_dates,
    edifact_part,
    edifact_parties,
    edifact_references,
    first_of,
    groups,
    quantities,
    x12_dates,
    x12_parties,
)
from turnup.formats.edi.segments import Segment
from turnup.formats.edi.values import day, day_of, pieces

Row = dict[str, str | int | None]
_X12_REQUESTED = ("002", "074", "063", "001", "067", "010")
_X12_PROMISED = ("067", "069", "017", "068")
_X12_SELLERS = ("SU", "VN", "SE", "SF")
_CANCELLED = {"01", "03"}
_REFUSED_ITEMS = {"IR", "ID"}
_UNPROMISED_ITEMS = _REFUSED_ITEMS | {"IH"}
"""Answers to an item (element 668) that promise nothing: rejected, deleted, on hold."""
_EDIFACT_REQUESTED = ("2", "69", "63", "64", "10")
_EDIFACT_PROMISED = ("67", "69", "17", "132", "35")
_EDIFACT_ORDERED = ("21", "113", "12", "46", "145")
_EDIFACT_SELLERS = ("SU", "SE", "VN")


def order_lines(message: Message) -> Iterator[Row]:
    """The lines of an 850."""
    head, lines = groups(message.segments, "PO1", until=("CTT", "SE"))
    begin, currency = message.first("BEG"), message.first("CUR")
    seller = first_of(x12_parties(head), _X12_SELLERS)
    general = x12_dates(head)
    for number, line in enumerate(lines, start=1):
        po1 = line[0]
        dates = general | x12_dates(line) | _wanted(line)
        yield {
            "po": begin.text(3) if begin else None,
            "line": po1.text(1) or str(number),
            "part_number": chosen(po1.pairs(6), X12_PARTS),
            "quantity": pieces(po1.text(2), po1.text(3)),
            "unit_cost": po1.text(4),
            "currency": currency.text(2) if currency else None,
            "vendor": seller.shown,
            "ordered": day(begin.text(5)) if begin else None,
            "requested": next((dates[code] for code in _X12_REQUESTED if code in dates), None),
            "status": "cancelled" if begin and begin.text(1) in _CANCELLED else "open",
            "_row": po1.number,
            "_number": po1.text(2),
            "_unit": po1.text(3),
        }


def _wanted(line: Sequence[Segment]) -> dict[str, str]:
    """Days of SCH segments by qualifier."""
    found: dict[str, str] = {}
    for segment in line:
        on = day(segment.text(6)) if segment.tag == "SCH" else None
        if on is not None:
            found.setdefault(segment.text(5) or "", on)
    return found


def order_schedule(message: Message) -> Iterator[Row]:
    """The scheduled deliveries of an 850: its SCH segments, or the scheduled day of a line."""
    _, lines = groups(message.segments, "PO1", until=("CTT", "SE"))
    begin = message.first("BEG")
    for number, line in enumerate(lines, start=1):
        po1 = line[0]
        place: Row = {"po": begin.text(3) if begin else None, "line": po1.text(1) or str(number)}
        parts = [s for s in line if s.tag == "SCH" and s.text(5) in _X12_PROMISED]
        for index, part in enumerate(parts, start=1):
            quantity = pieces(part.text(1), part.text(2))
            on = day(part.text(6))
            yield place | {"schedule": str(index), "quantity": quantity, "promised": on, "_row": part.number}
        days = [s for s in line if s.tag == "DTM" and s.text(1) in _X12_PROMISED]
        if days and not parts:
            days.sort(key=lambda segment: _X12_PROMISED.index(segment.text(1) or ""))
            on = day(days[0].text(2))
            yield place | {
                "schedule": "1",
                "quantity": pieces(po1.text(2), po1.text(3)),
                "promised": on,
                "_row": days[0].number,
            }


def answered_lines(message: Message) -> Iterator[Row]:
    """The lines of an 855, the seller's answer to an order; a line that every ACK refuses is cancelled."""
    head, lines = groups(message.segments, "PO1", until=("CTT", "SE"))
    begin, currency = message.first("BAK"), message.first("CUR")
    seller = first_of(x12_parties(head), _X12_SELLERS)
    refused = begin is not None and (begin.text(1) in _CANCELLED or begin.text(2) in ("RJ", "RF"))
    for number, line in enumerate(lines, start=1):
        po1 = line[0]
        answers = [segment.text(1) for segment in line if segment.tag == "ACK"]
        dropped = refused or (bool(answers) and all(code in _REFUSED_ITEMS for code in answers))
        yield {
            "po": begin.text(3) if begin else None,
            "line": po1.text(1) or str(number),
            "part_number": chosen(po1.pairs(6), X12_PARTS),
            "quantity": pieces(po1.text(2), po1.text(3)),
            "unit_cost": po1.text(4),
            "currency": currency.text(2) if currency else None,
            "vendor": seller.shown,
            "ordered": day(begin.text(4)) if begin else None,
            "acknowledged": day(begin.text(9)) if begin else None,
            "status": "cancelled" if dropped else "acknowledged",
            "_row": po1.number,
            "_number": po1.text(2),
            "_unit": po1.text(3),
        }


def answered_schedule(message: Message) -> Iterator[Row]:
    """The promises of an 855: each accepted quantity (ACK) with its day."""
    _, lines = groups(message.segments, "PO1", until=("CTT", "SE"))
    begin = message.first("BAK")
    for number, line in enumerate(lines, start=1):
        answers = [s for s in line if s.tag == "ACK" and s.text(1) not in _UNPROMISED_ITEMS and s.text(5)]
        for index, answer in enumerate(answers, start=1):
            yield {
                "po": begin.text(3) if begin else None,
                "line": line[0].text(1) or str(number),
                "schedule": str(index),
                "quantity": pieces(answer.text(2), answer.text(3)),
                "promised": day(answer.text(5)),
                "_row": answer.number,
            }


def edifact_lines(message: Message) -> Iterator[Row]:
    """The lines of an ORDERS or ORDRSP; an ORDRSP answers the order that its RFF+ON names."""
    head, lines = groups(message.segments, "LIN", until=("UNS", "UNT"))
    begin, answer = message.first("BGM"), message.kind == "ORDRSP"
    dates = edifact_dates(head)
    for number, line in enumerate(lines, start=1):
        own = dates | edifact_dates(line)
        counted = quantities(line)
        quantity = next((counted[code] for code in _EDIFACT_ORDERED if code in counted), None)
        price = next((s for s in line if s.tag == "PRI"), None)
        yield {
            "po": _order(head, begin, answer),
            "line": line[0].text(1) or str(number),
            "part_number": edifact_part(line),
            "quantity": pieces(*quantity[:2]) if quantity else None,
            "unit_cost": price.text(1, 2) if price else None,
            "currency": _currency(message),
            "vendor": first_of(edifact_parties(head), (*_EDIFACT_SELLERS, "MS" if answer else "SU")).shown,
            "ordered": day_of(dates.get("4") or dates.get("171") if answer else dates.get("137")),
            "requested": day_of(next((own[code] for code in _EDIFACT_REQUESTED if code in own), None)),
            "acknowledged": day_of(dates.get("137")) if answer else None,
            "status": _status(begin, line[0], answer=answer),
            "_row": line[0].number,
            "_number": quantity[0] if quantity else None,
            "_unit": quantity[1] if quantity else None,
        }


def _order(head: Sequence[Segment], begin: Segment | None, answer: bool) -> str | None:
    named = edifact_references(head).get("ON")
    if answer and named is not None:
        return named.text(1, 2)
    return begin.text(2) if begin else None


def _currency(message: Message) -> str | None:
    segment = message.first("CUX")
    return segment.text(1, 2) if segment else None


def _status(begin: Segment | None, line: Segment, *, answer: bool) -> str:
    """BGM: message function 1 cancels, response RE refuses; LIN: action 2 deletes, 7 is not accepted."""
    if begin is not None and (begin.text(3) == "1" or (answer and begin.text(4) == "RE")):
        return "cancelled"
    if line.text(2) in ("2", "7"):
        return "cancelled"
    return "acknowledged" if answer else "open"


def edifact_schedule(message: Message) -> Iterator[Row]:
    """The promises of an ORDRSP: each quantity of a line with the promised day that follows it."""
    head, lines = groups(message.segments, "LIN", until=("UNS", "UNT"))
    begin = message.first("BGM")
    for number, line in enumerate(lines, start=1):
        place: Row = {
            "po": _order(head, begin, message.kind == "ORDRSP"),
            "line": line[0].text(1) or str(number),
        }
        for index, promise in enumerate(_promises(line), start=1):
            yield place | {"schedule": str(index)} | promise


def _promises(line: Sequence[Segment]) -> Iterator[Row]:
    quantity: str | None = None
    for segment in line:
        if segment.tag == "QTY":
            quantity = pieces(segment.text(1, 2), segment.text(1, 3))
        elif segment.tag == "DTM" and segment.text(1, 1) in _EDIFACT_PROMISED:
            on = edifact_dates([segment]).get(segment.text(1, 1) or "")
            yield {"quantity": quantity, "promised": day_of(on), "_row": segment.number}
