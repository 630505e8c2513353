"""Commands about reports: writing them, releasing them, and who gets them."""

from __future__ import annotations

from typing import Annotated

import typer

from pipelines.commands.output import Output
from pipelines.options import HERE, HomeOption, JsonOption, WeekOption

app = typer.Typer()
report_app = typer.Typer(help="The files of a week's reports.", rich_markup_mode=None)
app.add_typer(report_app, name="report")
delivery_app = typer.Typer(help="Who gets the reports.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(delivery_app, name="delivery")

NowOption = Annotated[str, typer.Option(help="Send as at this instant (ISO 8601 with zone).")]


@report_app.callback(invoke_without_command=True)
def report(
    context: typer.Context,
    home: HomeOption = HERE,
    week: WeekOption = "",
    formats: Annotated[
        str, typer.Option("--format", help="Formats with commas between: html, json, pdf, xlsx, pptx, eml.")
    ] = "html,json,pdf,xlsx,pptx,eml",
    json: JsonOption = False,
) -> None:
    """Write both reports of a week in the formats asked for; a refresh writes all of them."""
    if context.invoked_subcommand is None:
        from pipelines.commands.report import write_report

        write_report(home, week, formats, Output(json))


@report_app.command("release")
def report_release(
    by: Annotated[str, typer.Option(help="Name of the person who releases.")],
    reason: Annotated[str, typer.Option(help="Why it may be read although it is no FINAL.")],
    week: WeekOption = "",
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Let leadership read a week that is no FINAL: on record with name, day and reason, for this result only."""
    from pipelines.commands.release import release_week

    release_week(home, week, by, reason, Output(json))


@report_app.command("vendor")
def report_vendor(
    name: Annotated[str, typer.Argument(help="Vendor, as its orders and shipments name it.")],
    week: WeekOption = "",
    home: HomeOption = HERE,
    json: JsonOption = False,
) -> None:
    """Write what one vendor may see: its own lines, without money, persons and other vendors (programme.yaml)."""
    from pipelines.commands.release import write_for_vendor

    write_for_vendor(home, week, name, Output(json))


@delivery_app.command("send")
def delivery_send(home: HomeOption = HERE, now: NowOption = "", json: JsonOption = False) -> None:
    """Send what is due and did not go out; exit code 1 when something did not."""
    from pipelines.commands.delivery import send_due

    send_due(home, now, Output(json))


@delivery_app.command("list")
def delivery_list(home: HomeOption = HERE, week: WeekOption = "", json: JsonOption = False) -> None:
    """Show what went to whom, and what did not."""
    from pipelines.commands.delivery import list_deliveries

    list_deliveries(home, week, Output(json))


@delivery_app.command("resend")
def delivery_resend(
    result: Annotated[str, typer.Argument(help="Result, such as 2026-W44.1.")],
    to: Annotated[str, typer.Argument(help="Address of the recipient, or name of the channel.")],
    by: Annotated[str, typer.Option(help="Name of the person who wants it.")],
    reason: Annotated[str, typer.Option(help="Why it may go out again.")],
    home: HomeOption = HERE,
    now: NowOption = "",
    json: JsonOption = False,
) -> None:
    """Send a message again that was refused or is uncertain; on record with name and reason."""
    from pipelines.commands.delivery import send_again

    send_again(home, result, to, by, reason, now, Output(json))


@delivery_app.command("test")
def delivery_test(home: HomeOption = HERE, now: NowOption = "", json: JsonOption = False) -> None:
    """Write to the operator that delivery works."""
    from pipelines.commands.delivery import try_out

    try_out(home, now, Output(json))
