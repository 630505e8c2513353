"""From the texts of a row to its typed values, as layers of one DuckDB query.

Here: cleaning, filling, and taking dates, times and numbers apart. Not here: which values break a rule (`row_rules`);
the SQL of single values is in `value_sql`.
"""

from collections.abc import Collection, Iterable, Sequence

from expectations import units_sql
from expectations import value_sql as sql
from expectations.contract import TIMES, Column, Contract
from expectations.row_messages import typed
from expectations.typing_rules import TypingRules

_NOTHING = "CAST(NULL AS VARCHAR)"
CARRIED = ("_n", "_ingest", "_row", "_sheet")
"""What every layer carries on of a row."""
BESIDE = "_beside"
"""The text of the row's unit column as delivered."""


def values_of(
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None,
    read: Collection[str],
    plain: Collection[str],
) -> dict[str, str]:
    """The layers from texts to typed values, by name, each made from the one before; the last is `typed`.

    The arguments are those of `row_rules.typed_select`. A typed column is named as `row_messages.typed` says.
    """
    columns = contract.columns
    times = [column for column in columns if column.type in TIMES and column.name not in plain]
    return {
        "cleaned": selected(relation, _cleaned(contract, rules, present, read)),
        "filled": _filled(contract, rules, read),
        "shaped": extended("filled", (_iso(column) for column in times)),
        "parted": extended("shaped", [*map(_tail, times), *_plain_numbers(columns, rules, plain)]),
        "headed": extended("parted", map(_head, times)),
        "dated": extended("headed", (_calendar_day(column, rules) for column in times)),
        "timed": extended("dated", map(_local, times)),
        "placed": extended("timed", map(_offset, times)),
        "typed": extended("placed", (_typed(contract, column, rules, read, plain) for column in columns)),
    }


def selected(relation: str, expressions: Iterable[str]) -> str:
    """SELECT of some expressions."""
    return f"SELECT {', '.join(expressions)} FROM {relation}"


def extended(below: str, expressions: Iterable[str]) -> str:
    """SELECT of all that a layer has, and of some expressions."""
    return selected(below, ["*", *expressions])


def part(prefix: str, column: Column) -> str:
    """The quoted name of something that a layer holds for a column, such as its time zone."""
    return sql.name(f"{prefix}:{column.name}")


def _cleaned(
    contract: Contract, rules: TypingRules, present: Collection[str] | None, read: Collection[str]
) -> list[str]:
    """Texts without blanks and null tokens; a text that was read elsewhere is replaced, and kept as `given:`."""
    chosen = []
    for column in contract.columns:
        text, key = sql.name(column.name), sql.name(f"{column.name}_key")
        delivered = present is None or column.name in present
        # What is nowhere delivered is one value, which is then typed and judged once and not in every row.
        cleaned = sql.cleaned(text, rules.null_tokens) if delivered else _NOTHING
        key_of = f"CASE WHEN {cleaned} IS NOT NULL THEN {key} END" if delivered else _NOTHING
        if column.name in read:
            meant, absent = part("read", column), part("absent", column)
            chosen.append(f"CASE WHEN {absent} IS NULL THEN coalesce({meant}, {cleaned}) END AS {text}")
            chosen.append(f"{cleaned} AS {part('given', column)}")
            chosen += [sql.name(f"{note}:{column.name}") for note in ("read", "precision", "earliest", "absent")]
        else:
            chosen.append(f"{cleaned} AS {text}")
        chosen += [f"{key_of} AS {key}"] if column.type == "id" else []
    return [*chosen, *_beside(contract, rules, present), *CARRIED]


def _beside(contract: Contract, rules: TypingRules, present: Collection[str] | None) -> list[str]:
    quantity = contract.quantity
    if quantity is None:
        return []
    unit = str(quantity.unit_column)
    named = any(column.name == unit for column in contract.columns) and (present is None or unit in present)
    text = sql.cleaned(sql.name(unit), rules.null_tokens) if named else _NOTHING
    return [f"{text} AS {BESIDE}"]


def _filled(contract: Contract, rules: TypingRules, read: Collection[str]) -> str:
    """Fallbacks and defaults fill empty cells; a key is empty where its identifier is, and made where it was filled.

    A cell that says why it is empty is not filled.
    """
    replaced = []
    for column in contract.columns:
        text, filling = sql.name(column.name), _filling(contract, column, rules)
        if filling:
            filled = f"coalesce({text}, {filling})"
            absent = f"CASE WHEN {part('absent', column)} IS NULL THEN {filled} END"
            replaced.append(f"{absent if column.name in read else filled} AS {text}")
        if column.type == "id":
            key = sql.name(f"{column.name}_key")
            made = f" ELSE {sql.normal_form(_of_keys(filling, contract))}" if filling else ""
            replaced.append(f"CASE WHEN {text} IS NOT NULL THEN {key}{made} END AS {key}")
    return f"SELECT * REPLACE ({', '.join(replaced)}) FROM cleaned" if replaced else "SELECT * FROM cleaned"


def _filling(contract: Contract, column: Column, rules: TypingRules) -> str:
    options = [column.fallback] if column.fallback else []
    if rules.unit is not None and contract.quantity is not None and contract.quantity.unit_column == column.name:
        options.append(sql.quote(rules.unit))
    if column.default is not None:
        options.append(sql.quote(column.default))
    return f"coalesce({', '.join(options)})" if options else ""


def _of_keys(expression: str, contract: Contract) -> str:
    """The expression with identifiers in their normal form, so that a filled key equals one that was delivered."""
    pieces = expression.split("'")
    for name in contract.ids:
        pieces[::2] = [_renamed(piece, name) for piece in pieces[::2]]
    return "'".join(pieces)


def _renamed(piece: str, name: str) -> str:
    words = piece.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split(" ")
    return " ".join(f"{word}_key" if word == name else word for word in words)


def _iso(column: Column) -> str:
    return f"{sql.is_iso(sql.name(column.name), column)} AS {part('iso', column)}"


def _tail(column: Column) -> str:
    plain = sql.time_part(sql.name(column.name))
    return f"CASE WHEN NOT {part('iso', column)} THEN {plain} END AS {part('tail', column)}"


def _head(column: Column) -> str:
    head = sql.date_part(sql.name(column.name), part("tail", column))
    return f"CASE WHEN NOT {part('iso', column)} THEN {head} END AS {part('head', column)}"


def _calendar_day(column: Column, rules: TypingRules) -> str:
    day = sql.calendar_date(part("head", column), rules.order_of(column.name))
    return f"CASE WHEN NOT {part('iso', column)} THEN {day} END AS {part('day', column)}"


def _local(column: Column) -> str:
    day, tail = part("day", column), part("tail", column)
    local = f"WHEN {tail} = '' THEN {day} WHEN NOT {part('iso', column)} THEN {sql.local_time(day, tail)}"
    return f"CASE {local} END AS {part('local', column)}"


def _offset(column: Column) -> str:
    offset = sql.zone_offset(part("tail", column))
    return f"CASE WHEN NOT {part('iso', column)} THEN {offset} END AS {part('offset', column)}"


def _plain_numbers(columns: Sequence[Column], rules: TypingRules, plain: Collection[str]) -> list[str]:
    made = []
    for column in columns:
        if column.type in ("int", "dec", "money", "price", "float"):
            text = sql.name(column.name)
            number = sql.plain_number(text, units_sql.own(column, rules), rules.decimal_of(column.name))
            made.append(f"{text if column.name in plain else number} AS {part('plain', column)}")
    return made


def _typed(
    contract: Contract, column: Column, rules: TypingRules, read: Collection[str], plain: Collection[str]
) -> str:
    text = sql.name(column.name)
    match column.type:
        case "int" | "dec" | "money" | "price" | "float":
            factor = units_sql.factor(contract, column, rules)
            if factor is not None and column.name in read:
                factor = f"CASE WHEN {part('read', column)} IS NULL THEN {factor} END" if column.unit else factor
            value = units_sql.converted(part("plain", column), column, factor)
        case "bool":
            value = sql.truth(text)
        case "enum":
            value = sql.word(text, column.values)
        case "date":
            value = sql.iso_day(text) if column.name in plain else _day(column, rules)
        case "ts":
            value = sql.iso_instant(text) if column.name in plain else _instant(column, rules)
        case "local":
            value = sql.iso_local(text) if column.name in plain else _on_the_clock(column)
        case _:
            value = units_sql.spelled(contract, column, rules) or text
    return f"{value} AS {typed(column)}"


def _instant(column: Column, rules: TypingRules) -> str:
    moment = sql.instant(part("local", column), part("offset", column), rules.time_zone)
    return f"CASE WHEN {part('iso', column)} THEN {sql.iso_instant(sql.name(column.name))} ELSE {moment} END"


def _on_the_clock(column: Column) -> str:
    """A local time; a day is its midnight, and a time with a zone is none."""
    plain = f"WHEN {part('iso', column)} THEN {sql.iso_local(sql.name(column.name))}"
    return f"CASE {plain} WHEN {part('offset', column)} IS NULL THEN {part('local', column)} END"


def _day(column: Column, rules: TypingRules) -> str:
    """The day; of an instant with a stated zone, the day on the source's calendar.

    A bare midnight stays its own day: it is how programs write a day as an instant.
    """
    local = part("local", column)
    day = f"CAST({local} AS DATE)"
    if rules.time_zone is not None:
        moment = sql.instant(local, part("offset", column), rules.time_zone)
        there = f"CAST(timezone({sql.quote(rules.time_zone)}, timezone('UTC', {moment})) AS DATE)"
        day = f"CASE WHEN CAST({local} AS TIME) = TIME '00:00:00' THEN {day} ELSE {there} END"
    return f"CASE WHEN {part('iso', column)} THEN {sql.iso_day(sql.name(column.name))} ELSE {day} END"
