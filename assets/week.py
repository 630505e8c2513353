"""Core and readiness: the state as of the cut-off, its expectations, the judged tables and the published week."""

from collections.abc import Iterator

from dagster import (
    AssetExecutionContext,
    AssetsDefinition,
    AssetSpec,
    MaterializeResult,
    MetadataValue,
    PartitionsDefinition,
    asset,
    multi_asset,
)

from assets.context import ProgrammeResource, RefreshOptions, WeekRun
from assets.metadata import markdown_table, table_metadata
from expectations.contract import Contract
from turnup.warehouse.connection import connect

STAGED = "staged_week"
EXPECTATIONS = "expectation_results"
PUBLISHED = "published_week"
JUDGED = {
    "capacity_funnel": ("funnel", "Capacity per system and stage, contracted to schedulable; what each stage holds."),
    "gate_states": ("gates", "Every playbook gate per system and block: its state, when entered, when passed."),
    "open_blockers": ("blockers", "Unmet criteria on the way to the next gate, ranked by capacity held and days."),
    "commitment_status": ("commitments", "Contract lines: due, schedulable, forecast, paid but idle, status."),
    "contradictions": ("findings", "Claims against evidence, and other faults in what was delivered."),
    "weekly_change": ("change", "Opening to closing quantity per kind, reconciled."),
    "ready_forecast": ("forecast", "When commitments will be met, and how sure that is."),
}
"""Asset to the result table it shows, and what that is."""


def week_assets(partitions: PartitionsDefinition, datasets: list[Contract]) -> list[AssetsDefinition]:
    """The assets from staged rows to the published week."""
    names = [contract.name for contract in datasets]

    @asset(
        name=STAGED, deps=names, group_name="core", kinds={"duckdb"}, partitions_def=partitions,
        description="Every dataset as of the week's cut-off: the deliveries in force, typed, with the row ledger.",
    )  # fmt: skip
    def staged_week(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> MaterializeResult:
        run = WeekRun(context, programme, options)
        run.refresh.ingest_all()
        if run.plan().unchanged:
            return MaterializeResult(metadata={"result": MetadataValue.text("unchanged: the standing result is kept")})
        with connect(run.staged(), read_only=True) as con:
            totals = con.sql("SELECT sum(rows_read), sum(accepted), sum(quarantined) FROM meta.ledger").fetchall()[0]
        counts = zip(("rows_read", "rows_accepted", "rows_quarantined"), totals, strict=True)
        return MaterializeResult(metadata={name: MetadataValue.int(int(count or 0)) for name, count in counts})

    @asset(
        name=EXPECTATIONS, deps=[STAGED], group_name="core", kinds={"duckdb", "greatexpectations"},
        partitions_def=partitions,
        description="Keys, references, counts and freshness of every dataset, computed in DuckDB before publication.",
    )  # fmt: skip
    def expectation_results(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> MaterializeResult:
        run = WeekRun(context, programme, options)
        plan = run.plan()
        if plan.unchanged:
            return MaterializeResult(metadata={"result": MetadataValue.text("unchanged: the standing result is kept")})
        results = run.refresh.expect(plan, run.staged())
        failed = [(item.dataset, item.severity, item.message) for item in results if not item.success]
        return MaterializeResult(
            metadata={
                "expectations": MetadataValue.int(len(results)),
                "failed": MetadataValue.int(len(failed)),
                "failures": MetadataValue.md(markdown_table(("dataset", "severity", "what is wrong"), failed)),
            }
        )

    @multi_asset(
        name="readiness", partitions_def=partitions,
        specs=[
            AssetSpec(name, deps=[EXPECTATIONS], group_name="readiness", kinds={"duckdb"}, description=text)
            for name, (_, text) in JUDGED.items()
        ],
    )  # fmt: skip
    def readiness(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> Iterator[MaterializeResult]:
        run = WeekRun(context, programme, options)
        database = run.refresh.restore() if run.plan().unchanged else run.judged()
        with connect(database, read_only=True) as con:
            for name, (table, _) in JUDGED.items():
                yield MaterializeResult(asset_key=name, metadata=table_metadata(con, f"mart.{table}"))

    @asset(
        name=PUBLISHED, deps=list(JUDGED), group_name="readiness", kinds={"duckdb"}, partitions_def=partitions,
        description="The committed week, shown by warehouse.duckdb.",
    )  # fmt: skip
    def published_week(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> MaterializeResult:
        run = WeekRun(context, programme, options)
        plan = run.plan()
        if plan.unchanged and plan.standing is not None:
            manifest, database = plan.standing, run.refresh.restore()
        else:
            manifest = run.refresh.commit(plan, run.judged())
            database = run.refresh.publish(manifest, run.candidate)
        return MaterializeResult(
            metadata={
                "result": MetadataValue.text(f"{manifest.name} ({manifest.state})"),
                "fingerprint": MetadataValue.text(manifest.fingerprint),
                "database": MetadataValue.path(str(database)),
                "late_files": MetadataValue.int(len(plan.late)),
            }
        )

    return [staged_week, expectation_results, readiness, published_week]
