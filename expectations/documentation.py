"""The page about one dataset, made from its contract, so that the documentation cannot fall behind the rules.

Here: Markdown for `docs/datasets/<dataset>.md`. Not here: where it is written, and pages about anything else.
"""

from collections.abc import Iterable, Mapping, Sequence

from expectations.contract import Column, Contract

_TYPES: Mapping[str, str] = {
    "id": "identifier",
    "text": "text",
    "int": "whole number",
    "dec": "number, 3 decimals",
    "money": "amount, 2 decimals",
    "price": "price of one piece, 6 decimals",
    "float": "number",
    "date": "date",
    "ts": "date and time (kept in UTC)",
    "local": "date and time of the place",
    "bool": "true or false",
    "enum": "one of a list",
}


def markdown(contract: Contract) -> str:
    """The page of a dataset: what a row is, its columns, the names suppliers use, its references and table rules."""
    sections = [
        f"# {contract.title} (`{contract.name}`)",
        contract.description,
        contract.usage,
        f"One row per {', '.join(f'`{name}`' for name in contract.key)}. Contract version {contract.version}."
        + (" A repeated key in this dataset stops a refresh." if contract.core else ""),
        "## Columns",
        _table(("column", "type", "required", "meaning", "allowed", "default", "example"), map(_row, contract.columns)),
        "Identifiers are compared trimmed and without regard to case, and are never read as numbers. Dates are written"
        " YYYY-MM-DD, or in the order that the source declares; times need a zone, or a source that declares one.",
        "## Names suppliers use",
        _table(("column", "recognised names"), ((f"`{c.name}`", ", ".join(c.synonyms)) for c in contract.columns)),
        *_list_section("## References", _references(contract)),
        *_list_section("## Rules over all rows", _rules(contract)),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _row(column: Column) -> tuple[str, ...]:
    required = "yes" if column.required else ""
    return (
        f"`{column.name}`",
        _TYPES[column.type],
        required,
        f"{column.description} Filled by readers of formats." if column.machine else column.description,
        _allowed(column),
        _default(column),
        column.example or "",
    )


def _allowed(column: Column) -> str:
    if column.values:
        return ", ".join(f"`{value}`" for value in column.values)
    bounds = []
    if column.minimum is not None:
        bounds.append(f"at least {column.minimum:g}")
    if column.maximum is not None:
        bounds.append(f"at most {column.maximum:g}")
    unit = f"in {column.unit}" if column.unit else ""
    return ", ".join([*bounds, *([unit] if unit else [])])


def _default(column: Column) -> str:
    if column.fallback is not None:
        return "made from other columns"
    return f"`{column.default}`" if column.default is not None else ""


def _references(contract: Contract) -> list[str]:
    return [
        f"`{each.column}` is a `{each.target_column}` of [{each.dataset}]({each.dataset}.md) ({each.severity})"
        for each in contract.references
    ]


def _rules(contract: Contract) -> list[str]:
    rules = [f"Not allowed: {rule.description} ({rule.severity})" for rule in contract.rules]
    shares = [
        f"At least {column.expected_share:.0%} of the rows give `{column.name}` (warning)"
        for column in contract.columns
        if column.expected_share is not None
    ]
    actuals = [f"`{column.name}`" for column in contract.columns if column.actual]
    future = [f"Not after the day of the report: {', '.join(actuals)} (error)"] if actuals else []
    return [*rules, *shares, *future]


def _list_section(title: str, lines: Sequence[str]) -> list[str]:
    return [title, "\n".join(f"- {line}" for line in lines)] if lines else []


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
