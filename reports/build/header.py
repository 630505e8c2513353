"""Header of every page and the issue gate: FINAL, DRAFT or NOT RATED, by rule, with the reasons in words."""

from collections import defaultdict
from decimal import Decimal

from reports.build.standing import ALONE, Issued, Standing
from reports.build.warehouse import Record, Warehouse
from reports.models.common import GateCheck, Header, Released, SourceAge
from reports.text import clean
from reports.wording import days, instant, kind_name, kind_rank, listed, percent, plural, quantity, unit_name
from turnup.warehouse.release import Release

_COVERED = Decimal("0.5")
"""Least share of a kind's contracted capacity that must be rated on evidence, below it the issue is a DRAFT."""


def build_header(warehouse: Warehouse, *, reconciled: tuple[str, ...], standing: Standing = ALONE) -> Header:
    """Build the header. `reconciled` holds sentences on figures that do not add up; any makes a DRAFT."""
    week = next(iter(warehouse.rows("meta.week")), Record({}))
    sources = tuple(_source(row) for row in warehouse.rows("meta.sources"))
    checks = gate_checks(warehouse, sources, reconciled)
    state, reasons = issue_state(warehouse, week, checks)
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
        checks=tuple(
            GateCheck(name, not found, "; ".join(found) or holds, link) for name, found, holds, link in checks
        ),
        released=_released(standing.released, week.text("fingerprint")),
        last_issue=_issue_name(standing.last),
    )


Checks = list[tuple[str, list[str], str, str]]
"""Per test of the gate: its name, what speaks against it, what is said where nothing does, where its rows are."""


def gate_checks(warehouse: Warehouse, sources: tuple[SourceAge, ...], reconciled: tuple[str, ...]) -> Checks:
    """The four tests of the issue gate: freshness, coverage, reconciliation, expectations."""
    required = sum(source.required for source in sources)
    held = sum(row.flag("computed") and row.flag("success") for row in warehouse.rows("meta.expectations"))
    return [
        ("Freshness", _source_reasons(sources), f"{plural(required, 'required source')}, all fresh", "S0-sources"),
        ("Coverage", _coverage_reasons(warehouse), _covered_words(warehouse), "S2-classes"),
        (
            "Reconciliation",
            [*reconciled, *_ledger_reasons(warehouse)],
            f"{plural(len(warehouse.rows('meta.ledger')), 'file')} and every change add up",
            "S1-bridge",
        ),
        (
            "Expectations",
            _expectation_reasons(warehouse),
            f"{held} hold, none of them failed as an error",
            "S0-expectations",
        ),
    ]


def issue_state(warehouse: Warehouse, week: Record, checks: Checks) -> tuple[str, tuple[str, ...]]:
    """Return the issue state and its reasons. Nothing to rate beats every other reason."""
    unrated = _unrated(warehouse)
    if unrated:
        return "NOT RATED", unrated
    reasons = [reason for _, found, _, _ in checks for reason in found]
    if week.text("state") == "open":
        reasons.append("the week is still open: figures stand at the last refresh, not at the cut-off")
    return ("DRAFT" if reasons else "FINAL"), tuple(reasons)


def _unrated(warehouse: Warehouse) -> tuple[str, ...]:
    if not warehouse.rows("meta.week"):
        return ("the warehouse holds no week",)
    if not any(row.amount("contracted") for row in warehouse.rows("mart.classes")):
        return ("no commitment is in force, so there is nothing to rate against",)
    systems = [row for row in warehouse.rows("mart.systems") if row.amount("contracted")]
    if systems and all(row.text("status") in ("", "grey") for row in systems):
        return (f"{plural(len(systems), 'contracted system')}, none of them rated: evidence is missing or too old",)
    return ()


def _rated(warehouse: Warehouse) -> dict[tuple[str, str], tuple[Decimal, Decimal]]:
    """Per kind and unit: contracted capacity of rated systems, and of all."""
    sums: dict[tuple[str, str], tuple[Decimal, Decimal]] = defaultdict(lambda: (Decimal(0), Decimal(0)))
    for row in warehouse.rows("mart.systems"):
        key, amount = (row.text("kind"), row.text("unit")), row.amount("contracted")
        rated, whole = sums[key]
        sums[key] = (rated + (amount if row.text("status") not in ("", "grey") else 0), whole + amount)
    return {key: sums[key] for key in sorted(sums, key=lambda key: kind_rank(key[0])) if sums[key][1]}


def _coverage_reasons(warehouse: Warehouse) -> list[str]:
    return [
        f"{kind_name(kind)}: {quantity(rated)} of {quantity(whole)} {unit_name(unit)} rated on evidence "
        f"({percent(rated, whole)}; at least {percent(_COVERED, Decimal(1))} needed)"
        for (kind, unit), (rated, whole) in _rated(warehouse).items()
        if rated < _COVERED * whole
    ]


def _covered_words(warehouse: Warehouse) -> str:
    found = [f"{kind_name(kind)} {percent(rated, whole)}" for (kind, _), (rated, whole) in _rated(warehouse).items()]
    return f"rated on evidence, of contracted capacity: {listed(found)}" if found else "no contracted system"


def _ledger_reasons(warehouse: Warehouse) -> list[str]:
    unbalanced = sum(not row.flag("balanced") for row in warehouse.rows("meta.ledger") if row.has("balanced"))
    if not unbalanced:
        return []
    return [f"{plural(unbalanced, 'file')} where rows read differ from rows accepted and quarantined"]


def _released(release: Release | None, fingerprint: str) -> Released | None:
    """The release as the report shows it; one of another result does not count."""
    if release is None or clean(release.fingerprint) != fingerprint:
        return None
    return Released(
        clean(release.by), clean(release.at), clean(release.reason), release.number, clean(release.fingerprint)
    )


def _issue_name(issued: Issued | None) -> str:
    return "" if issued is None else f"{clean(issued['header']['week'])} issue {int(issued['header']['restatement'])}"


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
