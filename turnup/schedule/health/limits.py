"""Limits of checks as people write them: ``<= 5%``, ``< 1%``, ``>= 0.95``."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = r"^(<=|<|>=|>) ?(\d{1,6}(?:\.\d{1,6})?)(%?)$"
_OPERATORS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}
_WORDS = {"<=": "at most", "<": "below", ">=": "at least", ">": "above"}


@dataclass(frozen=True)
class Limit:
    """A comparison and a value; exact, so that 1 of 20 is 5 % and no more.

    Attributes:
        comparison: what a good value is to the limit.
        value: as a fraction; 5 % is 1/20.
        text: as it was written.
    """

    comparison: str
    value: Fraction
    text: str

    @classmethod
    def of(cls, text: str) -> Limit:
        """Read a limit.

        Raises:
            ValueError: the text is no limit.
        """
        found = re.fullmatch(LIMIT, text)
        if found is None:
            raise ValueError(f"'{text}' is no limit such as '<= 5%' or '>= 0.95'")
        comparison, number, percent = found.groups()
        return cls(comparison, Fraction(number) / (100 if percent else 1), text)

    def met_by(self, value: Fraction) -> bool:
        """Whether a value is good."""
        return _OPERATORS[self.comparison](value, self.value)

    @property
    def words(self) -> str:
        """Such as ``at most 5 %``."""
        percent = self.text.endswith("%")
        number = self.text.rstrip("%").lstrip("<=> ")
        return f"{_WORDS[self.comparison]} {number}{' %' if percent else ''}"
