"""A refresh: inbox to committed and published week, in steps that can each be killed and run again.

Belongs here: the order of the steps and what each hands to the next. Does not: reports (they read the published
file), nor any step's own work.
"""

from __future__ import annotations

import contextlib
import copy
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import duckdb

from expectations.contract import load_contracts
from turnup.inbox import Skipped
from turnup.ingest import Claim, IngestSummary, claims, ingest_datasets
from turnup.kept_configuration import keep_configuration, kept_playbooks, kept_programme
from turnup.landing import Landing, Scan
from turnup.plan import WeekPlan, plan_as_committed, plan_week
from turnup.readiness.playbook import load_playbooks
from turnup.warehouse.base import begin_as_published, discard
from turnup.warehouse.connection import connect
from turnup.warehouse.expectation_results import blocking, load_results, save_results, store_results
from turnup.warehouse.expectations_again import check_again
from turnup.warehouse.manifest import Manifest, ManifestStore
from turnup.warehouse.models import ModelError
from turnup.warehouse.publish import point_warehouse, publish, published_file, write_results
from turnup.warehouse.stage import stage
from turnup.warehouse.store import open_store
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from expectations.contract import Contract
    from expectations.run import ExpectationResult
    from turnup.programme import Home, Programme


_ATTEMPTS = 5
_ABANDONED = timedelta(days=1)


class Overtaken(Exception):
    """Another refresh committed this week meanwhile from other inputs; planning it again helps."""


class Blocked(Exception):
    """A week that may not be published; ``findings`` say why, in words."""

    def __init__(self, findings: list[str]) -> None:
        """Keep the findings and join them into the message."""
        super().__init__("\n".join(findings))
        self.findings = findings


@dataclass(frozen=True)
class RefreshResult:
    """What a refresh did.

    Attributes:
        manifest: the week's result as it stands now.
        changed: False when the standing result was already the right one.
        database: the published file of the manifest.
        scan: what the inbox held that was new.
        ingested: per dataset what was read.
        late: number of deliveries that belong to this closed week but came after it closed; they need a restatement.
    """

    manifest: Manifest
    changed: bool
    database: Path
    scan: Scan
    ingested: tuple[IngestSummary, ...]
    late: int


class Refresh:
    """The steps of one refresh of one week."""

    def __init__(self, home: Home, week: str, now: datetime, *, reason: str = "", restate: bool = False) -> None:
        """Load the configuration.

        Args:
            home: the programme's folders.
            week: label such as 2026-W44.
            now: present instant (aware).
            reason: why a person asked.
            restate: re-open the week when it is closed.

        Raises:
            ConfigurationError: ``programme.yaml`` or a playbook cannot be used.
        """
        self.home = home
        self.week = week
        self.now = now
        self.reason = reason
        self.restate = restate
        self.programme: Programme = home.load()
        self.contracts: dict[str, Contract] = load_contracts()
        self.playbooks = load_playbooks(home.playbooks)
        if not self.playbooks:
            raise ConfigurationError(f"{home.playbooks}: no playbook (*.yaml) here; turnup init lays the shipped ones")
        self.landing = Landing(home, self.programme.time_zone)
        self._claimed: list[Claim] | None = None
        self._plan: WeekPlan | None = None
        self._copied = False
        self.not_taken: tuple[Skipped, ...] = ()

    def land(self) -> Scan:
        """Take new arrivals of the inbox, and clear away what killed refreshes left long ago."""
        self._sweep()
        self._claimed = self._plan = None
        scan = self.landing.scan(self.now)
        self.not_taken = scan.skipped
        return scan

    def _sweep(self) -> None:
        oldest = (self.now - _ABANDONED).timestamp()
        for file in (self.home.store / "build").glob("*"):
            with contextlib.suppress(FileNotFoundError):  # its owner ended just now
                if file.stat().st_mtime < oldest:
                    discard(file)

    def ingest(self, dataset: str) -> IngestSummary:
        """Read the files of one dataset that were not read before."""
        return self._ingest({dataset: self.contracts[dataset]})[0]

    def ingest_all(self) -> tuple[IngestSummary, ...]:
        """Read every file that was not read before."""
        return self._ingest(self.contracts)

    def _ingest(self, contracts: dict[str, Contract]) -> tuple[IngestSummary, ...]:
        self._plan = None
        if self._claimed is None:
            self._claimed = claims(self.programme, self.landing.deliveries(), self.contracts, self.landing)
        return ingest_datasets(open_store(self.home, self.programme), self.landing, contracts, self._claimed)

    def plan(self) -> WeekPlan:
        """Decide what the week is made from; decided once, so that every step makes the same week."""
        if self._plan is None:
            self._plan = plan_week(
                self.home, self.programme, self.contracts, self.landing, self.week, self.now,
                restate=self.restate, reason=self.reason,
            )  # fmt: skip
        return self._plan

    def candidate(self, token: str | None = None) -> Path:
        """A name for a candidate database that no other refresh uses; the same token gives the same name."""
        folder = self.home.store / "build"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.week}.{token or secrets.token_hex(6)}.duckdb"

    def stage(self, plan: WeekPlan, candidate: Path, *, anew: bool = False) -> None:
        """Lay the state as of the cut-off into the candidate, which begins as a published file unless made anew."""
        self._copied = not anew and begin_as_published(self.home, self.week, candidate)
        try:
            self._stage(plan, candidate)
        except (duckdb.Error, ModelError):
            if not self._copied:
                raise
            candidate.unlink()
            self.stage(plan, candidate, anew=True)

    def _stage(self, plan: WeekPlan, candidate: Path) -> None:
        with connect(candidate) as con:
            stage(con, self.home, self.programme, plan, self.contracts)

    def expect(self, plan: WeekPlan, candidate: Path) -> list[ExpectationResult]:
        """Check the candidate's datasets; results of the same fingerprint are taken as they were."""
        kept = self.home.store / "checks" / f"{plan.fingerprint}.json"
        results = load_results(kept)
        if results is None:
            datasets = sorted({source.dataset for source in self.programme.sources.values()})
            as_of = plan.as_of(self.programme.time_zone)
            results = check_again(candidate, self.contracts, datasets, as_of)
            save_results(kept, results)
        with connect(candidate) as con:
            store_results(con, results)
        return results

    def judge(self, plan: WeekPlan, candidate: Path) -> None:
        """Compute funnel, gates, blockers and forecast in the candidate.

        Where that fails on what stood in a published file, which may be damaged, all is made anew.
        """
        try:
            self._judge(plan, candidate)
        except (duckdb.Error, ModelError):
            if not self._copied:
                raise
            candidate.unlink()
            self.stage(plan, candidate, anew=True)
            self.expect(plan, candidate)
            self._judge(plan, candidate)

    def _judge(self, plan: WeekPlan, candidate: Path) -> None:
        from turnup.readiness.build import build  # what judges loads slowly, and a week that stands needs none of it

        with connect(candidate) as con:
            build(con, self.programme, self.playbooks, plan.as_of(self.programme.time_zone))

    def commit(self, plan: WeekPlan, candidate: Path) -> Manifest:
        """Make the candidate the week's result, unless findings block it.

        Raises:
            Blocked: the row ledger does not close, an expectation was not computed, or a core key failed.
            Overtaken: another refresh committed this week meanwhile with other inputs.
        """
        with connect(candidate, read_only=True) as con:
            findings = blocking(con)
        if findings:
            raise Blocked(findings)
        keep_configuration(self.home, self.programme, plan.inputs)
        manifest = Manifest(
            week=self.week, ordinal=plan.ordinal, state=plan.state, fingerprint=plan.fingerprint, inputs=plan.inputs,
            in_force=plan.in_force, previous=plan.history[-1].name if plan.history else None,
            results=write_results(self.home, plan.fingerprint, candidate), reason=plan.reason,
            history=tuple(item.name for item in plan.history), register=plan.register,
        )  # fmt: skip
        store = ManifestStore(self.home.store)
        if store.create(manifest):
            return manifest
        standing = store.latest(self.week)
        if standing is not None and standing.fingerprint == plan.fingerprint:
            return standing
        raise Overtaken(f"week {self.week} was refreshed by somebody else meanwhile; run the refresh again")

    def publish(self, manifest: Manifest, candidate: Path) -> Path:
        """Show a committed week."""
        return publish(self.home, manifest, candidate)

    def restore(self, manifest: Manifest | None = None) -> Path:
        """Return the published file of a manifest, the week's standing one by default; what is lost is made again.

        It is made from what the manifest names: the files, configuration, playbooks and earlier weeks of then.
        """
        manifest = manifest or ManifestStore(self.home.store).latest(self.week)
        if manifest is None:
            raise RuntimeError(f"week {self.week} has no result yet")
        target = published_file(self.home, manifest)
        if not target.exists():
            issued = copy.copy(self)
            issued.programme = kept_programme(self.home, manifest.inputs, self.programme)
            issued.playbooks = load_playbooks(kept_playbooks(self.home, manifest.inputs))
            plan = plan_as_committed(self.home, issued.programme, self.contracts, self.landing, manifest)
            candidate = self.candidate()
            try:
                issued.stage(plan, candidate)
                issued.expect(plan, candidate)
                issued.judge(plan, candidate)
                self.publish(manifest, candidate)
            finally:
                discard(candidate)
        if not all((self.home.store / result).exists() for result in manifest.results.values()):
            write_results(self.home, manifest.fingerprint, target)
        point_warehouse(self.home)
        return target


def refresh(home: Home, week: str, now: datetime, *, reason: str = "", restate: bool = False) -> RefreshResult:
    """Run every step for one week, without an orchestrator.

    Raises:
        ConfigurationError: the configuration cannot be used.
        Blocked: the week may not be published.
        Overtaken: other refreshes committed this week again and again meanwhile.
        StoreDamaged: a file that turnup wrote cannot be read back.
    """
    for _ in range(_ATTEMPTS):
        with contextlib.suppress(Overtaken):
            return _refresh_once(Refresh(home, week, now, reason=reason, restate=restate))
    raise Overtaken(f"week {week} is being refreshed by others without end; try again later")


def _refresh_once(run: Refresh) -> RefreshResult:
    scan = run.land()
    ingested = run.ingest_all()
    plan = run.plan()
    if plan.unchanged and plan.standing is not None:
        return RefreshResult(plan.standing, False, run.restore(), scan, ingested, len(plan.late))
    candidate = run.candidate()
    try:
        run.stage(plan, candidate)
        run.expect(plan, candidate)
        run.judge(plan, candidate)
        manifest = run.commit(plan, candidate)
        database = run.publish(manifest, candidate)
    finally:
        discard(candidate)
    return RefreshResult(manifest, True, database, scan, ingested, 0)
