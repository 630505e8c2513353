"""Canonical JSON of a report model: sorted keys, decimals as strings, ISO dates; equal models give equal bytes."""

import json
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any


def plain(value: Any) -> Any:
    """Return the value as JSON types. Floats are refused: quantities are decimals in the model."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Decimal):
        return format(value.normalize(), "f") if value else "0"
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, (str, bool, int)):
        return value
    raise TypeError(f"{type(value).__name__} has no canonical form in a report model")


def to_json(model: object) -> str:
    """Return canonical JSON text of a model, ending in a newline."""
    return json.dumps(plain(model), sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"
