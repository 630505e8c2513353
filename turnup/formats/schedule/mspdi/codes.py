"""Custom fields of tasks that carry the system, block and gate: extended attributes and outline codes.

Belongs here: which field bears such a name, and its value for a task. Does not: other custom fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnup.formats.schedule.mspdi.records import Record

CODES = ("system", "block", "gate")

Lookup = Mapping[str, tuple[str | None, str]]
"""Value and the id of the value above it, by value id."""


class Codes:
    """The fields of a document that bear one of the names, and their lookup tables."""

    def __init__(self, project: Record) -> None:
        self._fields: dict[str, str] = {}
        self._lookups: dict[str, Lookup] = {}
        for attribute in project.records("ExtendedAttributes", "ExtendedAttribute"):
            self._named(attribute)
            values = _values(attribute, "ValueList", "Value", key="ID")
            if values:
                self._lookups[attribute.text("FieldID") or ""] = values
        for code in project.records("OutlineCodes", "OutlineCode"):
            self._named(code)
            self._lookups[code.text("FieldID") or ""] = _values(code, "Values", "Value", key="ValueID")

    def _named(self, record: Record) -> None:
        field = record.text("FieldID")
        for name in (record.text("Alias"), record.text("FieldName")):
            if field is not None and name is not None and name.casefold() in CODES:
                self._fields.setdefault(field, name.casefold())

    def of(self, task: Record) -> dict[str, str]:
        """The codes of one task."""
        found: dict[str, str] = {}
        for record in (*task.records("ExtendedAttribute"), *task.records("OutlineCode")):
            field = record.text("FieldID") or ""
            code = self._fields.get(field)
            value = record.text("Value") or self._looked_up(field, record)
            if code is not None and value is not None:
                found.setdefault(code, value)
        return found

    def _looked_up(self, field: str, record: Record) -> str | None:
        """A value of a lookup table, with the values above it."""
        lookup = self._lookups.get(field, {})
        parts: list[str] = []
        key = record.text("ValueID") or ""
        while key in lookup and len(parts) < len(lookup):
            value, key = lookup[key]
            if value is not None:
                parts.insert(0, value)
        return ".".join(parts) or None


def _values(record: Record, *path: str, key: str) -> Lookup:
    return {
        uid: (value.text("Value"), value.text("ParentValueID") or "")
        for value in record.records(*path)
        if (uid := value.text(key)) is not None
    }
