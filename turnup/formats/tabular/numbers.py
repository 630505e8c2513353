"""Numbers of a sheet as exact text.

A spreadsheet keeps 15 significant digits; the bulk reader writes nine decimals. Where its text may have lost digits (or
gained noise) the number itself is read a second time and written with 15 digits.
"""

from __future__ import annotations

from decimal import Decimal

import polars as pl

from turnup.formats.tabular.sheet_xml import LONGEST_NUMBER

_ROUNDED = r"^-?(?:0|[1-9]\d*\.\d{0,8}[1-9]|0\.\d{0,8}[1-9])$"


def number_text(number: float) -> str:
    """A number as a spreadsheet means it: 15 significant digits, no exponent, no trailing zeros."""
    plain = format(Decimal(format(number, f".{LONGEST_NUMBER}g")), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def columns_in_doubt(texts: pl.DataFrame) -> list[str]:
    """Columns with a text that may be a shortened number: a decimal, or a zero that may have been tiny."""
    decimal, zero = pl.all().str.contains(".", literal=True), pl.all().str.contains("^-?0$")
    doubts = texts.select(decimal.any() | zero.any())
    return [name for name in texts.columns if doubts.item(0, name)]


def exact(texts: pl.Series, numbers: pl.Series) -> pl.Series:
    """The texts, with every shortened number written out.

    A text is taken for a shortened number when it is written as the bulk reader writes numbers and lies within its
    rounding of the number; a text cell such as ``0.10`` or ``00123`` is not.
    """
    frame = pl.DataFrame({"text": texts, "number": numbers})
    near = (pl.col("text").cast(pl.Float64, strict=False) - pl.col("number")).abs() <= 1e-9
    doubtful = pl.col("text").str.contains(_ROUNDED) & near
    shortest = pl.col("number").cast(pl.String)
    plain = shortest.str.replace(r"\.0$", "")
    digits = plain.str.replace_all(r"[-.]|^-?0\.0*", "").str.len_bytes()
    easy = ~plain.str.contains("e", literal=True) & (digits <= LONGEST_NUMBER)
    marked = frame.with_columns(doubtful.alias("doubtful"), plain.alias("plain"), easy.alias("easy"))
    hard = marked.filter(pl.col("doubtful") & ~pl.col("easy")).get_column("number").unique().to_list()
    written = pl.when("easy").then("plain")
    if hard:
        spelled = pl.col("number").replace_strict(hard, [number_text(value) for value in hard], default=None)
        result = written.otherwise(spelled)
    else:
        result = written.otherwise("text")
    chosen = pl.when(pl.col("doubtful").fill_null(value=False)).then(result).otherwise("text")
    return marked.select(chosen.alias(texts.name)).to_series()
