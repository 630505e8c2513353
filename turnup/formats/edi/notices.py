"""Notices of dispatch: X12 856, EDIFACT DESADV and IFCSUM, to shipment lines with their serial numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from turnup.formats.edi.envelope import Fault, Message
from turnup.formats.edi.orders import Row
from turnup.formats.edi.parts import (
    NOBODY,
    X12_PARTS,
    Party,
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
    x12_references,
)
from turnup.formats.edi.segments import Segment
from turnup.formats.edi.values import day_of, pieces

_X12_MODES = {"A": "Air", "M": "Truck", "S": "Ocean", "R": "Rail", "J": "Truck", "LT": "Truck", "O": "Ocean"}
_EDIFACT_MODES = {"1": "Ocean", "10": "Ocean", "2": "Rail", "20": "Rail", "3": "Truck", "30": "Truck", "4": "Air",
                  "40": "Air"}  # fmt: skip
_SHIPPERS = ("SU", "VN", "SE", "SF", "SH")
_BUYER_ASSIGNED = "92"


class Hierarchy:
    """The HL loops of a message; each has its own segments and knows its parents."""

    def __init__(self, message: Message) -> None:
        """Read the loops of an 856; what precedes the first is the heading."""
        self.heading, self.loops = groups(message.segments, "HL", until=("CTT", "SE"))
        self._by_number = {loop[0].text(1) or "": loop for loop in self.loops}

    def path(self, loop: Sequence[Segment]) -> dict[str, Sequence[Segment]]:
        """The loop and its parents by level (S, T, O, P, I), nearest first."""
        found: dict[str, Sequence[Segment]] = {}
        seen: set[int] = set()
        current: Sequence[Segment] | None = loop
        while current is not None and current[0].number not in seen:
            seen.add(current[0].number)
            found.setdefault(current[0].text(3) or "", current)
            current = self._by_number.get(current[0].text(2) or "")
        return found

    def faults(self) -> Iterator[Fault]:
        """Loops that name a parent that is not there, and numbers used twice."""
        seen: set[str] = set()
        for loop in self.loops:
            head = loop[0]
            number, parent = head.text(1) or "", head.text(2)
            if parent is not None and parent not in seen:
                told = f"HL {number} (segment {head.number}) names the parent {parent}, which does not precede it"
                yield Fault("hierarchy", head.number, "HL02", parent, "a level that precedes it", told)
            if number in seen:
                told = f"HL number {number} is used twice (segment {head.number})"
                yield Fault("hierarchy", head.number, "HL01", number, "a number of its own", told)
            seen.add(number)


def notice_lines(message: Message) -> Iterator[Row]:
    """The items of an 856: one row per HL loop of level I, with its order, shipment and serial numbers."""
    tree = Hierarchy(message)
    begin = message.first("BSN")
    items = [loop for loop in tree.loops if loop[0].text(3) == "I"]
    names = [_line_number(loop) for loop in items]
    unique = len(set(names)) == len(names) and None not in names
    for loop, name in zip(items, names, strict=True):
        path = tree.path(loop)
        shipment = path.get("S", ())
        line = name if unique else loop[0].text(1)
        yield {
            "shipment": begin.text(2) if begin else None,
            "line": line,
            **_item(loop),
            **_order(path.get("O", ()), loop),
            **_travel(shipment),
            **_dates([*tree.heading, *shipment, *path.get("O", ())], cancelled=bool(begin and begin.text(1) == "01")),
            **_places(shipment, path.get("O", ())),
            "_row": loop[0].number,
        }


def _line_number(loop: Sequence[Segment]) -> str | None:
    lin = _first(loop, "LIN")
    return lin.text(1) if lin else None


def _first(segments: Sequence[Segment], tag: str) -> Segment | None:
    return next((segment for segment in segments if segment.tag == tag), None)


def _item(loop: Sequence[Segment]) -> Row:
    lin, sn1, pid = _first(loop, "LIN"), _first(loop, "SN1"), _first(loop, "PID")
    numbers = lin.pairs(2) if lin else {}
    serials = [value for code, value in numbers.items() if code == "SN"]
    parts = {code: value for code, value in numbers.items() if code not in ("SN", "PL", "PO")}
    serials += [text for s in loop if s.tag == "REF" and s.text(1) == "SE" and (text := s.text(2))]
    return {
        "part_number": chosen(parts, X12_PARTS),
        "description": pid.text(5) if pid else None,
        "quantity": pieces(sn1.text(2), sn1.text(3)) if sn1 else None,
        "serials": ";".join(dict.fromkeys(serials)) or None,
        "_number": sn1.text(2) if sn1 else None,
        "_unit": sn1.text(3) if sn1 else None,
    }


def _order(order: Sequence[Segment], loop: Sequence[Segment]) -> Row:
    prf, lin = _first(order, "PRF"), _first(loop, "LIN")
    numbers = lin.pairs(2) if lin else {}
    line = numbers.get("PL") or x12_references(loop).get("LI") or (lin.text(1) if lin else None)
    return {"po": prf.text(1) if prf else numbers.get("PO"), "po_line": line}


def _travel(shipment: Sequence[Segment]) -> Row:
    td5, references = _first(shipment, "TD5"), x12_references(shipment)
    mode = (td5.text(4) if td5 else None) or ""
    return {
        "carrier": (td5.text(5) or td5.text(3)) if td5 else None,
        "mode": _X12_MODES.get(mode, mode) or None,
        "tracking": references.get("CN") or references.get("2I") or references.get("BM"),
    }


def _dates(segments: Sequence[Segment], *, cancelled: bool) -> Row:
    dates = x12_dates(segments)
    shipped, delivered = dates.get("011"), dates.get("035")
    state = "delivered" if delivered else "shipped" if shipped else "planned"
    return {
        "shipped": shipped,
        "eta": dates.get("017"),
        "scheduled": dates.get("067") or dates.get("002"),
        "delivered": delivered,
        "status": "cancelled" if cancelled else state,
    }


def _places(shipment: Sequence[Segment], order: Sequence[Segment]) -> Row:
    parties: Mapping[str, Party] = x12_parties(order) | x12_parties(shipment)
    target = parties.get("ST", NOBODY)
    buyers = any(s.tag == "N1" and s.text(1) == "ST" and s.text(3) == _BUYER_ASSIGNED for s in (*shipment, *order))
    return {
        "vendor": first_of(parties, _SHIPPERS).shown,
        "ship_to_site": target.code if buyers else None,
        "destination": ", ".join(text for text in (target.name, target.address) if text) or None,
    }


def despatch_lines(message: Message) -> Iterator[Row]:
    """The lines of a DESADV: one row per LIN, whatever package (CPS, PAC) it lies in."""
    head, _ = groups(message.segments, "CPS", until=("UNS", "UNT"))
    if message.first("CPS") is None:
        head, _ = groups(message.segments, "LIN", until=("UNS", "UNT"))
    lines = _line_groups(message)
    names = [line[0].text(1) for line in lines]
    unique = len(set(names)) == len(names) and None not in names
    for number, (line, name) in enumerate(zip(lines, names, strict=True), start=1):
        counted = quantities(line)
        quantity = counted.get("12") or counted.get("21") or next(iter(counted.values()), None)
        order = edifact_references(line).get("ON") or edifact_references(head).get("ON")
        yield {
            **_despatch(message, head),
            "line": name if unique else str(number),
            "part_number": edifact_part(line),
            "description": _described(line),
            "quantity": pieces(*quantity[:2]) if quantity else None,
            "serials": ";".join(_serials(line)) or None,
            "po": order.text(1, 2) if order else None,
            "po_line": (order.text(1, 3) if order else None) or name,
            "_row": line[0].number,
            "_number": quantity[0] if quantity else None,
            "_unit": quantity[1] if quantity else None,
        }


def _line_groups(message: Message) -> list[list[Segment]]:
    """Each LIN with what follows it, up to the next LIN or package."""
    found: list[list[Segment]] = []
    inside = False
    for segment in message.segments:
        if segment.tag == "LIN":
            found.append([segment])
        elif inside and segment.tag not in ("CPS", "UNS", "CNT", "UNT"):
            found[-1].append(segment)
        inside = segment.tag == "LIN" or (inside and segment.tag not in ("CPS", "UNS", "CNT", "UNT"))
    return found


def _described(line: Sequence[Segment]) -> str | None:
    imd = _first(line, "IMD")
    if imd is None:
        return None
    return " ".join(text for text in (imd.text(3, 4), imd.text(3, 5)) if text) or None


def _serials(line: Sequence[Segment]) -> list[str]:
    """Serial numbers of GIN segments (BN, and SN as some write it); each element may be a range ``from:to``."""
    found: list[str] = []
    for segment in line:
        if segment.tag == "GIN" and segment.text(1) in ("BN", "SN", "EE"):
            for element in range(2, len(segment.elements) + 1):
                found += serial_range(segment.text(element, 1), segment.text(element, 2))
    return list(dict.fromkeys(found))


def serial_range(first: str | None, last: str | None) -> list[str]:
    """The serial numbers from the first to the last: those with the same beginning that end in digits between them.

    Two numbers that are no such range, or one of more than 10,000, stay two numbers.
    """
    if first is None or last is None or first == last:
        return [text for text in dict.fromkeys((first, last)) if text]
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    tail, end = first[same:], last[same:]
    if len(first) != len(last) or not (tail.isdecimal() and end.isdecimal() and 0 < int(end) - int(tail) < 10_000):
        return [first, last]
    return [f"{first[:same]}{number:0{len(tail)}d}" for number in range(int(tail), int(end) + 1)]


def _despatch(message: Message, head: Sequence[Segment]) -> Row:
    begin, transport = message.first("BGM"), _first(head, "TDT")
    dates, parties = edifact_dates(head), edifact_parties(head)
    shipped, target = day_of(dates.get("11")), first_of(parties, ("ST", "DP", "UC"))
    references = edifact_references(head)
    waybill = references.get("CN") or references.get("AAM") or references.get("BM")
    cancelled = bool(begin and begin.text(3) == "1")
    return {
        "shipment": begin.text(2) if begin else None,
        "ship_to_site": target.code,
        "destination": ", ".join(text for text in (target.name, target.address) if text) or None,
        "vendor": first_of(parties, ("SU", "SE", "CZ", "SF")).shown,
        "carrier": (transport.text(5, 4) or transport.text(5, 1)) if transport else None,
        "mode": _EDIFACT_MODES.get(transport.text(3) or "", transport.text(3)) if transport else None,
        "tracking": waybill.text(1, 2) if waybill else None,
        "shipped": shipped,
        "eta": day_of(dates.get("17") or dates.get("132")),
        "scheduled": day_of(dates.get("67") or dates.get("2")),
        "delivered": day_of(dates.get("35")),
        "status": "cancelled" if cancelled else "delivered" if "35" in dates else "shipped" if shipped else "planned",
    }


def consignment_lines(message: Message) -> Iterator[Row]:
    """The goods (GID) of each consignment (CNI) of an IFCSUM; the consignment is the shipment."""
    head, consignments = groups(message.segments, "CNI", until=("UNT",))
    for consignment in consignments:
        before, goods = groups(consignment, "GID")
        travel = _despatch(message, [*head, *before])
        for number, good in enumerate(goods, start=1):
            described = _first(good, "FTX")
            yield {
                **travel,
                "shipment": consignment[0].text(2),
                "line": good[0].text(1) or str(number),
                "description": described.joined(4) if described else None,
                "quantity": pieces(good[0].text(2, 1), good[0].text(2, 2)),
                "_row": good[0].number,
                "_number": good[0].text(2, 1),
                "_unit": good[0].text(2, 2),
            }
