"""``turnup refresh``: one week, through the same job as in the Dagster UI."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pipelines.commands.output import Output, fail_with
from pipelines.commands.published import published_week
from pipelines.standing import standing_outcome
from turnup.programme import Home
from turnup.returns.counts import FileCounts, file_counts
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import ManifestStore
from turnup.week import Calendar
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pipelines.outcome import RunOutcome
    from turnup.week import Week


def refresh_week(folder: Path, label: str, reason: str, now: str, output: Output, *, restate: bool) -> None:
    """Refresh the chosen week, or the present one; prints the reports' paths."""
    home = Home(folder)
    calendar = Calendar(home.load())
    moment = parse_instant(now)
    weeks = [calendar.reportable(label, moment)] if label else weeks_due(home, calendar, moment)

    from turnup.refresh import Blocked

    try:
        outcomes = run_with_progress(home, weeks, output, reason=reason, restate=restate, now=now)
    except Blocked as blocked:
        if output.as_json:
            output.document({"blocked": blocked.findings})
            raise SystemExit(1) from blocked
        fail_with("blocked", f"Blocked, nothing was published:\n{blocked}", 1, as_json=False)
    counts = [counts_of(home, outcome) for outcome in outcomes]
    documents = [describe(home, outcome) | asdict(found) for outcome, found in zip(outcomes, counts, strict=True)]
    output.document({"weeks": documents})
    print_reports(home, outcomes, output)


def weeks_due(home: Home, calendar: Calendar, moment: datetime) -> list[Week]:
    """The weeks that an ad hoc refresh makes: earlier ones that were left open, then the present one."""
    present = calendar.reportable(calendar.containing(moment).label, moment)
    earlier = ManifestStore(home.store).latest_before(present.label)
    return [*(calendar.week(item.week) for item in earlier if item.state == "open"), present]


def parse_instant(now: str) -> datetime:
    """The given instant, or the present one.

    Raises:
        ConfigurationError: the text is not an ISO 8601 instant with a zone.
    """
    if not now:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(now)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ConfigurationError(f"--now '{now}': expected an instant with zone such as 2026-10-30T23:05:00+00:00")
    return moment


def run_with_progress(
    home: Home, weeks: list[Week], output: Output, *, reason: str, restate: bool, now: str
) -> list[RunOutcome]:
    """Run the weeks in turn and show how far it is."""
    outcomes = _outcomes(home, weeks, reason=reason, restate=restate, now=now)
    return list(outcomes if output.as_json or len(weeks) == 1 else _shown(outcomes, len(weeks)))


def _outcomes(home: Home, weeks: list[Week], *, reason: str, restate: bool, now: str) -> Iterator[RunOutcome]:
    """Weeks that stand as they are, then runs from the first one on that does not."""
    waiting = list(weeks)
    while waiting and not restate and (found := standing_outcome(home, waiting[0], parse_instant(now))) is not None:
        waiting.pop(0)
        yield found
    if waiting:
        from pipelines.runner import run_weeks

        yield from run_weeks(home, waiting, reason=reason, restate=restate, now=now)


def _shown(outcomes: Iterable[RunOutcome], total: int) -> Iterable[RunOutcome]:
    from rich.progress import track

    yield from track(outcomes, description="weeks", total=total)


def describe(home: Home, outcome: RunOutcome) -> dict[str, Any]:
    """A finished run for machines."""
    manifest = outcome.manifest
    folder = home.out / manifest.week
    return {
        "week": manifest.week,
        "result": manifest.name,
        "state": manifest.state,
        "changed": outcome.changed,
        "fingerprint": manifest.fingerprint,
        "run_id": outcome.run_id,
        "late_files": outcome.late,
        "not_taken": [{"file": item.path, "reason": item.reason} for item in outcome.not_taken],
        "governance_report": folder / "governance.html",
        "executive_report": folder / "executive.html",
    }


def counts_of(home: Home, outcome: RunOutcome) -> FileCounts:
    """How the files of a run's week fared."""
    with connect(published_week(home, outcome.manifest.week), read_only=True) as con:
        return file_counts(con)


def print_reports(home: Home, outcomes: list[RunOutcome], output: Output) -> None:
    """Say what was made and where to read it."""
    status = f"turnup status --home {shlex.quote(str(home.root))}"
    for outcome in outcomes[-1:]:
        manifest = outcome.manifest
        made = "made" if outcome.changed else "unchanged"
        output.line(f"{manifest.name} ({manifest.state}): {made}")
        if outcome.late:
            output.line(f"  {outcome.late} files came after this week closed; --restate takes them")
        for item in outcome.not_taken:
            output.line(f"  not taken          {item.path}: {item.reason}")
        found = counts_of(home, outcome)
        if not found.received:
            output.line(f"  nothing received   no file of any source has come; they belong into {home.inbox}")
        if found.troubled:
            refused = f"rows refused: {found.rows_refused}, files not read: {found.files_not_read}"
            taken = f", rows taken that do not fit: {found.rows_to_look_at}" if found.rows_to_look_at else ""
            output.line(f"  look at            {refused}{taken}; {status} says why")
        workbooks = sorted((home.out / manifest.week / "send-back").glob("*.xlsx"))
        if workbooks:
            output.line(
                f"  to send back       {len(workbooks)} in {workbooks[0].parent}; turnup chase writes the messages"
            )
        output.line(f"  governance report  {home.out / manifest.week / 'governance.html'}")
        output.line(f"  executive report   {home.out / manifest.week / 'executive.html'}")
        output.line(f"  all weeks          {home.out / 'index.html'}")
        output.line(f"  warehouse          {home.warehouse}")
