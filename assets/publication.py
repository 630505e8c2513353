"""Reports: the weekly governance report, the executive readiness report and the index of weeks."""

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
from assets.metadata import executive_summary, report_metadata
from assets.week import PUBLISHED
from reports.index import render_index
from reports.issue import issue_week
from turnup.durable import one_at_a_time
from turnup.warehouse.connection import connect

REPORTS = {
    "governance_report": "The week at working level, with one page per system and per site.",
    "executive_report": "How much is schedulable, when the rest will be, what changed, which decisions are needed.",
}


INDEX = "report_index"


def report_assets(partitions: PartitionsDefinition) -> list[AssetsDefinition]:
    """Both reports and the sheets, with the workbooks that go back to owners, and the index."""

    @multi_asset(
        name="reports", partitions_def=partitions,
        specs=[
            AssetSpec(name, deps=[PUBLISHED], group_name="reports", kinds={"html", "pdf"}, description=text)
            for name, text in REPORTS.items()
        ],
    )  # fmt: skip
    def reports(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> Iterator[MaterializeResult]:
        run = WeekRun(context, programme, options)
        home = run.refresh.home
        with one_at_a_time(home.store / "reports.lock"):
            manifest = run.manifest()
            with connect(run.refresh.restore(manifest), read_only=True) as con:
                files = issue_week(home, manifest, con, run.refresh.programme.audiences, rewrite=options.rewrite)
                summary = executive_summary(con)
        for name, metadata in report_metadata(files, summary, home.out / manifest.week).items():
            yield MaterializeResult(asset_key=name, metadata=metadata)

    @asset(
        name=INDEX, deps=list(REPORTS), group_name="reports", kinds={"html"}, partitions_def=partitions,
        description="Every week issued so far, with what changed.",
    )  # fmt: skip
    def report_index(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> MaterializeResult:
        run = WeekRun(context, programme, options)
        with one_at_a_time(run.refresh.home.store / "reports.lock"):
            file = render_index(run.refresh.home.out)
        return MaterializeResult(metadata={"index": MetadataValue.path(str(file))})

    return [reports, report_index]
