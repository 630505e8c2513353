"""The Dagster job ``what_if``: odds with and without what somebody asks, kept as metadata of its run."""

from dagster import Config, JobDefinition, MetadataValue, OpExecutionContext, in_process_executor, job, op
from pydantic import Field

from assets.context import ProgrammeResource
from assets.metadata import markdown_table
from pipelines.commands.published import published_week
from turnup.readiness.forecasting.published import published_ground
from turnup.readiness.forecasting.questions import ALLOWED
from turnup.readiness.forecasting.what_if import Compared, what_if
from turnup.warehouse.connection import connect

NAME = "what_if"
_COLUMNS = ("scope", "to go", "unit", "P50", "P50 then", "P80", "P80 then", "days", "chance", "chance then")


class WhatIfQuestions(Config):
    """What to ask; nothing of the programme is changed."""

    questions: list[str] = Field(description=f"Asked together; allowed are such as: {'; '.join(ALLOWED)}")
    reason: str = Field(default="", description="Why it is asked; kept with the run.")
    week: str = Field(default="", description="ISO week, such as 2026-W44; empty: the newest one made.")


def what_if_job() -> JobDefinition:
    """The job: one step that compares and puts the comparison into its metadata."""

    @op(name="compare", description="Simulate the published week with and without the questions, on the same draws.")
    def compare(context: OpExecutionContext, config: WhatIfQuestions, programme: ProgrammeResource) -> None:
        database = published_week(programme.folders, config.week)
        with connect(database, read_only=True) as con:
            week = con.sql("SELECT week FROM meta.week").fetchall()[0][0]
            compared = what_if(published_ground(con), config.questions)
        changed = [one for one in compared if one.changed]
        context.add_output_metadata(
            {
                "week": MetadataValue.text(str(week)),
                "reason": MetadataValue.text(config.reason),
                "questions": MetadataValue.md("\n".join(f"- `{text}`" for text in config.questions)),
                "targets_changed": MetadataValue.int(len(changed)),
                "comparison": MetadataValue.md(markdown_table(_COLUMNS, [_row(one) for one in changed])),
            }
        )

    @job(
        name=NAME, executor_def=in_process_executor,
        description="What if: list questions and a reason in the run config; the comparison is in the step's metadata.",
    )  # fmt: skip
    def asked() -> None:
        compare()

    return asked


def _row(one: Compared) -> tuple[object, ...]:
    target, before, after = one.target, one.before, one.after
    scope = f"all {target.scope}" if target.scope_type == "kind" else target.scope
    return (
        scope, target.remaining, target.unit, before.p50, after.p50, before.p80, after.p80, one.days["p80"],
        before.contract, after.contract,
    )  # fmt: skip
