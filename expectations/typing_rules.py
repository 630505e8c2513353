"""How one source writes its values, as the typing of its rows needs it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

DateOrder = Literal["ymd", "dmy", "mdy", "serial", "serial_1904"]
DecimalMark = Literal[".", ","]


@dataclass(frozen=True, slots=True)
class TypingRules:
    """How one source writes its values.

    Attributes:
        date_order: declared order of dates written in numbers with the year last; None and `ymd` leave them unreadable,
            but None lets a column prove its order. `serial` also reads the bare numbers of a spreadsheet.
        decimal: the decimal mark.
        time_zone: IANA zone of times written without one.
        null_tokens: words that mean "no value".
        date_orders: the same for single columns, before `date_order`.
        decimals: the same for single columns, before `decimal`.
        decimal_declared: whether the source says its mark; if not, a column that proves another one is doubtful.
        date_epoch: 1900 or 1904 when the file is a workbook: bare numbers in a date column are then its serials.
        year: the year of weeks, quarters and months written without one.
        near: a date of the file itself; a week without a year takes the year that brings it nearest to it.
        fiscal_year_start: the month (1 to 12) in which a fiscal year begins; it bears the number of its last year.
        unit: unit of bare numbers, in the columns whose `units` know it.
        units: per column what one of another unit is in the column's own, as exact text.
        reasons: per column words that say why there is no value, folded, and the code of that reason.
        references: per column a pattern whose one group names another row.
    """

    date_order: DateOrder | None = None
    decimal: DecimalMark = "."
    time_zone: str | None = None
    null_tokens: tuple[str, ...] = ()
    date_orders: Mapping[str, DateOrder] = field(default_factory=dict)
    decimals: Mapping[str, DecimalMark] = field(default_factory=dict)
    decimal_declared: bool = False
    date_epoch: Literal[1900, 1904] | None = None
    year: int | None = None
    near: date | None = None
    fiscal_year_start: int | None = None
    unit: str | None = None
    units: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)

    def order_of(self, column: str) -> DateOrder | None:
        """The declared order of a column's dates."""
        return self.date_orders.get(column, self.date_order)

    def decimal_of(self, column: str) -> DecimalMark:
        """The decimal mark of a column's numbers."""
        return self.decimals.get(column, self.decimal)

    def is_declared(self, column: str) -> bool:
        """Whether the source says which decimal mark a column has."""
        return self.decimal_declared or column in self.decimals

    def epoch_of(self, column: str) -> Literal[1900, 1904] | None:
        """From which year the bare numbers of a date column count their days; None where they are no dates."""
        match self.order_of(column):
            case "serial":
                return 1900
            case "serial_1904":
                return 1904
            case _:
                return self.date_epoch
