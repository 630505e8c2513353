"""Delivery: what is due goes out to its recipients, after the week's files were written.

What does not go out fails no run: the week is made. A sensor tries again, and the operator is told.
"""

import os
from collections.abc import Mapping

from dagster import (
    AssetCheckResult,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetExecutionContext,
    AssetsDefinition,
    MaterializeResult,
    MetadataValue,
    PartitionsDefinition,
    asset,
)

from assets.context import ProgrammeResource, RefreshOptions, WeekRun
from assets.metadata import markdown_table
from reports.delivery.dispatch import Round
from reports.delivery.ready import deliver, sender_of

DELIVERED = "delivered_reports"
WENT_OUT = "everything_due_went_out"
_COLUMNS = ("result", "report", "to", "state", "note")


def delivery_asset(partitions: PartitionsDefinition, reports: list[str]) -> AssetsDefinition:
    """The asset that sends: once per recipient and result, however often it is materialized."""

    @asset(
        name=DELIVERED, deps=reports, group_name="reports", kinds={"email"}, partitions_def=partitions,
        check_specs=[AssetCheckSpec(WENT_OUT, asset=DELIVERED, description="Every message that is due went out.")],
        description="Each report to each of its recipients, at most once per result; what went to whom.",
    )  # fmt: skip
    def delivered_reports(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> MaterializeResult:
        run = WeekRun(context, programme, options)
        home, settings = run.refresh.home, run.refresh.programme
        done = deliver(home, settings, sender_of(home, settings, _secrets(), programme.instant))
        troubles = "; ".join(f"{one.message.report} to {one.message.to}: {one.note}" for one in done.troubles)
        check = AssetCheckResult(
            check_name=WENT_OUT, passed=not done.troubles, severity=AssetCheckSeverity.WARN,
            description=troubles or "every message that is due went out",
        )  # fmt: skip
        return MaterializeResult(metadata=_metadata(done), check_results=[check])

    return delivered_reports


def _secrets() -> Mapping[str, str]:
    return os.environ  # noqa: TID251 - secrets stand nowhere else


def _metadata(done: Round) -> dict[str, MetadataValue]:
    rows = [
        (entry.message.version, entry.message.report, entry.message.to, entry.state, entry.note)
        for entry in (*done.entries, *done.notices)
    ]
    return {
        "sent_now": MetadataValue.int(done.sent),
        "not_sent": MetadataValue.int(len(done.troubles)),
        "messages": MetadataValue.md(markdown_table(_COLUMNS, rows)),
    }
