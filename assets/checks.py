"""Asset checks: two a dataset (errors, warnings) from the expectations, and one that the row ledger closes.

A failed check is shown; what may stop publication is decided in one place, ``turnup.warehouse.expectation_results``.
"""

from collections.abc import Iterator, Sequence

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckKey,
    AssetCheckResult,
    AssetChecksDefinition,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetKey,
    MetadataValue,
    multi_asset_check,
)

from assets.context import ProgrammeResource, RefreshOptions, WeekRun
from assets.metadata import markdown_table
from assets.week import EXPECTATIONS, STAGED
from expectations.contract import Contract
from expectations.run import ExpectationResult
from turnup.warehouse.connection import connect

_LEDGER = "row_ledger_closes"
_SEVERITIES = {"error": AssetCheckSeverity.ERROR, "warning": AssetCheckSeverity.WARN}


def dataset_checks(datasets: list[Contract]) -> AssetChecksDefinition:
    """The checks of every dataset in use and the ledger check, evaluated in one step."""
    specs = [
        AssetCheckSpec(
            f"{severity}s",
            asset=contract.name,
            additional_deps=[EXPECTATIONS],
            description=f"Expectations on {contract.title} whose failure is {_article(severity)}.",
        )
        for contract in datasets
        for severity in _SEVERITIES
    ]
    ledger = AssetCheckSpec(
        _LEDGER,
        asset=STAGED,
        additional_deps=[EXPECTATIONS],
        description="For every delivered file: rows read = rows accepted + rows quarantined.",
    )

    @multi_asset_check(specs=[*specs, ledger], can_subset=True, name="expectation_checks")
    def expectation_checks(
        context: AssetCheckExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> Iterator[AssetCheckResult]:
        run = WeekRun(context, programme, options)
        results, unbalanced, files = _stored(run)
        for key in sorted(context.selected_asset_check_keys, key=str):
            if key.name == _LEDGER:
                yield _ledger_result(key, unbalanced, files)
            else:
                yield _dataset_result(key, results)

    return expectation_checks


def _article(severity: str) -> str:
    return "an error" if severity == "error" else "a warning"


def _stored(run: WeekRun) -> tuple[Sequence[ExpectationResult], list[tuple[object, ...]], int]:
    with connect(run.database(), read_only=True) as con:
        records = con.sql('SELECT * RENAME (column_name AS "column") FROM meta.expectations ORDER BY ALL')
        results = [ExpectationResult(**dict(zip(records.columns, row, strict=True))) for row in records.fetchall()]
        unbalanced = con.sql(
            "SELECT file, rows_read, accepted, quarantined FROM meta.ledger WHERE NOT balanced ORDER BY file"
        ).fetchall()
        files = con.sql("SELECT count(*) FROM meta.ledger").fetchall()[0][0]
    return results, unbalanced, int(files)


def _ledger_result(key: AssetCheckKey, unbalanced: list[tuple[object, ...]], files: int) -> AssetCheckResult:
    return AssetCheckResult(
        asset_key=key.asset_key,
        check_name=key.name,
        passed=not unbalanced,
        metadata={
            "files": MetadataValue.int(files),
            "not_closing": MetadataValue.md(
                markdown_table(("file", "rows read", "accepted", "quarantined"), unbalanced)
            ),
        },
    )


def _dataset_result(key: AssetCheckKey, results: Sequence[ExpectationResult]) -> AssetCheckResult:
    severity = key.name.removesuffix("s")
    mine = [item for item in results if AssetKey(item.dataset) == key.asset_key and item.severity == severity]
    failed = [item for item in mine if not item.success]
    rows = [(item.expectation, item.column, item.observed, item.message) for item in mine]
    return AssetCheckResult(
        asset_key=key.asset_key,
        check_name=key.name,
        passed=not failed,
        severity=_SEVERITIES[severity],
        description=failed[0].message if failed else f"{len(mine)} expectations hold",
        metadata={
            "evaluated": MetadataValue.int(len(mine)),
            "failed": MetadataValue.int(len(failed)),
            "expectations": MetadataValue.md(markdown_table(("expectation", "column", "observed", "result"), rows)),
        },
    )
