"""A published warehouse of one week in memory, with the tables that reports read, built from `sample_programme`."""

# ruff: noqa: E501 - rows of tables, one a line

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import polars as pl

from tests.reports import sample_programme as sp

Rows = list[dict[str, Any]]
_RAW = ("confidence", "confidence_prev", "probability", "value", "green_share", "on_time_share")


def build_sample(change: Callable[[dict[str, Rows]], None] | None = None) -> duckdb.DuckDBPyConnection:
    """Return a connection; `change` may edit the rows (by table name) before they are written."""
    tables = sample_tables()
    if change:
        change(tables)
    return write_tables(tables)


def write_tables(tables: dict[str, Rows]) -> duckdb.DuckDBPyConnection:
    """Write rows to an in-memory DuckDB; quantities become DECIMAL(18,3) as in a real warehouse."""
    con = duckdb.connect()
    for schema in ("meta", "mart", "hist", "stg", "evidence", "core"):
        con.execute(f"CREATE SCHEMA {schema}")
    for name, rows in tables.items():
        if rows:
            frame = pl.DataFrame(rows, infer_schema_length=None, strict=False)
            con.register("frame", frame)
            con.execute(f"CREATE TABLE {name} AS SELECT {', '.join(map(_column, frame.schema.items()))} FROM frame")
            con.unregister("frame")
    return con


def _column(item: tuple[str, pl.DataType]) -> str:
    name, kind = item
    exact = kind == pl.Float64 and name not in _RAW
    return f'"{name}"::DECIMAL(18,3) AS "{name}"' if exact else f'"{name}"'


def rows(names: str, *values: Sequence[Any]) -> Rows:
    """Return dictionaries from column names and tuples."""
    keys = names.split()
    return [dict(zip(keys, row, strict=True)) for row in values]


def sample_tables() -> dict[str, Rows]:
    """Return all tables as lists of rows."""
    return {
        **meta_tables(), "mart.systems": systems(), "mart.funnel": funnel(), "mart.commitments": commitments(),
        "mart.classes": classes(), "mart.gates": gates(), "mart.site_gates": site_gates(), "mart.criteria": criteria(),
        "mart.blockers": blockers(), "mart.findings": findings(), "mart.change": change_bridge(),
        "mart.change_rows": rows("kind unit system_id component quantity cause evidence", *sp.CHANGES),
        "mart.change_evidence": rows(
            "kind unit system_id component row_no unit_id quantity cause loss note dataset file sheet row",
            *sp.CHANGE_EVIDENCE,
        ),
        "mart.restatements": restatements(),
        "mart.s_curve": s_curve(), "mart.quarter_ends": quarter_ends(), "mart.forecast": forecast(),
        "mart.record": rows("scope closed_forecasts held", ("gpu_cluster", 14, 10), ("cpu_cluster", 10, 7)),
        **raid_tables(), **supply_tables(), **history_tables(), **evidence_tables(), **forecast_tables(),
    }  # fmt: skip


def meta_tables() -> dict[str, Rows]:
    """Return meta.*: one week, sources of which one is stale, a balanced ledger, quarantine, one failed expectation."""
    names = ("sites", "systems", "commitments", "bom", "purchase_orders", "shipments", "receipts", "installs", "links",
             "benchmarks", "scheduler_nodes", "gate_decisions", "raid", "storage_state", "circuits", "sessions")  # fmt: skip
    source_rows, ledger = [], []
    for number, name in enumerate(names):
        read, bad = 40 + 37 * number, {"shipments": 6, "installs": 3}.get(name, 0)
        stale = name == "shipments"
        at = sp.CUT_OFF - timedelta(days=6 if stale else 1, hours=number)
        file = f"{name}_2026w44.{'xlsx' if name in ('bom', 'shipments') else 'csv'}"
        source_rows.append((name, name, "Ana Lima", name != "sessions", 2 if stale else 7, file, at, "file name", at,
                            6.0 if stale else 1.0, read, read - bad, bad, "stale" if stale else "fresh"))  # fmt: skip
        ledger.append(
            (
                name,
                name,
                file,
                f"{number:02x}" * 16,
                at,
                read + 1,
                read - bad,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                bad,
                read,
                read - bad,
                bad,
                True,
                True,
            )
        )
    quarantine = [("shipments", "shipments", "shipments_2026w44.xlsx", "i5", 12 + n, "W44", "eta", "31/11/2026", "date", "a date as YYYY-MM-DD",
                   "Row says 31 November, which does not exist: please correct the ETA.", "{}", "Ana Lima", True) for n in range(6)]  # fmt: skip
    quarantine += [("installs", "installs", "installs_2026w44.csv", "i7", 30 + n, None, "serial", "S4X-77120", "key_conflict", "one row per asset",
                    "Serial S4X-77120 stands in two racks.", "{}", "Ana Lima", True) for n in range(3)]  # fmt: skip
    return {
        "meta.week": rows("week window_start cut_off as_of time_zone programme previous_week state ordinal fingerprint code_version config_hash",
                          (sp.WEEK, sp.WINDOW_START, sp.CUT_OFF, sp.AS_OF, "America/Chicago", "Northstar build-out", sp.PREVIOUS, "closed", 1, sp.FINGERPRINT, sp.CODE, sp.CONFIG)),
        "meta.sources": rows("source dataset owner required max_age_days file exported_at exported_basis received_at age_days rows_read accepted quarantined state", *source_rows),
        "meta.ledger": rows("source dataset file sha256 received_at lines data header title footer comment blank total other rejected rows_read accepted quarantined balanced in_force", *ledger),
        "meta.quarantine": rows("source dataset file _ingest row sheet column_name value rule expected message given owner in_force", *quarantine),
        "meta.file_findings": rows("source dataset file code severity row column_name value message", ("bom", "bom", "bom_2026w44.xlsx", "total_row", "info", 61, None, "Total", "A total row was left out."), ("shipments", "shipments", "shipments_2026w44.xlsx", "mixed_dates", "warning", 12, "eta", "31/11/2026", "Dates in two orders.")),
        "meta.expectations": rows("dataset expectation column_name severity computed success observed unexpected_count message blocking",
                                  ("receipts", "expect_receipts_not_over_ordered", "qty_good", "error", True, False, "18 of 512", 18, "More received than ordered on PO 4500017723 line 40.", False),
                                  ("systems", "expect_column_values_to_be_unique", "system_id", "error", True, True, "12", 0, "", False)),
        "meta.ingests": rows("_ingest file sha256 source dataset owner", ("i5", "shipments_2026w44.xlsx", "aa", "shipments", "shipments", "Ana Lima"), ("i9", "nccl_r14.log", "bb", "benchmarks", "benchmarks", "Maria Ortega")),
    }  # fmt: skip


def systems() -> Rows:
    """Return mart.systems."""
    found = []
    for name, title, kind, site, model, owner, status, claimed, due, reached in sp.SYSTEMS:
        now = due <= sp.AS_OF
        place, region, facility = sp.SITES[site]
        found.append({
            "system_key": name.casefold(), "system_id": name, "name": title, "kind": kind, "site_id": site, "site_name": place, "region": region,
            "facility": facility, "supply_model": model, "owner": owner, "priority": 1, "unit": sp.UNITS[kind],
            "playbook": kind if kind in ("gpu_cluster", "storage", "pop") else None, "claimed_status": claimed, "contracted": float(reached[0]),
            "due": float(reached[0] if now else 0), "schedulable": float(reached[9]), "current_gate": _gate_of(reached), "status": status,
            "status_reason": {"red": "overdue, P50 beyond 14 d", "amber": "P80 after contract date", "grey": "no shipment rows since 18 Sep", "green": "all evidence fresh"}[status],
            "weeks_in_status": {"red": 3, "amber": 5, "grey": 2, "green": 6}[status], "next_contract_date": due,
        })  # fmt: skip
    return found


def _gate_of(reached: Sequence[float | None]) -> str:
    order = (0, 3, 4, 5, 6, 7, 8, 9)
    for gate, stage in zip(sp.GATES, order, strict=True):
        value = reached[stage]
        if value is not None and value < (reached[0] or 0):
            return gate
    return "Schedulable"


def funnel() -> Rows:
    """Return mart.funnel: held is the fall from the stage before, so that the sum closes."""
    found = []
    for name, _, kind, *_, reached in sp.SYSTEMS:
        before = float(reached[0])
        for number, (stage, value) in enumerate(zip(sp.STAGES, reached, strict=True)):
            held = 0.0 if value is None else before - float(value)
            before = before if value is None else float(value)
            found.append({"system_key": name.casefold(), "system_id": name, "kind": kind, "unit": sp.UNITS[kind], "stage_no": number + 1, "stage": stage,
                          "applicable": value is not None, "reached": before, "held": held, "excess": 0.0})  # fmt: skip
    return found


def commitments() -> Rows:
    """Return mart.commitments."""
    by_id = {row[0]: row for row in sp.SYSTEMS}
    found = []
    for (
        contract,
        line,
        system,
        quantity,
        p50,
        p80,
        chance,
        chance_before,
        slip,
        slip_base,
        driver,
        billing,
        cost,
        idle,
        idle_days,
    ) in sp.COMMITMENTS:
        _, _, kind, _, _, owner, status, _, due, reached = by_id[system]
        done = float(min(reached[9], quantity))
        now = due <= sp.AS_OF
        found.append({
            "contract": contract, "line": line, "phase": "1", "amendment": 2 if system == "GPU-DFW2-A" else 0, "system_key": system.casefold(), "system_id": system,
            "kind": kind, "unit": sp.UNITS[kind], "quantity": float(quantity), "contract_date": due, "internal_commit_date": due - timedelta(days=14), "need_date": due,
            "due_now": now, "schedulable": done, "shortfall": quantity - done if now else 0.0, "p50": p50, "p80": p80, "confidence": chance,
            "confidence_prev": chance_before, "margin_days": (due - p50).days if p50 else None, "slip_week_days": slip, "slip_baseline_days": slip_base,
            "status": status, "status_reason": {"red": "overdue, P50 beyond 14 d", "amber": "P80 after contract date", "grey": "no shipment rows since 18 Sep", "green": "all evidence fresh"}[status],
            "weeks_in_status": 3, "owner": owner, "billing_start": billing, "unit_cost": float(cost) if cost else None, "currency": "USD",
            "idle_quantity": float(idle) if idle else 0.0, "idle_days": idle_days or 0, "idle_cost": round(idle * idle_days * cost / 30, 2) if idle else 0.0, "driver": driver,
        })  # fmt: skip
    return found


def classes() -> Rows:
    """Return mart.classes, one row per kind."""
    found = []
    for kind, unit in sp.UNITS.items():
        mine = [row for row in sp.SYSTEMS if row[2] == kind]
        now = sum(float(row[9][9]) for row in mine)
        due = sum(float(row[9][0]) for row in mine if row[8] <= sp.AS_OF)
        delta = sum(float(sp.DELTAS.get(row[0], 0)) for row in mine)
        ranks = ("red", "amber", "grey", "green")
        gpu, sto = kind == "gpu_cluster", kind == "storage"
        found.append({
            "kind": kind, "unit": unit, "contracted": sum(float(r[9][0]) for r in mine), "due": due, "schedulable": now, "pct_of_due": 100 * now / due if due else None,
            "previous_schedulable": now - delta, "delta": delta, "status": min((r[6] for r in mine), key=ranks.index), "green_share": sum(r[6] == "green" for r in mine) / len(mine),
            "waived_quantity": 512.0 if gpu else 0.0, "earliest_waiver_expiry": date(2026, 11, 15) if gpu else None, "waiver_ids": "W-031" if gpu else None,
            "excluded_quantity": 64.0 if gpu else 24.0 if sto else 0.0, "excluded_note": "benchmark file of rack R09 missing" if gpu else "STO-NRT1-A has no shipment rows" if sto else None,
            "systems": len(mine), "sites": len({r[3] for r in mine}),
        })  # fmt: skip
    return found


def gates() -> Rows:
    """Return mart.gates for every system with stages."""
    order = (0, 3, 4, 5, 6, 7, 8, 9)
    found = []
    for name, _, _, _, _, owner, status, _, due, reached in sp.SYSTEMS:
        whole, blocked = reached[0], False
        for number, (gate, stage) in enumerate(zip(sp.GATES, order, strict=True), start=1):
            value = reached[stage]
            if value is None:
                continue
            passed = value >= whole and not blocked
            state = "passed" if passed else "not started" if blocked else "in progress"
            blocked = blocked or not passed
            last = gate == "Schedulable" and name == "GPU-IAD3-A"
            found.append({"system_key": name.casefold(), "system_id": name, "block": "all", "gate_no": number, "gate": f"G{number}", "title": gate, "stage": sp.STAGES[stage],
                          "state": state, "entered_on": due - timedelta(days=90 - 9 * number), "passed_on": (date(2026, 10, 28) if last else date(2026, 8, 3) + timedelta(days=number)) if passed else None,
                          "criteria": 3, "met": 3 if passed else 1, "no_data": 2 if status == "grey" and not passed else 0,
                          "waiting_capacity": 0.0 if passed else float(whole - value), "owner_role": owner, "days_waiting": 0 if passed else 11 + 3 * number})  # fmt: skip
    return found


def site_gates() -> Rows:
    """Return mart.site_gates from the gates above."""
    place = {row[0]: (row[3], row[6]) for row in sp.SYSTEMS}
    cells: dict[tuple[str, int], list[tuple[str, str]]] = {}
    for gate in gates():
        site, status = place[gate["system_id"]]
        cells.setdefault((site, gate["gate_no"]), []).append((gate["state"], status))
    found = []
    for (site, number), states in sorted(cells.items()):
        waiting = [status for state, status in states if state == "in progress"]
        worst = next((s for s in ("red", "amber", "grey", "green") if s in waiting), "")
        found.append({"site_id": site, "site_name": sp.SITES[site][0], "gate_no": number, "gate": sp.GATES[number - 1], "passed": sum(s == "passed" for s, _ in states),
                      "total": len(states), "worst": worst or None, "blocked_capacity": f"{len(waiting)} systems" if waiting else None})  # fmt: skip
    return found


def criteria() -> Rows:
    """Return mart.criteria: a few of each state."""
    names = "system_key system_id block gate criterion metric comparison threshold value unit state evidence_rows evidence_at severity waiver_id message"
    at = datetime(2026, 10, 29, 4)
    return rows(names,
        ("gpu-dfw2-a", "GPU-DFW2-A", "all", "G6", "all-reduce bus bandwidth at 8 GiB", "busbw_share", ">=", 1.0, 0.875, "share", "not met", 16, at, "high", None, "14 of 16 nodes of rack R15 reach 388 GB/s"),
        ("gpu-dfw2-a", "GPU-DFW2-A", "all", "G5", "planned links up at speed", "links_up_share", ">=", 1.0, 0.969, "share", "not met", 512, at, "high", None, "96 of 3,072 optics not delivered"),
        ("gpu-dfw2-b", "GPU-DFW2-B", "B2", "G2", "kit received complete", "kit_share", ">=", 1.0, 0.5, "share", "not met", 40, at, "high", None, "half of the kit is on site"),
        ("gpu-iad3-a", "GPU-IAD3-A", "all", "G7", "CDU leak test", "leak_test", ">=", 1.0, 0.5, "share", "waived", 1, at, "medium", "W-031", "waived until 15 Nov"),
        ("sto-nrt1-a", "STO-NRT1-A", "all", "G2", "shipment booked", "shipped_share", ">=", 1.0, None, "share", "no data", 0, None, "high", None, "no shipment row names this system"),
        ("sto-dfw2-a", "STO-DFW2-A", "all", "G6", "usable capacity", "usable_pb", ">=", 60.0, 52.5, "PB", "not met", 3, at, "high", None, "shelf serial conflict holds 7.5 PB"),
        ("pop-nrt1", "POP-NRT1", "all", "G8", "sessions up", "sessions_up", ">=", 1.0, 1.0, "share", "met", 96, at, "high", None, "96 of 96"),
        ("bb-lhr1", "BB-LHR1", "all", "G5", "circuits in service", "circuits_up", ">=", 1.0, 0.5, "share", "not met", 4, datetime(2026, 10, 29, 4), "high", None, "cross-connect order 4471 open since 12 Sep"),
    )  # fmt: skip


def blockers() -> Rows:
    """Return mart.blockers, ranked."""
    names = "rank blocker_id system_key system_id block kind gate criterion title message capacity_held unit age_days capacity_days first_seen_week owner owner_role evidence_rows state"
    return rows(names,
        (1, "B-0007", "gpu-dfw2-b", "GPU-DFW2-B", "B2", "gpu_cluster", "G2", "kit received complete", "Half of the block B2 kit is not on site", "512 accelerators in 64 servers wait at the integrator", 1024.0, "accelerators", 19, 19456.0, "2026-W42", "Maria Ortega", "supply lead", 40, "not met"),
        (2, "B-0002", "gpu-dfw2-a", "GPU-DFW2-A", "all", "gpu_cluster", "G5", "planned links up at speed", "96 OSFP optics of lot 3 are missing", "Vendor promise moved a third time, now 12 Nov", 64.0, "accelerators", 33, 2112.0, "2026-W40", "Maria Ortega", "network lead", 512, "not met"),
        (3, "B-0005", "gpu-dfw2-a", "GPU-DFW2-A", "all", "gpu_cluster", "G6", "all-reduce bus bandwidth at 8 GiB", "Two nodes of rack R15 below 388 GB/s", "341 and 352 GB/s measured on 27 Oct", 64.0, "accelerators", 9, 576.0, "2026-W43", "Maria Ortega", "acceptance lead", 16, "not met"),
        (4, "B-0009", "bb-lhr1", "BB-LHR1", "all", "backbone_node", "G5", "circuits in service", "Cross-connect order 4471 open", "Provider has not confirmed a date", 72.0, "ports", 48, 3456.0, "2026-W38", "", "network lead", 4, "not met"),
        (5, "B-0011", "sto-nrt1-a", "STO-NRT1-A", "all", "storage", "G2", "shipment booked", "No shipment is booked for Tokyo", "Purchase order 4500018210 has no schedule line", 24.0, "PB", 12, 288.0, "2026-W43", "Hana Sato", "supply lead", 0, "no data"),
    )  # fmt: skip


def findings() -> Rows:
    """Return mart.findings."""
    names = "finding_id code severity dataset system_id subject file sheet row message first_seen_week"
    many = [
        (
            f"F-P{n}",
            "placeholder_part",
            "warning",
            "bom",
            "GPU-DFW2-A",
            f"TBD-OSFP-{n:03d}",
            "bom_2026w44.xlsx",
            "BOM",
            80 + n,
            "Placeholder part that cannot be ordered.",
            "2026-W43",
        )
        for n in range(20)
    ]
    return rows(names,
        ("F-1", "watermelon", "error", "systems", "GPU-DFW2-A", "claimed green", "systems_2026w44.csv", None, 2, "Claimed green; the evidence says red: 320 accelerators overdue since 30 Sep.", "2026-W41"),
        ("F-2", "planned_device_connected_cable", "error", "links", "BB-LHR1", "cable 118", "links_2026w44.csv", None, 119, "Cable is connected but its device lhr1-bb-02 is still planned.", "2026-W44"),
        ("F-3", "serial_conflict", "error", "installs", "STO-DFW2-A", "S4X-77120", "installs_2026w44.csv", None, 31, "Serial stands in racks S03 and S07.", "2026-W43"),
        *many,
    )  # fmt: skip


def change_bridge() -> Rows:
    """Return mart.change: opening + components = closing."""
    found = []
    for row in classes():
        parts = {
            name: sum(float(c[4]) for c in sp.CHANGES if c[0] == row["kind"] and c[3] == name)
            for name in ("flow_in", "withdrawn", "transfer", "restated", "scope", "definition")
        }
        found.append(
            {
                "kind": row["kind"],
                "unit": row["unit"],
                "opening": row["previous_schedulable"],
                **parts,
                "closing": row["schedulable"],
            }
        )
    return found


def restatements() -> Rows:
    """Return mart.restatements: the week before was made again without the shelf that it counted twice."""
    before = next(row["previous_schedulable"] for row in classes() if row["kind"] == "storage")
    columns = "week name first_name kind unit issued now difference reason made_from deliveries"
    head = ("2026-W43", "2026-W43.2", "2026-W43.1", "storage", "PB")
    why = ("serial conflict", "came inventory_dfw2.xlsx", 1)
    return rows(columns, (*head, before, before - 1.5, -1.5, *why))


def s_curve() -> Rows:
    """Return mart.s_curve for GPU and CPU."""
    found = []
    for kind, total, now, first_due in (("gpu_cluster", 5120, 2752, 3072), ("cpu_cluster", 73728, 57344, 49152)):
        for week in range(60):
            day = date(2026, 5, 1) + timedelta(weeks=week)
            steps = (date(2026, 9, 30), date(2026, 12, 15))
            due = 0 if day < steps[0] else first_due if day < steps[1] else total
            if day <= date(2027, 3, 26):
                found.append((kind, "contract", day, float(due)))
                found.append((kind, "plan", day, float(round(min(1.0, (week / 36) ** 1.6) * total))))
            if day <= sp.AS_OF:
                found.append((kind, "actual", day, float(round(now * (week / 26) ** 1.7))))
            else:
                ahead = week - 26
                for series, weeks in (("p10", 7), ("p50", 10), ("p80", 13), ("p90", 16)):
                    if day <= date(2027, 3, 26):
                        found.append(
                            (kind, series, day, float(round(now + (total - now) * min(1.0, (ahead / weeks) ** 1.2))))
                        )
    return rows("kind series week_end quantity", *found)


def quarter_ends() -> Rows:
    """Return mart.quarter_ends for every kind; storage has no forecast."""
    ends = (date(2026, 12, 31), date(2027, 3, 31), date(2027, 6, 30))
    found = []
    for row in classes():
        for number, end in enumerate(ends):
            due = row["contracted"] if number or row["kind"] != "storage" else 60.0
            part = (0.82, 1.0, 1.0)[number], (0.71, 0.96, 1.0)[number]
            gap = row["contracted"] - row["schedulable"]
            known = row["kind"] != "storage"
            p50, p80 = (float(round(row["schedulable"] + gap * p)) if known else None for p in part)
            found.append((row["kind"], row["unit"], end, due, p50, p80))
    return rows("kind unit quarter_end due p50 p80", *found)


def forecast() -> Rows:
    """Return mart.forecast per kind and per contract line."""
    names = "scope_type scope unit target remaining weeks_of_history method iterations seed p50 p80 p95 confidence contract_date note"
    per_kind = {"gpu_cluster": (date(2026, 12, 11), date(2027, 1, 6), 0.38), "cpu_cluster": (date(2026, 11, 22), date(2026, 12, 8), 0.71),
                "backbone_node": (date(2026, 12, 2), date(2026, 12, 20), 0.0), "wan_link": (date(2026, 12, 20), date(2027, 1, 18), 0.61)}  # fmt: skip
    found = []
    for row in classes():
        p50, p80, chance = per_kind.get(row["kind"], (None, None, None))
        left = row["contracted"] - row["schedulable"]
        note = "no forecast: STO-NRT1-A: gate 'install' has no lead_time" if left and p50 is None else None
        last = max(r[8] for r in sp.SYSTEMS if r[2] == row["kind"])
        found.append(
            (
                "kind",
                row["kind"],
                row["unit"],
                row["contracted"],
                left,
                None,
                "Monte Carlo of the bound network",
                10000,
                20261030,
                p50,
                p80,
                p80 + timedelta(days=21) if p80 else None,
                chance,
                last,
                note,
            )
        )
    return rows(names, *found)


def forecast_tables() -> dict[str, Rows]:
    """Return what stands behind the forecast: drivers, tornado, calibration, schedules and what it rests on."""
    drivers = rows(
        "scope_type scope rank node name role owner system_id likely criticality sensitivity basis",
        ("kind", "gpu_cluster", 1, "gate/a/acceptance", "Benchmark acceptance, GPU-DFW2-A", "gate", "acceptance lead",
         "GPU-DFW2-A", date(2026, 12, 4), 0.91, 0.62, "own throughput: burn-in at dfw2, n = 31"),
        ("kind", "gpu_cluster", 2, "shipment/s-12", "shipment S-12 of Vantor, told for 2026-11-17", "arrival", "Vantor",
         "", date(2026, 11, 17), 0.74, 0.4, "the day as told, and lateness so far: vendor Vantor, n = 24"),
        ("kind", "cpu_cluster", 1, "activity/1020", "A1020 Rack CPU pod", "activity", "Site team", "CPU-LHR1-A",
         date(2026, 11, 20), 0.003, 0.2, "three points of the activity"),
    )  # fmt: skip
    tornado = rows(
        "scope_type scope rank node name p80_low p80_high swing_days",
        ("kind", "gpu_cluster", 1, "gate/a/acceptance", "Benchmark acceptance, GPU-DFW2-A", date(2026, 12, 22),
         date(2027, 1, 19), 28.0),
        ("kind", "gpu_cluster", 2, "R-3", "risk R-3: customs strike", date(2026, 12, 30), date(2027, 1, 8), 9.0),
    )  # fmt: skip
    calibration = rows(
        "scope lead_days gates p50_held p80_held enough dates brier dates_enough",
        ("all", 28, 40, 21, 30, True, 6, 0.125, False),
        ("all", 56, 8, 3, 6, False, 0, None, False),
        ("gpu_cluster", 28, 24, 12, 17, True, 4, 0.2, False),
    )
    by = "DCMA-EA PAM 200.1; floats.high_days 30"
    health = rows(
        "project data_date check_no check_id title numerator denominator unknown value figure limit_text verdict advisory offenders"
        " first_offenders sentence judged_by",
        ("DFW2", date(2026, 10, 30), 1, "1", "Logic", 3, 40, 0, 0.075, "7.5 %", "<= 5%", "fail", False, 3, "A1, A2, A3", "3 of 40 lack logic.", by),
        ("DFW2", date(2026, 10, 30), 2, "2", "Leads", 0, 55, 0, 0.0, "0.0 %", "<= 0%", "pass", False, 0, "", "0 of 55 links lead.", by),
        ("DFW2", date(2026, 10, 30), 3, "13", "CPLI", None, None, 0, None, "", ">= 0.95", "no data", False, 0, "", "There is no baseline.", by),
        ("DFW2", date(2026, 10, 30), 16, "links_per_activity", "links per activity", None, None, None, 1.4, "1.4", None, "info", True, 0, "",
         "1.4 links an activity.", by),
    )  # fmt: skip
    claims = rows(
        "project task code name system_key gate blocks claimed_finish remaining_days",
        ("DFW2", "DFW2/1020", "A1020", "Rack pod A", "gpu-dfw2-a", "install", "all", date(2026, 10, 23), 6.0),
        ("DFW2", "DFW2/1030", "A1030", "Cable pod A", "gpu-dfw2-a", "install", "b1, b2", None, 2.5),
    )
    activities = rows(
        "project task code name system_id block gate done total_float_days early_finish late_finish stored_finish critical"
        " longest_path owner",
        ("DFW2", "DFW2/1040", "A1040", "Test pod A", "GPU-DFW2-A", "b1", "acceptance", False, 0.0,
         datetime(2026, 11, 20, 17), datetime(2026, 11, 20, 17), datetime(2026, 11, 6, 17), True, True, "Site team"),
        ("DFW2", "DFW2/1050", "A1050", "Paint", None, None, None, False, 12.5, datetime(2026, 11, 9, 17),
         datetime(2026, 11, 26, 17), None, False, False, None),
        ("DFW2", "DFW2/1010", "A1010", "Clear hall", None, None, None, True, None, datetime(2026, 10, 2, 17), None, None,
         False, False, None),
    )  # fmt: skip
    assumptions = rows(
        "node name role system_id block gate method of n p10_days p50_days p90_days day_kind note",
        ("gate/a/acceptance", "Benchmark acceptance, GPU-DFW2-A", "gate", "GPU-DFW2-A", "b1", "acceptance",
         "own throughput", "burn-in at dfw2", 31, 4.0, 7.0, 12.0, "working", "16 of 16 units"),
        ("left out/1", None, "left out", None, None, None, None, None, None, None, None, None, None,
         "risk R-9 names no system of the network and delays nothing"),
    )  # fmt: skip
    return {
        "mart.forecast_drivers": drivers, "mart.forecast_tornado": tornado, "mart.calibration": calibration,
        "mart.schedule_health": health, "core.activity_claims": claims, "mart.activities": activities,
        "mart.forecast_assumptions": assumptions,
    }  # fmt: skip


def raid_tables() -> dict[str, Rows]:
    """Return decisions, raid and waivers."""
    decisions, items = [], []
    for identity, kind, title, system, decider, needed, impact_days, units, options, consequence in sp.RAID:
        closed = date(2026, 10, 26) if identity == "D-57" else None
        decisions.append(
            (
                identity,
                title,
                options,
                decider,
                needed,
                consequence,
                float(impact_days) if impact_days else None,
                float(units),
                date(2026, 10, 11),
                19,
                needed < sp.AS_OF and not closed,
                closed,
                "A: two parts" if closed else None,
                "A",
                None if closed else 6,
                None,
            )
        )
        items.append(
            (
                identity,
                kind,
                title,
                system,
                None,
                None,
                "high",
                None,
                None,
                float(units),
                decider,
                date(2026, 10, 11),
                needed,
                closed,
                None,
                None,
                19,
                False,
                False,
                False,
            )
        )
    items += [
        ("R-12", "risk", "Optics vendor misses lot 3 again", "GPU-DFW2-A", "G5", None, "high", 0.4, 21.0, 320.0, "Ruth Adeyemi", date(2026, 9, 20), date(2026, 11, 12), None, None, "Vendor capacity is shared with two other buyers.", 40, False, False, False),
        ("R-19", "risk", "Typhoon season closes the Tokyo port", "STO-NRT1-A", "G2", None, "medium", 0.15, 10.0, None, "Kenji Mori", date(2026, 10, 25), None, None, None, None, 5, False, True, False),
        ("I-07", "issue", "CDU pump 2 vibrates above limit", "GPU-IAD3-A", "G3", None, "high", None, 6.0, 512.0, "Tom Becker", date(2026, 9, 30), date(2026, 10, 20), None, None, None, 30, True, False, True),
        ("A-31", "action", "Expedite 96 OSFP through the Singapore hub", "GPU-DFW2-A", "G5", None, "high", None, None, None, "Ruth Adeyemi", date(2026, 10, 20), date(2026, 11, 5), None, None, None, 10, False, False, False),
        ("A-33", "action", "Escalate cross-connect 4471 to the provider's director", "BB-LHR1", "G5", None, "high", None, None, None, "Kenji Mori", date(2026, 10, 2), date(2026, 10, 23), None, None, None, 28, False, False, True),
    ]  # fmt: skip
    return {
        "mart.decisions": rows("id title options decider needed_by consequence impact_days impact_units raised age_days overdue closed outcome recommended delay_days delay_note", *decisions),
        "mart.raid": rows("id type title system_id gate criterion severity probability impact_days impact_units owner opened due closed outcome text age_days not_reviewed is_new is_overdue", *items),
        "mart.waivers": rows("id system_id gate criterion approver expiry days_left compensating_action quantity expired", ("W-031", "GPU-IAD3-A", "G7", "CDU leak test", "Luis Romero", date(2026, 11, 15), 16, "Hourly leak inspection", 512.0, False)),
        "stg.gate_decisions": rows("system_id block gate decided outcome approver dissent document", ("GPU-IAD3-A", "all", "G7", date(2026, 10, 27), "approve_with_actions", "Luis Romero", None, "GD-118.pdf")),
    }  # fmt: skip


def supply_tables() -> dict[str, Rows]:
    """Return supply, vendors and late shipments."""
    names = "system_id part_number description category needed ordered shipped received installed short next_arrival state late_days orderable"
    return {
        "mart.supply": rows(names,
            ("GPU-DFW2-A", "OSFP-800G-DR8", "800G OSFP DR8", "optic", 3072.0, 3072.0, 2976.0, 2976.0, 2976.0, 96.0, date(2026, 11, 12), "NO", 24, True),
            ("GPU-DFW2-A", "TBD-OSFP-001", "optic to be decided", "optic", 16.0, 0.0, 0.0, 0.0, 0.0, 16.0, None, "UNKNOWN", None, False),
            ("GPU-DFW2-B", "SYS-H200-8U", "8-way H200 server", "server", 256.0, 256.0, 192.0, 128.0, 64.0, 128.0, date(2026, 11, 6), "NO", 9, True),
            ("CPU-LHR1-A", "SRV-2U-G5", "2U compute server", "server", 192.0, 192.0, 192.0, 192.0, 96.0, 0.0, None, "YES", None, True)),
        "mart.vendors": rows("vendor lines late on_time_share mean_days_late", ("Lumenar Optics", 24, 9, 0.625, 13.4), ("Halcyon Systems", 40, 4, 0.9, 5.5)),
        "mart.shipments_late": rows("shipment line part_number vendor ship_to_site scheduled delivered days_late quantity file row",
            ("SH-88213", "1", "OSFP-800G-DR8", "Lumenar Optics", "DFW-2", date(2026, 10, 6), date(2026, 10, 30), 24, 384.0, "shipments_2026w44.xlsx", 41)),
    }  # fmt: skip


def history_tables() -> dict[str, Rows]:
    """Return hist.* as issued in five earlier weeks."""
    now, hist = commitments(), []
    forecasts, funnels = [], []
    for back, week in enumerate(reversed(sp.WEEKS[:-1]), start=1):
        for row in now:
            slip = (row["slip_week_days"] or 0) * back
            moved = {name: row[name] - timedelta(days=slip) if row[name] else None for name in ("p50", "p80")}
            hist.append({**row, **moved, "week": week})
        for row in forecast():
            earlier = {
                name: row[name] - timedelta(days=5 * back) if row[name] else None for name in ("p50", "p80", "p95")
            }
            chance = min(1.0, row["confidence"] + 0.06 * back) if row["confidence"] is not None else None
            forecasts.append({**row, **earlier, "confidence": chance, "week": week})
        for row in funnel():
            fall = 0.06 * back if row["stage_no"] >= 5 else 0.0
            funnels.append({**row, "reached": round(row["reached"] * (1 - fall)), "week": week})
    flipped = [
        {
            **row,
            "status": "amber" if row["system_id"] in ("BB-LHR1", "GPU-IAD3-A") else row["status"],
            "week": sp.PREVIOUS,
        }
        for row in systems()
    ]
    return {"hist.commitments": hist, "hist.forecast": forecasts, "hist.funnel": funnels, "hist.systems": flipped}


def evidence_tables() -> dict[str, Rows]:
    """Return rows behind two metrics."""
    names = "system_key system_id unit_id value dataset _ingest _row _sheet observed_at note"
    at = datetime(2026, 10, 27, 9)
    slow = [
        (
            "gpu-dfw2-a",
            "GPU-DFW2-A",
            f"dfw2-r15-n{n:02d}",
            341.2 if n == 3 else 352.0 if n == 9 else 391.0 + n / 10,
            "benchmarks",
            "i9",
            20 + n,
            None,
            at,
            "all_reduce 8 GiB, GB/s",
        )
        for n in range(1, 17)
    ]
    kits = [
        ("gpu-dfw2-b", "GPU-DFW2-B", f"B2-{n:03d}", 0.0, "receipts", "i5", n + 2, "W44", at, "not received")
        for n in range(8)
    ]
    return {"evidence.busbw_share": rows(names, *slow), "evidence.kit_share": rows(names, *kits)}
