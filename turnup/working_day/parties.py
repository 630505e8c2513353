"""Whom one calls: vendors as orders and shipments name them, sites, and owners of anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    import duckdb

_PARTIES = {
    "vendor": """SELECT vendor FROM mart.vendors UNION SELECT vendor FROM mart.vendor_scorecards
        UNION SELECT vendor FROM mart.shipments_late UNION SELECT vendor FROM mart.shipment_etas
        UNION SELECT vendor FROM mart.asn_flow UNION SELECT vendor FROM core.order_lines
        UNION SELECT vendor FROM core.goods_under_way""",
    "site": "SELECT site_id FROM mart.systems UNION SELECT site_id FROM stg.sites",
    "owner": """SELECT owner FROM meta.sources UNION SELECT owner FROM mart.blockers
        UNION SELECT owner FROM mart.systems UNION SELECT owner FROM mart.raid UNION SELECT decider FROM mart.raid""",
}
_SHOWN = 20


def known_party(con: duckdb.DuckDBPyConnection, kind: str, name: str) -> str:
    """A party as the data spells it.

    Raises:
        ConfigurationError: the week knows no such party.
    """
    found = con.sql(_PARTIES[kind]).fetchall()
    known = sorted({str(value) for (value,) in found if value and value != "(unknown)"})
    for one in known:
        if one.casefold() == name.strip().casefold():
            return one
    raise ConfigurationError(f"the week knows no {kind} '{name}'; known: {', '.join(known[:_SHOWN]) or 'none'}")


def of_party(kind: str, name: str, owner: str) -> bool:
    """Whether an owner of files is the party: by name, and a vendor also with a person in brackets after its name."""
    own, other = name.strip().casefold(), owner.strip().casefold()
    return own == other or (kind == "vendor" and other.startswith(f"{own} (") and other.endswith(")"))
