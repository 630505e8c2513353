"""Canonical JSON of a report model: sorted keys, decimals as strings, ISO dates; equal models give equal bytes."""

import json
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any


def to_json(model: object) -> str:
    """Return canonical JSON text of a model, ending in a newline.

    Raises:
        TypeError: a value has no canonical form; floats have none, quantities are decimals in the model.
    """
    if isinstance(model, float):
        raise TypeError("float has no canonical form in a report model")
    text = json.dumps(model, default=_plain, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text + "\n"


def _plain(value: object) -> Any:
    """Called by the encoder for what JSON does not know, one level at a time."""
    if is_dataclass(value) and not isinstance(value, type):
        found = {name: getattr(value, name) for name in _names(type(value))}
        if any(type(item) is float for item in found.values()):
            raise TypeError(f"float in {type(value).__name__} has no canonical form in a report model")
        return found
    if isinstance(value, Decimal):
        return format(value.normalize(), "f") if value else "0"
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no canonical form in a report model")


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
