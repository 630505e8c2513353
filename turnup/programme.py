"""A programme on disk: its folders and its typed configuration ``programme.yaml``.

Belongs here: every path and policy the rest needs. Does not: what the files in the inbox mean (``turnup.formats``).
"""

from __future__ import annotations

import codecs
import hashlib
import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, field_validator, model_validator

from expectations.contract import load_contracts
from turnup.acceptance.expectations import Acceptance, load_acceptance
from turnup.audiences import Audiences
from turnup.connectors.settings import Connectors
from turnup.owners import one_spelling
from turnup.readiness.escalation import Escalations
from turnup.readiness.forecasting.settings import ForecastSettings
from turnup.recipients import Recipient, ReportDelivery
from turnup.retention import Retention
from turnup.schedule.health.settings import HealthSettings
from turnup.strict import Strict
from turnup.thresholds import Thresholds
from turnup.value_keys import ValueKeys, known_zone
from turnup.warehouse.lake_settings import Lake
from turnup.yaml_source import ConfigurationError, load_model

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)


class Cutoff(Strict):
    """When a reporting week ends: local weekday and time of day."""

    weekday: Weekday = "friday"
    time: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] = "18:00"

    @field_validator("time", mode="before")
    @classmethod
    def _time_without_quotes(cls, value: object) -> object:
        # YAML reads 18:00 without quotes as a number to the base of 60.
        return f"{value // 60:02d}:{value % 60:02d}" if isinstance(value, int) else value

    @property
    def cron(self) -> str:
        """The cut-off as a cron expression in the programme's zone (0 is Sunday)."""
        hour, minute = self.time.split(":")
        return f"{int(minute)} {int(hour)} * * {(WEEKDAYS.index(self.weekday) + 1) % 7}"


class Source(ValueKeys):
    """One supplier's files and how they become rows of one dataset (DESIGN section 2)."""

    dataset: str
    files: Annotated[str, Field(pattern=r"[^/.]")]
    format: str = "auto"
    sheet: str | None = None
    header: Annotated[int, Field(ge=1)] | Literal["auto"] = "auto"
    mode: Literal["snapshot", "events"] = "snapshot"
    columns: dict[str, str] = {}
    ignore: tuple[str, ...] = ()
    values: dict[str, dict[str, str]] = {}
    defaults: dict[str, str] = {}
    encoding: str | None = None
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    owner: str = "unassigned"
    required: bool = False
    expected: Weekday | None = None
    max_age_days: Annotated[float, Field(gt=0)] | None = None
    exported_at: Literal["file_name", "received"] = "received"

    @field_validator("ignore", mode="before")
    @classmethod
    def _one_word_is_a_list(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("encoding")
    @classmethod
    def _encoding_exists(cls, value: str | None) -> str | None:
        try:
            codecs.lookup(value or "utf-8")
        except LookupError:
            raise ValueError(f"'{value}' is not an encoding such as utf-8 or cp1252") from None
        return value

    @field_validator("dataset")
    @classmethod
    def _dataset_has_a_contract(cls, value: str) -> str:
        if value not in load_contracts():
            raise ValueError(f"no dataset of this name; allowed: {', '.join(sorted(load_contracts()))}")
        return value

    @model_validator(mode="after")
    def _targets_are_columns(self) -> Source:
        known = {column.name for column in load_contracts()[self.dataset].columns}
        unknown = sorted({*self.columns.values(), *self.values, *self.defaults} - known)
        if unknown:
            raise ValueError(f"{self.dataset} has no column '{unknown[0]}'; allowed: {', '.join(sorted(known))}")
        self.check_columns(load_contracts()[self.dataset])
        return self

    @property
    def fingerprint(self) -> str:
        """Hash of what decides how a file is read; owner and freshness limits do not."""
        policy = {"owner", "required", "expected", "max_age_days", "files"}
        return _digest(self.model_dump(mode="json", exclude=policy))


class Programme(Strict):
    """The whole of ``programme.yaml``."""

    name: str
    time_zone: str
    week: Cutoff = Cutoff()
    first_week: Annotated[str, Field(pattern=r"^\d{4}-W\d{2}$")] = "2025-W01"
    sources: dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")], Source] = {}
    thresholds: Thresholds = Thresholds()
    escalations: Escalations = Escalations()
    acceptance: Acceptance = Acceptance()
    forecast: ForecastSettings = ForecastSettings()
    roles: dict[Annotated[str, Field(min_length=1)], tuple[str, ...]] = {}
    schedule_health: HealthSettings = HealthSettings()
    recipients: tuple[Recipient, ...] = ()
    delivery: ReportDelivery = ReportDelivery()
    audiences: Audiences = Audiences()
    connectors: Connectors = Connectors()
    retention: Retention = Retention()
    lake: Lake | None = None
    holidays: tuple[date, ...] = ()
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"
    fiscal_year_start: Annotated[int, Field(ge=1, le=12)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _fiscal_year_of_the_sources(cls, data: Any) -> Any:
        """A source that declares no fiscal year has the programme's: it is part of how its files are read."""
        start = data.get("fiscal_year_start") if isinstance(data, dict) else None
        sources = data.get("sources") if isinstance(data, dict) else None
        if start is None or not isinstance(sources, dict):
            return data
        given = {
            name: {"fiscal_year_start": start} | source if isinstance(source, dict) else source
            for name, source in sources.items()
        }
        return {**data, "sources": given}

    @field_validator("sources", mode="before")
    @classmethod
    def _nothing_below_is_no_source(cls, value: object) -> object:
        return {} if value is None else value

    @field_validator("sources")
    @classmethod
    def _one_spelling_of_each_owner(cls, value: dict[str, Source]) -> dict[str, Source]:
        spelt = one_spelling(source.owner for source in value.values())
        return {name: one.model_copy(update={"owner": spelt[one.owner]}) for name, one in value.items()}

    @field_validator("time_zone")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        return known_zone(value)

    @field_validator("first_week")
    @classmethod
    def _week_exists(cls, value: str) -> str:
        try:
            date.fromisocalendar(int(value[:4]), int(value[6:]), 1)
        except ValueError:
            raise ValueError(f"'{value}' is not an ISO week such as 2026-W33") from None
        return value

    @property
    def lasting(self) -> dict[str, Any]:
        """The configuration as it takes part in a week's result; who gets reports, whom we ask, what is kept do not."""
        return self.model_dump(mode="json", exclude=_NO_PART)

    @property
    def fingerprint(self) -> str:
        """Hash of the configuration as it takes part in a week's result."""
        return _digest(self.lasting)


_NO_PART = {"recipients", "delivery", "audiences", "connectors", "retention", "lake"}


@dataclass(frozen=True)
class Home:
    """The folders of one programme."""

    root: Path

    @property
    def configuration(self) -> Path:
        """``programme.yaml``."""
        return self.root / "programme.yaml"

    @property
    def inbox(self) -> Path:
        """Where people drop files."""
        return self.root / "inbox"

    @property
    def playbooks(self) -> Path:
        """The programme's own playbooks."""
        return self.root / "playbooks"

    @property
    def baselines(self) -> Path:
        """What hardware is judged by, one file per origin."""
        return self.root / "baselines"

    @property
    def store(self) -> Path:
        """Landed files, immutable parts and manifests."""
        return self.root / "store"

    @property
    def published(self) -> Path:
        """Published DuckDB files, one per committed manifest."""
        return self.root / "published"

    @property
    def warehouse(self) -> Path:
        """The symlink anyone opens."""
        return self.root / "warehouse.duckdb"

    @property
    def out(self) -> Path:
        """Reports, one folder a week."""
        return self.root / "out"

    def sent_back(self, week: str) -> Path:
        """The record of the workbooks that were written for owners in a week."""
        return self.store / "sent_back" / f"{week}.json"

    @property
    def set_aside(self) -> Path:
        """Where ``turnup doctor --mend`` moves what does not belong; nothing is deleted."""
        return self.root / "set-aside"

    @property
    def dagster(self) -> Path:
        """The Dagster instance."""
        return self.root / "dagster"

    def load(self) -> Programme:
        """Read and check ``programme.yaml`` and the files of ``baselines/``, which add to its ``acceptance``.

        Raises:
            ConfigurationError: with file, line, key, what was found and what is allowed.
        """
        if "?" in str(self.root.resolve()):
            raise ConfigurationError(f"{self.root.resolve()}: a database cannot lie in a folder with '?'; rename it")
        if not self.configuration.exists():
            where = "turnup init makes a programme, --home says where one is"
            raise ConfigurationError(f"{self.configuration}: no such file; {where}")
        programme = load_model(self.configuration, Programme, "'name' and 'time_zone'")
        acceptance = programme.acceptance
        for file in sorted(self.baselines.glob("*.yaml")):
            acceptance = acceptance.plus(load_acceptance(file))
        return programme.model_copy(update={"acceptance": acceptance})


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]
