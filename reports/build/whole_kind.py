"""When a whole kind is done: not before the last of its open contract lines, whatever their pooled throughput says.

Capacity handed over at one site cannot serve another site's line, so a pooled forecast alone would promise too much.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reports.build.warehouse import Record
from reports.text import shorten

_NOTE_LIMIT = 70
_PREFIX = "no forecast: "


@dataclass(frozen=True)
class Whole:
    """Forecast of all that is contracted of one kind. `bound`: the chance is that of the weakest of several lines."""

    p50: date | None = None
    p80: date | None = None
    confidence: Decimal | None = None
    bound: bool = False
    contract_date: date | None = None
    note: str = ""


NOTHING = Whole()


def whole_forecast(kind: str, rows: Iterable[Record], kind_of_line: Mapping[str, str]) -> Whole:
    """Return the later of the pooled forecast and the slowest open line; no date when an open line has none.

    The chance is that of the lines due last: the whole cannot be ready by then more surely than they are.
    """
    pooled, lines = NOTHING, []
    for row in rows:
        if row.text("scope_type") == "kind" and row.text("scope") == kind:
            pooled = _whole(row)
        elif row.text("scope_type") == "commitment" and kind_of_line.get(row.text("scope")) == kind:
            if row.amount("remaining") > 0:
                lines.append((row.text("scope"), _whole(row)))
    silent = [(scope, line) for scope, line in lines if line.p50 is None]
    if silent and len(silent) == len(lines) and pooled.p50 is None and pooled.note:
        return pooled
    if silent:
        scope, line = silent[0]
        return Whole(
            contract_date=pooled.contract_date,
            note=shorten(f"{_PREFIX}{scope}: {line.note.removeprefix(_PREFIX)}", _NOTE_LIMIT),
        )
    if not lines:
        return pooled
    last = _latest(line.contract_date for _, line in lines)
    chances = [line.confidence for _, line in lines if line.confidence is not None and line.contract_date == last]
    chance = min([*chances, *([] if pooled.confidence is None else [pooled.confidence])], default=None)
    return Whole(
        p50=_latest([pooled.p50, *(line.p50 for _, line in lines)]),
        p80=None
        if any(line.p80 is None for _, line in lines)
        else _latest([pooled.p80, *(line.p80 for _, line in lines)]),
        confidence=chance,
        bound=pooled.confidence is None and len(lines) > 1,
        contract_date=pooled.contract_date,
        note=pooled.note,
    )


def _whole(row: Record) -> Whole:
    return Whole(
        row.day("p50"), row.day("p80"), row.number("confidence"), False, row.day("contract_date"), row.text("note")
    )


def _latest(dates: Iterable[date | None]) -> date | None:
    return max((at for at in dates if at), default=None)
