"""What a configuration key may hold, in words, where a value was refused.

Belongs here: the words for each kind of refusal that pydantic knows. Does not: where the value stands
(``turnup.yaml_source``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_KINDS = {
    "string": "a text, in quotes where it looks like a number",
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "date": "a day such as 2026-08-14, in quotes",
    "datetime": "an instant such as 2026-08-14T18:00:00Z, in quotes",
    "dict": "keys with values below this key",
    "mapping": "keys with values below this key",
    "list": "a list",
    "tuple": "a list",
    "set": "a list",
    "frozen": "a list",
    "model": "keys with values below this key",
}
_LIMITS = {
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "less than {lt}",
    "less_than_equal": "{le} or less",
    "string_too_short": "at least {min_length} letters",
    "string_too_long": "at most {max_length} letters",
    "too_short": "at least {min_length} items",
    "too_long": "at most {max_length} items",
}
_ONE = re.compile(r"\b1 (letter|item)s")
_PATTERNS = {
    r"^([01]\d|2[0-3]):[0-5]\d$": "a time of day such as 18:00",
    r"[^/.]": "a pattern of file names such as BOM*.csv",
    r"^[a-z0-9][a-z0-9_-]*$": "small letters, digits, _ and -, such as parts-kestrel",
    r"^\d{4}-W\d{2}$": "a week such as 2026-W33",
    r"^[A-Z]{3}$": "three capital letters such as USD",
    r"^[^@\s<>,;]+@[^@\s<>,;]+$": "one address such as ana@example.org",
    r"^[a-z][a-z0-9_]*$": "small letters, digits and _, such as site_ready",
    r"^[A-Za-z_][A-Za-z0-9_]*$": "the name of an environment variable such as SMTP_PASSWORD",
}


def expected(kind: str, context: Mapping[str, Any]) -> str | None:
    """What was expected instead, such as ``1 or more``; None for a kind that has words of its own.

    Args:
        kind: type of the pydantic error, such as ``greater_than_equal``.
        context: its ``ctx``: limits, pattern or allowed words.
    """
    if kind == "literal_error":
        return str(context["expected"])
    if kind == "string_pattern_mismatch":
        pattern = str(context["pattern"])
        return _PATTERNS.get(pattern, f"a text of the form {pattern}")
    if kind in _LIMITS:
        limits = {name: str(value).removesuffix(".0") for name, value in context.items()}
        return _ONE.sub(r"1 \1", _LIMITS[kind].format(**limits))
    return _KINDS.get(kind.split("_")[0])
