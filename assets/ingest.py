"""Ingest: the inbox and one asset per dataset in use."""

from collections.abc import Iterator

from dagster import (
    AssetExecutionContext,
    AssetsDefinition,
    AssetSpec,
    MaterializeResult,
    PartitionsDefinition,
    multi_asset,
)

from assets.context import ProgrammeResource, RefreshOptions, WeekRun
from assets.metadata import inbox_metadata, ingest_metadata
from expectations.contract import Contract

INBOX = "inbox_files"


def ingest_assets(
    partitions: PartitionsDefinition, datasets: list[Contract], *, spread: bool = False
) -> list[AssetsDefinition]:
    """The inbox and every dataset in use.

    Args:
        partitions: the reporting weeks.
        datasets: contracts of the datasets in use.
        spread: one step for the inbox and one for the sources of each dataset, so that several machines can read at
            once and each dataset has one writer; otherwise one step for all, which one process does with less ado.
    """
    specs = [
        AssetSpec(
            INBOX,
            group_name="ingest",
            kinds={"file"},
            description="Files received, kept unchanged under their SHA-256, with the time of each arrival.",
        ),
        *(
            AssetSpec(
                contract.name,
                deps=[INBOX],
                group_name="ingest",
                kinds={"parquet"},
                description=f"{contract.title}: {contract.description}",
            )
            for contract in datasets
        ),
    ]

    if spread:
        return [_inbox(partitions, specs[0])] + [
            _dataset(partitions, spec, contract) for spec, contract in zip(specs[1:], datasets, strict=True)
        ]

    @multi_asset(specs=specs, partitions_def=partitions, name="read_inbox", can_subset=True)
    def read_inbox(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> Iterator[MaterializeResult]:
        run = WeekRun(context, programme, options)
        scan = run.refresh.land()
        selected = {key.to_user_string() for key in context.selected_asset_keys}
        if INBOX in selected:
            yield MaterializeResult(asset_key=INBOX, metadata=inbox_metadata(scan, run))
        for contract in datasets:
            if contract.name in selected:
                summary = run.refresh.ingest(contract.name)
                yield MaterializeResult(asset_key=contract.name, metadata=ingest_metadata(summary, contract, run))

    return [read_inbox]


def _inbox(partitions: PartitionsDefinition, spec: AssetSpec) -> AssetsDefinition:
    @multi_asset(specs=[spec], partitions_def=partitions, name="take_inbox")
    def take_inbox(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> MaterializeResult:
        run = WeekRun(context, programme, options)
        return MaterializeResult(asset_key=INBOX, metadata=inbox_metadata(run.refresh.land(), run))

    return take_inbox


def _dataset(partitions: PartitionsDefinition, spec: AssetSpec, contract: Contract) -> AssetsDefinition:
    @multi_asset(specs=[spec], partitions_def=partitions, name=f"read_{contract.name}")
    def read_dataset(
        context: AssetExecutionContext, programme: ProgrammeResource, options: RefreshOptions
    ) -> MaterializeResult:
        run = WeekRun(context, programme, options)
        summary = run.refresh.ingest(contract.name)
        return MaterializeResult(asset_key=contract.name, metadata=ingest_metadata(summary, contract, run))

    return read_dataset
