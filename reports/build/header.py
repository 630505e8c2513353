"""Header of every page and the issue gate: FINAL, DRAFT or NOT RATED, by rule, with the reasons in words."""

from reports.build.warehouse import Record, Warehouse
from reports.models.common import Header, SourceAge
from reports.wording import days, instant, listed, plural, quantity


def build_header(warehouse: Warehouse, *, reconciled: tuple[str, ...]) -> Header:
    """Build the header. `reconciled` holds sentences on figures that do not add up; any makes a DRAFT."""
    week = next(iter(warehouse.rows("meta.week")), Record({}))
    sources = tuple(_source(row) for row in warehouse.rows("meta.sources"))
    state, reasons = issue_state(warehouse, week, sources, reconciled)
    stale = tuple(_stale_words(source) for source in sources if source.state != "fresh" and source.required)
    fresh = sum(source.state == "fresh" for source in sources)
    return Header(
        programme=week.text("programme"),
        week=week.text("week"),
        previous_week=week.text("previous_week"),
        week_state=week.text("state"),
        restatement=week.count("ordinal"),
        cut_off=week.instant("cut_off"),
        cut_off_local=instant(week.instant("cut_off"), week.text("time_zone")),
        as_of=week.day("as_of"),
        time_zone=week.text("time_zone"),
        fingerprint=week.text("fingerprint"),
        config_hash=week.text("config_hash"),
        code_version=week.text("code_version"),
        issue_state=state,
        issue_reasons=reasons,
        freshness=f"{fresh} of {plural(len(sources), 'source')} fresh",
        stale=stale,
        quarantined=sum(source.quarantined for source in sources),
        rows_read=sum(source.rows_read for source in sources),
        accepted=sum(source.accepted for source in sources),
        sources=sources,
    )


def issue_state(
    warehouse: Warehouse, week: Record, sources: tuple[SourceAge, ...], reconciled: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    """Return the issue state and its reasons. Nothing to rate beats every other reason."""
    unrated = _unrated(warehouse)
    if unrated:
        return "NOT RATED", unrated
    reasons = [*_source_reasons(sources), *_expectation_reasons(warehouse), *reconciled]
    if week.text("state") == "open":
        reasons.append("the week is still open: figures stand at the last refresh, not at the cut-off")
    unbalanced = sum(not row.flag("balanced") for row in warehouse.rows("meta.ledger") if row.has("balanced"))
    if unbalanced:
        reasons.append(f"{plural(unbalanced, 'file')} where rows read differ from rows accepted and quarantined")
    return ("DRAFT" if reasons else "FINAL"), tuple(reasons)


def _unrated(warehouse: Warehouse) -> tuple[str, ...]:
    if not warehouse.rows("meta.week"):
        return ("the warehouse holds no week",)
    if not any(row.amount("contracted") for row in warehouse.rows("mart.classes")):
        return ("no commitment is in force, so there is nothing to rate against",)
    return ()


def _source_reasons(sources: tuple[SourceAge, ...]) -> list[str]:
    return [_stale_words(source) for source in sources if source.required and source.state != "fresh"]


def _expectation_reasons(warehouse: Warehouse) -> list[str]:
    rows = warehouse.rows("meta.expectations")
    failed = [r for r in rows if r.flag("computed") and not r.flag("success") and r.text("severity") == "error"]
    silent = [r for r in rows if not r.flag("computed")]
    reasons = []
    if failed:
        names = sorted({r.text("dataset") for r in failed})
        reasons.append(f"{plural(len(failed), 'expectation')} failed in {listed(names)}")
    if silent:
        reasons.append(f"{plural(len(silent), 'expectation')} could not be computed")
    return reasons


def _stale_words(source: SourceAge) -> str:
    if source.state == "missing":
        return f"{source.source} not delivered"
    if source.state == "rejected":
        return f"{source.source}: newest file rejected"
    held = f": figures held at {source.exported_at:%Y-%m-%d}" if source.exported_at else ""
    return f"{source.source} {days(source.age_days)} old (limit {quantity(source.max_age_days)} d){held}"


def _source(row: Record) -> SourceAge:
    return SourceAge(
        source=row.text("source"),
        dataset=row.text("dataset"),
        owner=row.text("owner"),
        required=row.flag("required"),
        file=row.text("file"),
        exported_at=row.instant("exported_at"),
        exported_basis=row.text("exported_basis"),
        age_days=row.number("age_days"),
        max_age_days=row.number("max_age_days"),
        rows_read=row.count("rows_read"),
        accepted=row.count("accepted"),
        quarantined=row.count("quarantined"),
        state=row.text("state") or "missing",
    )
