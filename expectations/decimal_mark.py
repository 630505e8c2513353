"""Whether the numbers of one column of one file prove a decimal comma that their source does not declare.

Where one number is written with a decimal comma, `1.000` beside it is a thousand or one: nothing is read by guess, and
the source says which. Here: the evidence, and which texts are doubtful by it. Not here: numbers as such (`value_sql`).
"""

import re

from expectations import quantities
from expectations import value_sql as sql
from expectations.contract import Column

DOUBTFUL = r"[+-]?[1-9]\d{0,2}[.,]\d{3}(?:\s+\S.*|[^\d\s.,eE+-].*)?"
"""A number that has thousands under one mark and decimals under the other; a unit may follow."""


def proves_comma(text: str, column: Column) -> bool:
    """Whether a text, without its unit, is a number with a decimal comma and none with a point."""
    parts = quantities.parted(text)
    number = parts[0] if parts else text.strip()
    by_comma, by_point = (re.fullmatch(sql.number_pattern(column, mark), number) for mark in ",.")
    return by_comma is not None and by_point is None and "," in number


def reason(column: Column, proof: str) -> str:
    """Completes "Column x holds y, which"."""
    declare = " or ".join(f'`decimal: {{{column.name}: "{mark}"}}`' for mark in (",", "."))
    return (
        f"may have thousands or decimals: this column has '{proof}', with a decimal comma; in the source of"
        f" programme.yaml write {declare}"
    )
