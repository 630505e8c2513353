"""Whether the owner of an entry is a person: someone who can be asked.

Belongs here: the words that tell a team, a role, an alias or a placeholder from a name. Does not: which entries need an
owner (``mart/found_raid.sql``).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import duckdb

_PLACEHOLDERS = frozenset(
    "tbd tba tbc tbn na none nobody unassigned unknown open pending vacant various multiple several all everyone"
    " anyone somebody someone owner name new hire xxx xx nil null todo".split()
)
_GROUPS = frozenset(
    "team teams group groups dept department committee board office crew squad desk forum council staff pmo noc soc"
    " helpdesk servicedesk alias division unit taskforce organisation organization dl vendors suppliers"
    " contractors engineers leads managers stakeholders".split()
)
_FUNCTIONS = frozenset(
    "network networks networking storage compute operations operation ops devops procurement purchasing sourcing supply"
    " chain logistics shipping warehouse engineering facilities facility security it hr legal finance vendor supplier"
    " contractor integrator carrier customer programme program project management manager director lead head engineer"
    " coordinator site sites data center centre dc datacenter datacentre infrastructure planning deployment delivery"
    " quality commercial construction hardware software platform support service services admin administrator info"
    " sponsor executive vp cto cio coo cpo cfo ceo tpm pm the of for and our".split()
)
_NAME_ADDRESS = re.compile(r"[^\W\d_]+(?:[._-][^\W\d_]+)+\d*")
_SEVERAL = re.compile(r"[/;&+|]|\s(?:and|und)\s", re.IGNORECASE)


def owner_fault(owner: str | None) -> str | None:
    """Say why an owner is not a person, such as ``a team``; None when it reads like one person's name."""
    text = unicodedata.normalize("NFKC", owner or "").strip()
    if "@" in text:
        return _address_fault(text)
    plain = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", text)
    words = re.findall(r"[^\W\d_]+", plain.replace(".", "").replace("'", "").casefold())
    if not words or re.sub(r"[^a-z]", "", plain.casefold()) in _PLACEHOLDERS or set(words) <= _PLACEHOLDERS:
        return "a placeholder" if text else "nobody"
    if set(words) & _GROUPS:
        return "a team"
    if set(words) <= _FUNCTIONS | _PLACEHOLDERS:
        return "a function or role"
    return "more than one" if _SEVERAL.search(plain) else None


def _address_fault(text: str) -> str | None:
    local = text.partition("@")[0].rpartition("<")[2].strip()
    words = set(re.findall(r"[^\W\d_]+", local.casefold()))
    if not words & (_GROUPS | _FUNCTIONS | _PLACEHOLDERS) and _NAME_ADDRESS.fullmatch(local):
        return None
    named = text.partition("<")[0].strip() if "<" in text else ""
    return None if len(named.split()) > 1 and owner_fault(named) is None else "an e-mail alias"


def write_owner_faults(con: duckdb.DuckDBPyConnection) -> None:
    """Create ``core.owner_faults`` (owner, fault): the owners in ``core.raid_items`` that are no person."""
    owners = [name for (name,) in con.sql("SELECT DISTINCT owner FROM core.raid_items ORDER BY owner").fetchall()]
    rows = [(name, fault) for name in owners if (fault := owner_fault(name))]
    frame = pl.DataFrame(rows, schema={"owner": pl.String, "fault": pl.String}, orient="row")
    con.register("owner_faults_frame", frame)
    con.execute("CREATE OR REPLACE TABLE core.owner_faults AS SELECT * FROM owner_faults_frame")
    con.unregister("owner_faults_frame")
