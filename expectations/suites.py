"""Which expectations a dataset has: what a single row cannot show, made from its contract.

Here: keys across files, references, row counts, filled shares, table rules, actuals in the future, freshness and the
share of quarantined rows, as plain data. Not here: running them (`run`), rules of one row (`row_rules`), and how a
result becomes a decision. What a supplier can be told to repair is an error; what a manager should know is a warning.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from expectations.contract import Column, Contract, Severity
from expectations.value_sql import name, quote

QUARANTINE_LIMIT = 0.05
"""Share of a dataset's rows in quarantine above which the report says so."""

_STAGED_TABLE = re.compile(r"\bstg\.(\w+)")


@dataclass(frozen=True, slots=True)
class Expectation:
    """One expectation on one table.

    `kind` is the Great Expectations class, `arguments` its arguments; a query names the checked table `{batch}`.
    `failing_rows` selects the failing rows as (example, _ingest, _row) for the message, None where single rows mean
    nothing. `claim` follows "Expected:".
    """

    dataset: str
    rule: str
    column: str | None
    severity: Severity
    table: tuple[str, str]
    kind: str
    arguments: Mapping[str, Any]
    claim: str
    failing_rows: str | None = None
    blocking: bool = False


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the candidate holds: rows per staged table, and per dataset whether its sources are required."""

    rows: Mapping[str, int]
    sources: Mapping[str, tuple[bool, ...]]

    def in_use(self, dataset: str) -> bool:
        """Whether a source delivers the dataset, or it has rows all the same."""
        return bool(self.rows.get(dataset)) or dataset in self.sources


def expectations_of(contract: Contract, holdings: Holdings, as_of: date) -> Iterator[Expectation]:
    """The expectations of one dataset, in a fixed order; none at all for a dataset that nobody delivers."""
    if not holdings.in_use(contract.name):
        return
    yield _row_count(contract)
    if holdings.rows.get(contract.name):
        yield _unique_key(contract)
        yield from _references(contract, holdings)
        yield from (_filled(contract, column) for column in contract.columns if column.expected_share is not None)
        yield from _table_rules(contract, holdings)
        yield from _no_future_actuals(contract, as_of)
    yield from _freshness(contract, holdings)
    yield _quarantine(contract)


def _staged(contract: Contract) -> tuple[str, str]:
    return ("stg", contract.name)


def _row_count(contract: Contract) -> Expectation:
    least = max(1, contract.min_rows)
    return Expectation(
        dataset=contract.name,
        rule="row_count",
        column=None,
        severity="error" if contract.core else "warning",
        table=_staged(contract),
        kind="ExpectTableRowCountToBeBetween",
        arguments={"min_value": least},
        claim=f"{contract.name} has at least {least} row{'' if least == 1 else 's'} in force",
    )


def _key_columns(contract: Contract) -> list[str]:
    return [f"{each}_key" if contract.column(each).type == "id" else each for each in contract.key]


def _unique_key(contract: Contract) -> Expectation:
    columns = _key_columns(contract)
    listed = ", ".join(map(name, columns))
    shown = " || ' / ' || ".join(f"CAST({name(each)} AS VARCHAR)" for each in contract.key)
    single = len(columns) == 1
    return Expectation(
        dataset=contract.name,
        rule="key_unique",
        column=", ".join(contract.key),
        severity="error",
        table=_staged(contract),
        kind="ExpectColumnValuesToBeUnique" if single else "ExpectCompoundColumnsToBeUnique",
        arguments={"column": columns[0]} if single else {"column_list": columns},
        claim=f"every row of {contract.name} has a {', '.join(contract.key)} of its own, over all files in force",
        failing_rows=f"SELECT {shown} AS example, _ingest, _row FROM stg.{name(contract.name)}"
        f" QUALIFY count(*) OVER (PARTITION BY {listed}) > 1",
        blocking=contract.core,
    )


def _unexpected_rows(
    contract: Contract, rule: str, column: str | None, severity: Severity, bad: str, example: str, claim: str
) -> Expectation:
    """An expectation that no row of the dataset satisfies `bad`, SQL on the alias `checked`."""
    rows = f"FROM stg.{name(contract.name)} AS checked WHERE {bad}"
    query = f"SELECT checked._row FROM (SELECT * FROM {{batch}}) AS checked WHERE {_braced(bad)}"
    return Expectation(
        dataset=contract.name,
        rule=rule,
        column=column,
        severity=severity,
        table=_staged(contract),
        kind="UnexpectedRowsExpectation",
        arguments={"unexpected_rows_query": query},
        claim=claim,
        failing_rows=f"SELECT {example} AS example, _ingest, _row {rows}",
    )


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _references(contract: Contract, holdings: Holdings) -> Iterator[Expectation]:
    """References into datasets with rows; a dataset that nobody delivers cannot be referred to wrongly."""
    for reference in contract.references:
        if holdings.rows.get(reference.dataset):
            key, target = name(f"{reference.column}_key"), name(f"{reference.target_column}_key")
            bad = (
                f"checked.{key} IS NOT NULL AND NOT EXISTS"
                f" (SELECT 1 FROM stg.{name(reference.dataset)} AS known WHERE known.{target} = checked.{key})"
            )
            yield _unexpected_rows(
                contract,
                "reference",
                reference.column,
                reference.severity,
                bad,
                f"checked.{name(reference.column)}",
                f"every {reference.column} of {contract.name} is a {reference.target_column} of {reference.dataset}",
            )


def _filled(contract: Contract, column: Column) -> Expectation:
    share = column.expected_share or 0.0
    return Expectation(
        dataset=contract.name,
        rule="filled_share",
        column=column.name,
        severity="warning",
        table=_staged(contract),
        kind="ExpectColumnProportionOfNonNullValuesToBeBetween",
        arguments={"column": column.name, "min_value": share},
        claim=f"at least {share:.0%} of the rows of {contract.name} give {column.name}",
        failing_rows=f"SELECT 'no value' AS example, _ingest, _row FROM stg.{name(contract.name)}"
        f" WHERE {name(column.name)} IS NULL",
    )


def _table_rules(contract: Contract, holdings: Holdings) -> Iterator[Expectation]:
    """The contract's own rules; one that needs another dataset waits until that has rows."""
    shown = " || ' / ' || ".join(f"CAST({name(each)} AS VARCHAR)" for each in contract.key)
    for rule in contract.rules:
        if all(holdings.rows.get(other) for other in _STAGED_TABLE.findall(rule.condition)):
            claim = f"no row of {contract.name} shows this: {rule.description}"
            yield _unexpected_rows(contract, rule.name, None, rule.severity, rule.condition, shown, claim)


def _no_future_actuals(contract: Contract, as_of: date) -> Iterator[Expectation]:
    """What has happened cannot lie after the day of the report; one day is left for time zones to the east."""
    actuals = [column.name for column in contract.columns if column.actual]
    if not actuals:
        return
    limit = f"DATE {quote(as_of.isoformat())} + INTERVAL 1 DAY"
    late = {each: f"CAST(checked.{name(each)} AS DATE) > {limit}" for each in actuals}
    shown = ", ".join(
        f"CASE WHEN {bad} THEN {quote(f'{each} ')} || CAST(checked.{name(each)} AS VARCHAR) END"
        for each, bad in late.items()
    )
    yield _unexpected_rows(
        contract,
        "no_future_actual",
        ", ".join(actuals),
        "error",
        " OR ".join(late.values()),
        f"concat_ws(', ', {shown})",
        f"no {' or '.join(actuals)} of {contract.name} lies after {as_of.isoformat()}, the day of the report",
    )


def _freshness(contract: Contract, holdings: Holdings) -> Iterator[Expectation]:
    """One expectation on the required sources and one on the others, where the dataset has such sources."""
    for required in sorted(set(holdings.sources.get(contract.name, ())), reverse=True):
        bad = (
            f"dataset = {quote(contract.name)} AND coalesce(required, false) = {str(required).lower()}"
            " AND (received_at IS NULL OR state IN ('stale', 'missing', 'rejected') OR age_days > max_age_days)"
        )
        kind = "required" if required else "optional"
        yield Expectation(
            dataset=contract.name,
            rule="fresh" if required else "fresh_optional",
            column=None,
            severity="error" if required else "warning",
            table=("meta", "sources"),
            kind="UnexpectedRowsExpectation",
            arguments={"unexpected_rows_query": f"SELECT source FROM (SELECT * FROM {{batch}}) AS checked WHERE {bad}"},
            claim=f"every {kind} source of {contract.name} has delivered within its max_age",
            failing_rows="SELECT source || ' is ' || state || coalesce(', ' || age_days || ' days old (at most '"
            f" || max_age_days || ')', '') AS example, NULL AS _ingest, NULL AS _row FROM meta.sources WHERE {bad}",
        )


def _quarantine(contract: Contract) -> Expectation:
    bad = (
        f"FROM {{ledger}} AS checked WHERE dataset = {quote(contract.name)} AND in_force AND corrects = ''"
        f" GROUP BY source HAVING sum(open) > {QUARANTINE_LIMIT} * sum(rows_read)"
    )
    shares = "source || ' has ' || sum(open) || ' of ' || sum(rows_read) || ' rows in quarantine'"
    return Expectation(
        dataset=contract.name,
        rule="quarantine_share",
        column=None,
        severity="warning",
        table=("meta", "ledger"),
        kind="UnexpectedRowsExpectation",
        arguments={"unexpected_rows_query": f"SELECT source {bad.format(ledger='(SELECT * FROM {batch})')}"},
        claim=f"no source of {contract.name} has more than {QUARANTINE_LIMIT:.0%} of its rows in quarantine",
        failing_rows=f"SELECT {shares} AS example, NULL AS _ingest, NULL AS _row {bad.format(ledger='meta.ledger')}",
    )
