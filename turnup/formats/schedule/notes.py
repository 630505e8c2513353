"""What a reader of schedules saw on the way: findings, the first of each kind one by one and the rest as a count.

Belongs here: collecting. Does not: what is worth a finding.
"""

from __future__ import annotations

from collections import Counter

from turnup.formats.model import Finding, Severity

_LISTED = 20
"""So many findings of one kind about one column are listed; a file with the same fault in every row has one fault."""


class Notes:
    """Findings in the order in which they were made."""

    def __init__(self) -> None:
        self._found: list[Finding] = []
        self._counts: Counter[tuple[str, str | None]] = Counter()

    def add(
        self,
        code: str,
        message: str,
        *,
        severity: Severity = "warning",
        row: int | None = None,
        column: str | None = None,
        value: str | None = None,
    ) -> None:
        """Note something; ``row`` is the record or line that it is about."""
        self._counts[code, column] += 1
        if self._counts[code, column] <= _LISTED:
            self._found.append(Finding(code, severity, row, column, value, message))

    def unread(self, row: int | None, column: str, value: str, expected: str) -> None:
        """Note a value that cannot be read; it counts as absent."""
        message = f"{column} '{value}' cannot be read; expected {expected}"
        self.add("unread_value", message, row=row, column=column, value=value)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noted, and how much more of the same there is."""
        more = []
        for (code, column), count in sorted(self._counts.items(), key=str):
            if count > _LISTED:
                message = f"{count - _LISTED} more of the same"
                more.append(Finding(code, "info", None, column, str(count), message))
        return (*self._found, *more)
