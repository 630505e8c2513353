"""``turnup delivery``: send what is due, show what went to whom, send something again because a person says so."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pipelines.commands.refresh import parse_instant
from reports.delivery.dispatch import tell_operator
from reports.delivery.journal import Entry, Journal
from reports.delivery.ready import deliver, sender_of
from turnup.durable import one_at_a_time
from turnup.programme import Home
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from reports.delivery.sender import Sender
    from turnup.programme import Programme

_COLUMNS = ("result", "report", "to", "state", "at", "tries", "note")


def _sender(home: Home, programme: Programme, now: str) -> Sender:
    return sender_of(home, programme, os.environ, lambda: parse_instant(now))


def send_due(folder: Path, now: str, output: Output) -> None:
    """Send what is due; exit code 1 when something did not go out."""
    home = Home(folder)
    programme = home.load()
    done = deliver(home, programme, _sender(home, programme, now))
    output.document(
        {
            "sent": done.sent,
            "mail_server": programme.delivery.mail is not None,
            "messages": [_record(entry) for entry in (*done.entries, *done.notices)],
        }
    )
    if programme.delivery.mail is None and programme.recipients:
        output.line(
            f"No mail server in programme.yaml (delivery: mail): its {len(programme.recipients)} recipients get nothing"
        )
    output.line(f"{done.sent} sent, {len(done.troubles)} not; turnup delivery list shows every message")
    for entry in done.troubles:
        output.line(
            f"  {entry.message.report} {entry.message.version} to {entry.message.to}: {entry.state}, {entry.note}"
        )
    if done.troubles:
        raise SystemExit(1)


def list_deliveries(folder: Path, week: str, output: Output) -> None:
    """Show what went to whom."""
    entries = [one for one in Journal(Home(folder).store).entries() if one.message.version.startswith(week)]
    output.document({"messages": [_record(entry) for entry in entries]})
    if entries:
        output.table("messages", _COLUMNS, [tuple(_record(entry)[column] for column in _COLUMNS) for entry in entries])
    else:
        output.line("no message was sent or tried yet")


def send_again(folder: Path, result: str, to: str, by: str, reason: str, now: str, output: Output) -> None:
    """Let a message go out again that was refused, or of which nobody knows whether it arrived."""
    home = Home(folder)
    journal = Journal(home.store)
    with one_at_a_time(journal.lock):
        found = [
            one
            for one in journal.entries()
            if one.message.version == result and one.message.to.casefold() == to.casefold()
        ]
        if not found:
            raise ConfigurationError(f"no message of {result} to {to}; turnup delivery list shows those there are")
        for entry in found:
            journal.put(entry, "waiting", parse_instant(now), approved=f"{by}: {reason}")
    send_due(folder, now, output)


def try_out(folder: Path, now: str, output: Output) -> None:
    """Send the operator a message that says that delivery works; exit code 1 when it did not go out."""
    home = Home(folder)
    programme = home.load()
    settings = programme.delivery
    if not settings.operator and not settings.operator_channels:
        raise ConfigurationError("delivery: names no operator; add operator or operator_channels to programme.yaml")
    moment = parse_instant(now)
    sender = _sender(home, programme, now)
    text = f"This is a trial of {programme.name}'s delivery, {moment:%Y-%m-%d %H:%M:%S %Z}.\n"
    with one_at_a_time(sender.journal.lock):
        entries = tell_operator(sender, settings, "trial", f"turnup: trial of {programme.name}", text)
    output.document({"messages": [_record(entry) for entry in entries]})
    for entry in entries:
        output.line(f"{entry.message.to}: {entry.state}, {entry.note}")
    if any(entry.state != "sent" for entry in entries):
        raise SystemExit(1)


def _record(entry: Entry) -> dict[str, Any]:
    message = asdict(entry.message)
    return {
        "result": message["version"], "report": message["report"], "to": message["to"], "state": entry.state,
        "at": entry.at, "tries": entry.attempts, "note": entry.note, "approved": entry.approved,
    }  # fmt: skip
