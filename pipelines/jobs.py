"""The jobs, whose defaults are right as they stand: choose a week as the partition and launch."""

from collections.abc import Sequence

from dagster import AssetSelection, ExecutorDefinition, PartitionsDefinition, define_asset_job
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition as AssetJob

from assets.delivery import DELIVERED
from assets.ingest import INBOX
from assets.publication import INDEX, REPORTS

WEEKLY = "weekly_governance"
REFRESH = "refresh"
INGEST = "ingest"
RERENDER = "rerender"
RESTATE = "restate"
DELIVER = "deliver"
WHAT = {
    WEEKLY: "The week just closed: ingest, checks, readiness, reports, delivery. Runs by itself at the cut-off.",
    REFRESH: "An ad hoc refresh of one week. Choose the week as the partition; say why in the run config.",
    INGEST: "Reads what is new in the inbox and shows what was refused; no week is made.",
    RERENDER: "Writes a week's report files again with this version of turnup; its figures stay.",
    RESTATE: "Re-opens a closed week with the files that came late: a numbered restatement with its difference.",
    DELIVER: "Sends what is due and has not gone out; nobody gets a report twice.",
}
"""Job to what it does."""

_AGAIN = {"dagster/retry_strategy": "ALL_STEPS"}
# A run that died is run again from its start: what its steps hand on lay in its process.


def asset_jobs(
    partitions: PartitionsDefinition, datasets: Sequence[str], readers: ExecutorDefinition | None = None
) -> list[AssetJob]:
    """Every job over assets.

    Args:
        partitions: the reporting weeks.
        datasets: names of the datasets in use.
        readers: where the steps of the job ``ingest`` run; default: as those of every job, in the run's process.
    """
    everything = AssetSelection.all()

    def job(name: str, selection: AssetSelection | list[str], **options: bool) -> AssetJob:
        config = {"resources": {"options": {"config": {"reason": "", **options}}}} if options else None
        return define_asset_job(
            name, selection=selection, partitions_def=partitions, description=WHAT[name], config=config,
            tags=_AGAIN,
        )  # fmt: skip

    # The checks of a dataset look at a week that is made, which this job makes none of.
    reading = AssetSelection.assets(INBOX, *datasets).without_checks()
    return [
        job(WEEKLY, everything),
        job(REFRESH, everything),
        define_asset_job(
            INGEST,
            selection=reading,
            partitions_def=partitions,
            description=WHAT[INGEST],
            tags=_AGAIN,
            executor_def=readers,
        ),
        job(RERENDER, [*REPORTS, INDEX], rewrite=True),
        job(RESTATE, everything, restate=True),
        job(DELIVER, [DELIVERED]),
    ]
