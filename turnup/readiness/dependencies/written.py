"""Chains and loops of needs as tables: ``core.chains`` and ``core.need_loops``.

Belongs here: reading the graph, the words, the rows. Does not: which way a chain goes (``chains``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.readiness.dependencies.chains import Chain, chains
from turnup.readiness.dependencies.graph import Graph, Item, Need, Wait
from turnup.readiness.dependencies.loops import loops
from turnup.readiness.forecasting.tables import store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    import duckdb

CHAINS = {
    "system_key": "VARCHAR", "system_id": "VARCHAR", "block": "VARCHAR", "rank": "INTEGER", "asked_no": "INTEGER",
    "needed_key": "VARCHAR", "needed_id": "VARCHAR", "p80": "DATE", "decides": "BOOLEAN", "systems": "INTEGER",
    "chain": "VARCHAR", "by_way": "VARCHAR", "end_kind": "VARCHAR", "leaf_id": "VARCHAR", "leaf_kind": "VARCHAR",
    "leaf": "VARCHAR", "leaf_system_key": "VARCHAR", "leaf_system_id": "VARCHAR", "leaf_gate_no": "INTEGER",
    "leaf_owner": "VARCHAR", "leaf_date": "DATE", "leaf_date_kind": "VARCHAR",
}  # fmt: skip
"""``core.chains``: rank 1 is the need of a block that comes last; ``by_way`` names the systems between both ends."""
LOOPS = {"loop_key": "VARCHAR", "system_key": "VARCHAR", "system_id": "VARCHAR", "chain": "VARCHAR"}
"""``core.need_loops``: each from its first system back to it."""
_WAITS_FOR = " waits for "

_WAITS = """
SELECT system_key, block_key, asked_no, needed_key, needed_block, coalesce(gate_no, 0)
FROM core.open_needs WHERE waiver_id IS NULL ORDER BY ALL
"""
_ITEMS = """
SELECT w.system_key, w.block_key, w.gate_no, w.kind, w.item, w.what, w.place, coalesce(s.owner, w.owner_role, ''),
       w.told, coalesce(w.told_by, '')
FROM core.own_waits w JOIN core.systems s ON s.system_key = w.system_key ORDER BY ALL
"""
_DATES = """
SELECT b.system_key, b.block_key, f.gate_no, f.p80
FROM core.gate_forecasts f JOIN core.block_sizes b ON b.system_key = f.system_key AND b.block = f.block ORDER BY ALL
"""
_NEEDS = "SELECT DISTINCT system_key, asked_no, needed_key, gate_no FROM core.needs ORDER BY ALL"
_NAMES = """
SELECT system_key, system_id, coalesce(owner, '') FROM core.systems
UNION ALL
SELECT needed_key, min(needed_id), '' FROM core.needs
WHERE needed_key NOT IN (SELECT system_key FROM core.systems) GROUP BY needed_key
"""
_BLOCKS = "SELECT system_key, block_key, block FROM core.block_sizes"

Row = dict[str, object]


@dataclass(frozen=True)
class _Names:
    """How people spell keys, who owns a system, and the data date."""

    systems: Mapping[str, str]
    owners: Mapping[str, str]
    blocks: Mapping[tuple[str, str], str]
    as_of: date


def write_chains(con: duckdb.DuckDBPyConnection, as_of: date) -> None:
    """Create ``core.chains`` and ``core.need_loops`` in a candidate database that has its forecast."""
    found = con.sql(_NAMES).fetchall()
    blocks = {(system, key): block for system, key, block in con.sql(_BLOCKS).fetchall()}
    names = _Names({key: name for key, name, _ in found}, {key: owner for key, _, owner in found}, blocks, as_of)
    graph = read_graph(con)
    store(con, "core.chains", _ranked([_row(graph, one, names) for one in chains(graph)]), CHAINS)
    needs = [Need(*row) for row in con.sql(_NEEDS).fetchall()]
    store(con, "core.need_loops", [_loop(loop, names) for loop in loops(needs)], LOOPS)


def read_graph(con: duckdb.DuckDBPyConnection) -> Graph:
    """Read what is open from a database with gates and forecast."""
    return Graph(
        tuple(Wait(*row) for row in con.sql(_WAITS).fetchall()),
        tuple(Item(*row) for row in con.sql(_ITEMS).fetchall()),
        {(system, block, gate_no): day for system, block, gate_no, day in con.sql(_DATES).fetchall()},
    )


def _ranked(rows: list[Row]) -> list[Row]:
    """Number the chains of each block; they come in order."""
    counts: dict[object, int] = {}
    for row in rows:
        block = (row["system_key"], row["block"])
        row["rank"] = counts[block] = counts.get(block, 0) + 1
    return rows


def _row(graph: Graph, chain: Chain, names: _Names) -> Row:
    ids = [names.systems[key] for key in chain.systems]
    leaf = _leaf(graph, chain, names)
    last = [] if chain.end == "loop" else [str(leaf["leaf"])]
    return {
        "system_key": chain.wait.system, "system_id": ids[0],
        "block": names.blocks[chain.wait.system, chain.wait.block], "asked_no": chain.wait.asked_no,
        "needed_key": chain.wait.needed, "needed_id": ids[1], "p80": chain.on, "decides": chain.decides,
        "systems": len(dict.fromkeys(chain.systems)), "chain": _WAITS_FOR.join([*ids, *last]),
        "by_way": ", ".join(ids[1:]), "end_kind": chain.end, **leaf,
    }  # fmt: skip


def _leaf(graph: Graph, chain: Chain, names: _Names) -> Row:
    system, block, gate_no = chain.steps[-1]
    name, item = names.systems[system], chain.item
    of: Row = {"leaf_system_key": system, "leaf_system_id": name, "leaf_gate_no": gate_no}
    if item is None:
        what = f"no data of {name}" if chain.end == "no data" else f"a loop back to {name}"
        owner = names.owners.get(system) or names.owners.get(chain.systems[-2], "")
        kind = chain.end
        return {**of, "leaf_id": f"{system}/{kind}/", "leaf_kind": kind, "leaf": what, "leaf_owner": owner}
    on, how = item.told, "promised"
    if on is None or on <= names.as_of:
        expected = graph.dates.get((system, block, item.gate_no))
        on, how = (expected, "P80") if expected else (on, "promised")
    return {
        **of, "leaf_id": item.id, "leaf_kind": item.kind, "leaf": item.what, "leaf_gate_no": item.gate_no,
        "leaf_owner": item.owner, "leaf_date": on, "leaf_date_kind": how if on else None,
    }  # fmt: skip


def _loop(loop: tuple[Need, ...], names: _Names) -> Row:
    systems = [loop[0].system, *(need.needed for need in loop)]
    ids = [names.systems[key] for key in systems]
    return {
        "loop_key": " ".join(f"{need.system}:{need.asked_no}" for need in loop), "system_key": systems[0],
        "system_id": ids[0], "chain": _WAITS_FOR.join(ids),
    }  # fmt: skip
