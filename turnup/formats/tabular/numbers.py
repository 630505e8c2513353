"""Numbers of a sheet as exact text.

A spreadsheet keeps 15 significant digits; the bulk reader writes nine decimals. Where its text may have lost digits (or
gained noise) the number itself is read a second time and written with 15 digits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

import polars as pl

from turnup.formats.tabular.sheet_xml import LONGEST_NUMBER, Cell

_ROUNDED = r"^-?(?:0|[1-9]\d*\.\d{0,8}[1-9]|0\.\d{0,8}[1-9])$"


def number_text(number: float) -> str:
    """A number as a spreadsheet means it: 15 significant digits, no exponent, no trailing zeros."""
    plain = format(Decimal(format(number, f".{LONGEST_NUMBER}g")), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def may_hold_long_numbers(texts: pl.DataFrame) -> bool:
    """Whether a cell shows more digits before its point than a sheet keeps."""
    if not texts.width:
        return False
    long = pl.all().filter(pl.all().str.len_bytes() > LONGEST_NUMBER).str.contains(rf"^-?\d{{{LONGEST_NUMBER + 1},}}")
    return any(texts.select(long.any()).row(0))


def columns_in_doubt(texts: pl.DataFrame) -> list[str]:
    """Columns with a text that may be a shortened number: a decimal, or a zero that may have been tiny."""
    decimal, zero = pl.all().str.contains(".", literal=True), pl.all().str.contains("^-?0$")
    doubts = texts.select(decimal.any() | zero.any())
    return [name for name in texts.columns if doubts.item(0, name)]


def written_out(frame: pl.DataFrame, cells: Sequence[Cell]) -> pl.DataFrame:
    """The frame (``c0..`` from row 1) with these numbers exact; a date that is kept as such a number stays a date."""
    places: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for cell in cells:
        if cell.column < frame.width and cell.row <= frame.height:
            places[f"c{cell.column}"].append((cell.row - 1, float(cell.text)))
    changed = []
    for name, held in sorted(places.items()):
        numbers = pl.DataFrame(held, schema={"at": pl.UInt32, "number": pl.Float64}, orient="row")
        numbers = numbers.unique("at", keep="last").sort("at")
        column = frame.get_column(name)
        texts = exact(column.gather(numbers.get_column("at")), numbers.get_column("number"))
        changed.append(column.clone().scatter(numbers.get_column("at"), texts))
    return frame.with_columns(changed)


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
