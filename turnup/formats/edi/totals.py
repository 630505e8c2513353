"""Totals that a message states of itself: CTT of X12 and CNT of EDIFACT, compared with what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation

from turnup.formats.edi.envelope import Fault, Message
from turnup.formats.edi.notices import Hierarchy
from turnup.formats.edi.segments import Segment

_COUNTED = {"850": "PO1", "855": "PO1", "856": "HL"}
_SUMMED = {"850": ("PO1", 2), "855": ("PO1", 2), "856": ("SN1", 2)}
_LINES = {"ORDERS": "LIN", "ORDRSP": "LIN", "DESADV": "LIN", "IFCSUM": "CNI", "IFTSTA": "CNI"}


def total_faults(message: Message) -> list[Fault]:
    """The stated totals that do not hold."""
    faults = [*_ctt(message), *_cnt(message)]
    return [*faults, *Hierarchy(message).faults()] if message.kind == "856" else faults


def summed(message: Message) -> Decimal | None:
    """The sum of the quantities of a message's lines, or None when one is no number."""
    return _sum(_quantities(message))


def _quantities(message: Message) -> list[str | None]:
    if message.kind in _SUMMED:
        tag, element = _SUMMED[message.kind]
        return [segment.text(element) for segment in message.all(tag)]
    return [segment.text(1, 2) for segment in message.all("QTY")]


def _sum(texts: Iterable[str | None]) -> Decimal | None:
    try:
        return sum((Decimal(text) for text in texts if text is not None), Decimal(0))
    except InvalidOperation:
        return None


def _ctt(message: Message) -> Iterator[Fault]:
    stated = message.first("CTT") if message.kind in _COUNTED else None
    if stated is None:
        return
    tag = _COUNTED[message.kind]
    yield from _count(stated, "CTT01", stated.text(1), len(message.all(tag)), tag)
    hashed = stated.text(2)
    if hashed is None:
        return
    values = _quantities(message)
    allowed = {total for total in (_sum(values), _hash(values)) if total is not None}
    if _sum([hashed]) not in allowed:
        held = _sum(values)
        told = f"CTT02 (segment {stated.number}) says that the quantities add up to {hashed}, they are {held}"
        yield Fault("control_total", stated.number, "CTT02", hashed, str(held), told)


def _hash(texts: Iterable[str | None]) -> Decimal | None:
    """The standard's own hash total: digits summed without their decimal points and signs."""
    return _sum("".join(mark for mark in text if mark.isdecimal()) or "0" for text in texts if text is not None)


def _count(stated: Segment, where: str, value: str | None, held: int, tag: str) -> Iterator[Fault]:
    if value is not None and not (value.isdecimal() and int(value) == held):
        told = f"{where} (segment {stated.number}) says {value} {tag} segments, there are {held}"
        yield Fault("control_total", stated.number, where, value, str(held), told)


def _cnt(message: Message) -> Iterator[Fault]:
    """CNT+2 counts the lines, CNT+1 sums the quantities of all QTY segments of the lines."""
    for stated in message.all("CNT") if message.kind in _LINES else []:
        code, value = stated.text(1, 1), stated.text(1, 2)
        tag = _LINES[message.kind]
        if code == "2" and tag == "LIN":
            yield from _count(stated, "CNT", value, len(message.all(tag)), tag)
        elif code == "1":
            held = summed(message)
            if value is None or held is None or _sum([value]) != held:
                told = f"CNT (segment {stated.number}) says that the quantities add up to {value}, they are {held}"
                yield Fault("control_total", stated.number, "CNT", value, str(held), told)
