"""SQL for units that a source declares: bare numbers in another unit, and a unit column that varies by row."""

from dataclasses import replace

from expectations import quantities
from expectations import value_sql as sql
from expectations.contract import Column, Contract
from expectations.row_messages import Check
from expectations.typing_rules import TypingRules


def own(column: Column, rules: TypingRules) -> Column:
    """The column as its numbers are read: where bare numbers are in another unit, its own unit must be told apart."""
    return replace(column, unit=None) if _bare_factor(column, rules) is not None else column


def _bare_factor(column: Column, rules: TypingRules) -> str | None:
    """The factor of bare numbers in a column with a unit of its own, as exact text; None when they are in that unit."""
    if rules.unit is None or column.unit is None or quantities.same_unit(rules.unit, column.unit):
        return None
    found = quantities.factor(rules.unit, rules.units.get(column.name, {}))
    return None if found is None else str(found)


def factor(contract: Contract, column: Column, rules: TypingRules) -> str | None:
    """SQL of what a number is multiplied with (NULL: nothing), or None when nothing is ever converted."""
    bare = _bare_factor(column, rules)
    if bare is not None:
        return f"CAST({sql.quote(bare)} AS DECIMAL(19,9))"
    declared = rules.units.get(column.name)
    beside = _unit_column(contract)
    if not declared or beside is None or column.unit_column != beside.name or beside.type != "text":
        return None
    cases = " ".join(
        f"WHEN {sql.quote(spelling)} THEN CAST({sql.quote(value)} AS DECIMAL(19,9))"
        for unit, value in sorted(declared.items())
        for spelling in quantities.spellings(unit)
    )
    return f"CASE {_key(beside)} {cases} END"


def converted(plain: str, column: Column, factor: str | None) -> str:
    """The number of a `plain_number`, multiplied where there is a factor."""
    value = sql.number(plain, column)
    if factor is None:
        return value
    if column.type == "float":
        return f"{value} * coalesce(CAST({factor} AS DOUBLE), 1)"
    product = f"CAST(TRY_CAST({plain} AS DECIMAL(18,6)) AS DECIMAL(19,6)) * {factor}"
    if column.type == "int":
        made = f"CASE WHEN {product} = trunc({product}) THEN TRY_CAST({product} AS BIGINT) END"
    else:
        made = f"TRY_CAST({product} AS {column.sql_type})"
    return f"CASE WHEN {factor} IS NULL THEN {value} ELSE {made} END"


def spelled(contract: Contract, column: Column, rules: TypingRules) -> str | None:
    """SQL of a unit as we spell it, pieces where the number was converted; None for any other column."""
    quantity = _quantity(contract, column)
    if quantity is None:
        return None
    means = {alias: unit for unit in quantities.UNITS for alias in quantities.spellings(unit)}
    means |= dict.fromkeys(_declared(quantity, rules), quantities.PIECES)
    cases = " ".join(f"WHEN {sql.quote(alias)} THEN {sql.quote(unit)}" for alias, unit in sorted(means.items()))
    text = sql.name(column.name)
    spelt = f"coalesce(CASE {_key(column)} {cases} END, {text})"
    return f"CASE WHEN {text} = {sql.quote(quantities.PIECES)} THEN {text} ELSE {spelt} END"


def checks(contract: Contract, column: Column, rules: TypingRules) -> list[Check]:
    """The check of a unit column: a known unit, or one with a declared factor."""
    quantity = _quantity(contract, column)
    if quantity is None:
        return []
    known = {alias for unit in quantities.UNITS for alias in quantities.spellings(unit)} | _declared(quantity, rules)
    text = sql.name(column.name)
    reason = (
        f"is no unit that is known, and nothing says how many {quantities.PIECES} it is; in the source of"
        f" programme.yaml write `units: {{{quantity.name}: {{<unit>: <how many {quantities.PIECES}>}}}}`"
    )
    unknown = f"{text} <> {sql.quote(quantities.PIECES)} AND NOT {sql.among(_key(column), sorted(known))}"
    return [Check(unknown, "unknown_unit", reason, "a unit such as ea, m or kg")]


def _declared(quantity: Column, rules: TypingRules) -> set[str]:
    return {spelling for unit in rules.units.get(quantity.name, {}) for spelling in quantities.spellings(unit)}


def _quantity(contract: Contract, column: Column) -> Column | None:
    """The column whose unit stands in this text column."""
    quantity = contract.quantity
    return quantity if quantity is not None and quantity.unit_column == column.name and column.type == "text" else None


def _unit_column(contract: Contract) -> Column | None:
    quantity = contract.quantity
    return None if quantity is None else next((c for c in contract.columns if c.name == quantity.unit_column), None)


def _key(column: Column) -> str:
    return rf"lower(rtrim(regexp_replace({sql.name(column.name)}, '\s+', ' ', 'g'), '.'))"
