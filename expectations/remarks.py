"""What the values of a file's columns show and its users should know, though no row is refused for it.

Here: reasons for no value, imprecise dates, rounded numbers, spellings of identifiers. Not here: what refuses a row
(`row_rules`, `repeated_rows`) and the order of the steps (`judging`).
"""

from collections.abc import Collection, Iterator, Sequence

from expectations import row_messages
from expectations import value_sql as sql
from expectations.row_batch import Batch, Remark


def remarks_on(batch: Batch, one_spelling: Collection[str]) -> Iterator[Remark]:
    """The remarks on judged rows; the identifiers of `one_spelling` are known to have nothing to remark upon."""
    yield from _counts(batch)
    yield from _rounded(batch)
    yield from _spellings(batch, one_spelling)


def _counts(batch: Batch) -> list[Remark]:
    """How often the cells of a column say why they are empty, or name more than a day."""
    query = f"""
        SELECT _ingest, column_name, 'absent_values' AS code, split_part(absent, ':', 1) AS said, count(*) AS cells
        FROM {batch.table("read")} WHERE absent IS NOT NULL GROUP BY ALL
        UNION ALL
        SELECT _ingest, column_name, 'imprecise_dates', precision, count(*)
        FROM {batch.table("read")} WHERE precision IS NOT NULL GROUP BY ALL
        ORDER BY ALL"""
    remarks = []
    for ingest, column, code, said, cells in batch.con.sql(query).fetchall():
        if code == "absent_values":
            message = f"{cells} cells of {column} hold no value but the reason '{said}'"
        else:
            message = f"{cells} dates of {column} name a {said.replace('_', ' ')}; its last day counts"
        remarks.append(Remark(ingest, code, column, said, message))
    return remarks


def _rounded(batch: Batch) -> list[Remark]:
    """Numbers with more decimals than their column keeps."""
    remarks = []
    for column in batch.contract.columns:
        places = row_messages.DECIMALS.get(column.type)
        if places is None or not batch.delivers(column.name):
            continue
        text, mark = sql.name(column.name), batch.rules.decimal_of(column.name)
        beyond = rf"^[^{mark}]*[{mark}]\d{{{places}}}\d*[1-9]\D*$"
        query = f"""SELECT _ingest, count(*), min({text}) FROM {batch.relation}
            WHERE contains({text}, {sql.quote(mark)}) AND regexp_matches({text}, {sql.quote(beyond)})
              AND _n NOT IN (SELECT _n FROM {batch.table("refused")})
            GROUP BY ALL ORDER BY ALL"""
        for ingest, count, example in batch.con.sql(query).fetchall():
            message = f"{count} numbers of {column.name} have more than {places} decimals, such as {example}; rounded"
            remarks.append(Remark(ingest, "rounded", column.name, example, message))
    return remarks


def _spellings(batch: Batch, settled: Collection[str]) -> list[Remark]:
    """Identifiers of one file that differ in spelling only, and so are one; and serials that identify nothing."""
    remarks, rows = [], batch.table("rows")
    present = [name for name in batch.contract.ids if batch.delivers(name) and name not in settled]
    varied, unidentified = _worth_a_look(batch, present)
    for name in present:
        text, key = sql.name(name), sql.name(f"{name}_key")
        query = f"""SELECT _ingest, count(*), min(one), arg_min(other, one) FROM (
            SELECT _ingest, min({text}) AS one, max({text}) AS other FROM {rows} WHERE {key} IS NOT NULL
            GROUP BY _ingest, {key} HAVING min({text}) <> max({text})) GROUP BY ALL ORDER BY ALL"""
        for ingest, count, one, other in batch.con.sql(query).fetchall() if name in varied else ():
            message = (
                f"{count} values of {name} are spelt in more than one way, such as '{one}' and '{other}'; each is one"
            )
            remarks.append(Remark(ingest, "spelling_differs", name, other, message))
        query = f"""SELECT _ingest, count(*), min({text}) FROM {rows}
            WHERE {text} IS NOT NULL AND {key} IS NULL GROUP BY ALL ORDER BY ALL"""
        for ingest, count, example in batch.con.sql(query).fetchall() if name in unidentified else ():
            message = f"{count} cells of {name} hold a placeholder such as '{example}', which identifies nothing"
            remarks.append(Remark(ingest, "placeholder_identifier", name, example, message))
    return remarks


def _worth_a_look(batch: Batch, names: Sequence[str]) -> tuple[set[str], set[str]]:
    """The identifiers that one key may stand for in two spellings, and those with a text that has no key.

    Where every text is its key in capitals, or every text is its key, one key has one spelling: a look at each row
    settles what would take a table of all keys.
    """
    if not names:
        return set(), set()
    asked = []
    for text, key in ((sql.name(name), sql.name(f"{name}_key")) for name in names):
        capitals, small = f"bool_and({text} = upper({key}))", f"bool_and({text} = {key})"
        asked += [f"coalesce({capitals} OR {small}, true)", f"bool_or({text} IS NOT NULL AND {key} IS NULL)"]
    (answers,) = batch.con.sql(f"SELECT {', '.join(asked)} FROM {batch.table('rows')}").fetchall()
    varied = {name for name, settled in zip(names, answers[0::2], strict=True) if not settled}
    return varied, {name for name, found in zip(names, answers[1::2], strict=True) if found}
