"""A share column is recomputed from the count beside it: 148 of 419 is 35.3 %, whatever the table says.

The count column is the one for which most shares agree; where none does, the shares are of something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from turnup.formats.model import Finding
from turnup.formats.tabular.tabulate import Table

_NAMED = re.compile(r"(?i)%|\b(?:percent(?:age)?|share|pct|proportion)\b")
_SHARE = re.compile(r"^\s*(\d+(?:[.,]\d+)?)\s*%?\s*$")
_COUNT = re.compile(r"^\d{1,15}$")
_HUNDRED = Decimal(100)


@dataclass(frozen=True)
class _Share:
    """A stated share in percent, and half a unit of the last digit of its column."""

    text: str
    value: Decimal
    slack: Decimal

    def agrees(self, right: Decimal) -> bool:
        """Whether a computed share rounds (or is cut) to the stated one."""
        return abs(self.value - right) <= self.slack * 2


def check_shares(table: Table) -> list[Finding]:
    """One finding for each share that contradicts its count while most shares of its column agree with theirs."""
    columns = [index for index, name in enumerate(table.header.names) if _NAMED.search(name)]
    return [finding for index in columns for finding in _contradictions(table, index)]


def _contradictions(table: Table, at: int) -> list[Finding]:
    shares = _shares(table, at)
    if len(shares) < 3:
        return []
    best: list[tuple[int, Decimal]] = []
    best_name, agreeing = "", 0
    for index, name in enumerate(table.header.names):
        counts = _counts(table, index) if index != at else {}
        total = sum(counts.values())
        if not total or not shares.keys() <= counts.keys():
            continue
        wrong = [
            (row, right) for row, right in _right(counts, total) if row in shares and not shares[row].agrees(right)
        ]
        telling = sum(share.value > 0 for row, share in shares.items() if row not in dict(wrong))
        if telling > agreeing:
            best, best_name, agreeing = wrong, name, telling
    if agreeing < 2 or (len(best) > 1 and len(best) * 3 > len(shares)):
        return []
    name = table.header.names[at]
    found = []
    for row, right in best:
        shown = f"{right:.1f}" if right >= 1 else f"{right:.2g}"
        message = f"row {row}: '{name}' says {shares[row].text}, but its '{best_name}' is {shown} % of all rows"
        found.append(Finding("share_mismatch", "warning", row, name, shares[row].text, message))
    return found


def _right(counts: dict[int, int], total: int) -> list[tuple[int, Decimal]]:
    return [(row, Decimal(count) * _HUNDRED / total) for row, count in counts.items()]


def _shares(table: Table, at: int) -> dict[int, _Share]:
    """Row to its share, in percent also where the column holds fractions of one; empty where a cell is no share.

    The finest cell of the column says how it is rounded, because a spreadsheet drops zeros at the end.
    """
    shares: dict[int, tuple[str, Decimal]] = {}
    for row, text in _cells(table, at):
        found = _SHARE.match(text)
        try:
            value = Decimal(found.group(1).replace(",", ".")) if found else None
        except InvalidOperation:
            value = None
        if value is None or value > _HUNDRED:
            return {}
        shares[row] = (text, value)
    if not shares:
        return {}
    exponents = [value.as_tuple().exponent for _, value in shares.values()]
    slack = Decimal(5).scaleb(min(number for number in exponents if isinstance(number, int)) - 1)
    fractions = all(value <= 1 and "%" not in text for text, value in shares.values())
    scale = _HUNDRED if fractions else Decimal(1)
    return {row: _Share(text, value * scale, slack * scale) for row, (text, value) in shares.items()}


def _counts(table: Table, at: int) -> dict[int, int]:
    counts = {}
    for row, text in _cells(table, at):
        plain = text.replace(",", "") if "." not in text else text
        if not _COUNT.match(plain):
            return {}
        counts[row] = int(plain)
    return counts


def _cells(table: Table, at: int) -> list[tuple[int, str]]:
    rows = table.frame.select("_row", f"c{at}").rows()
    return [(row, text.strip()) for row, text in rows if text is not None and text.strip()]
