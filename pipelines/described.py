"""What Dagster shows beside each asset of a programme: who answers for it, and when it is too old."""

import re
from datetime import timedelta

from dagster import AssetSpec, FreshnessPolicy

from turnup.programme import Programme

_OURS = "team:programme"
_LETTERS = re.compile(r"[^a-z0-9]+")
_WEEKLY = FreshnessPolicy.time_window(fail_window=timedelta(days=8), warn_window=timedelta(days=7, hours=6))


def described(programme: Programme, spec: AssetSpec) -> AssetSpec:
    """Add owners, and for datasets the age that their sources allow; everything else is made weekly."""
    sources = [source for source in programme.sources.values() if source.dataset == spec.key.to_user_string()]
    owners = sorted({_owner(programme, source.owner) for source in sources}) or [_OURS]
    ages = [source.max_age_days for source in sources if source.max_age_days is not None]
    policy = FreshnessPolicy.time_window(fail_window=timedelta(days=min(ages))) if ages else _WEEKLY
    return spec.replace_attributes(owners=owners, freshness_policy=policy)


def _owner(programme: Programme, name: str) -> str:
    """The address of a recipient of that name, else a team named after the person."""
    address = next((one.email for one in programme.recipients if one.name == name), None)
    return address or f"team:{_LETTERS.sub('_', name.casefold()).strip('_') or 'unassigned'}"
