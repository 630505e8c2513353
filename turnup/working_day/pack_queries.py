"""What a pack has about each kind of party.

Of each subject the title, the datasets without which nothing is known, the sentence where there is nothing, the rows.
``$1`` is the party's name as ``turnup.working_day.parties`` gives it. No query selects a price, and those of a vendor
read only rows that carry the vendor.
"""

from __future__ import annotations

Subject = tuple[str, tuple[str, ...], str, str]
"""Title, datasets needed, sentence, query."""

_SPELLED = "lower(nfc_normalize(trim({})))"
_VENDOR = f"{_SPELLED} = {_SPELLED.format('$1')}"
_OPEN_RAID = """SELECT id, type, title, system_id AS system, {who} AS who,
    CASE type WHEN 'decision' THEN coalesce(needed_by, due) ELSE due END AS due, is_overdue AS overdue, file, "row"
FROM mart.raid WHERE NOT is_closed AND type IN ({types}) AND {theirs} ORDER BY due NULLS LAST, id"""
_BLOCKERS = """SELECT b.rank, b.system_id AS system, b.block, b.gate_title AS gate, b.title AS criterion,
    b.message AS evidence, b.capacity_held AS holds, b.unit, b.age_days AS days, b.owner, b.metric,
    b.evidence_rows AS rows_behind
FROM mart.blockers b JOIN mart.systems s ON s.system_key = b.system_key WHERE {theirs} ORDER BY b.rank"""
_NO_BLOCKER = "Nothing of theirs holds capacity back."
_NO_RAID = "No action or decision of theirs is open."

_VENDORS = (
    (
        "What holds us back: parts that are short and on order with them",
        ("bom", "purchase_orders"),
        "No part that they owe is short.",
        f"""SELECT DISTINCT s.system_id AS system, s.block, s.part_number AS part, s.needed, s.short, s.need_date,
            s.file, s."row"
        FROM mart.shortages s
        JOIN core.order_lines o ON {_SPELLED.format("o.part_number")} = {_SPELLED.format("s.part_number")}
        WHERE o.expected > 0 AND {_VENDOR.format("o.vendor")}
        ORDER BY s.need_date NULLS LAST, system, s.block, part, s."row" """,
    ),
    (
        "Open order lines and what was promised",
        ("purchase_orders",),
        "No order line with them is open.",
        f"""SELECT o.po, o.line, o.part_number AS part, o.ordered, o.complete AS received_good, o.rejected, o.expected,
            o.requested, p.first_promise, p.promise_now, p.pushes, p.moved_days
        FROM core.order_lines o LEFT JOIN core.promise_lines p ON p.po_key = o.po_key AND p.line_key = o.line_key
        WHERE o.expected > 0 AND {_VENDOR.format("o.vendor")}
        ORDER BY p.promise_now NULLS FIRST, o.po, o.line""",
    ),
    (
        "Goods under way",
        ("shipments",),
        "Nothing of theirs is under way.",
        f"""SELECT shipment, line, part_number AS part, quantity - arrived AS quantity, state, destination, shipped_on,
            eta, slip_days, in_customs_since, last_event, last_event_at
        FROM core.goods_under_way WHERE {_VENDOR.format("vendor")} ORDER BY eta NULLS FIRST, shipment, line""",
    ),
    (
        "Shipments in trouble",
        ("shipments",),
        "No shipment of theirs is in trouble.",
        f"""SELECT shipment, exception, since, days, eta, last_event, last_place, file, "row"
        FROM mart.transit_exceptions WHERE {_VENDOR.format("vendor")} ORDER BY rank, days DESC, shipment""",
    ),
    (
        "Open actions and decisions",
        ("raid",),
        _NO_RAID,
        _OPEN_RAID.format(who="owner", types="'action', 'decision'", theirs=_VENDOR.format("owner")),
    ),
)
_SITES = (
    (
        "What holds capacity back",
        (),
        _NO_BLOCKER.replace("of theirs", "there"),
        _BLOCKERS.format(theirs="s.site_id = $1"),
    ),
    (
        "When kits are complete",
        ("bom",),
        "No block there waits for parts.",
        """SELECT system_id AS system, block, need_date, state, buildable, planned, unit, pacing_part, kit_complete,
            kit_complete_p80, site_ready, design_released, crew_booked
        FROM mart.clear_to_build WHERE site_id = $1 AND NOT coalesce(installed, false)
        ORDER BY need_date NULLS LAST, system, block_no""",
    ),
    (
        "Goods on their way there",
        ("shipments",),
        "Nothing is under way.",
        """SELECT shipment, line, part_number AS part, quantity - arrived AS quantity, state, eta, slip_days,
            in_customs_since
        FROM core.goods_under_way WHERE site_key = lower($1) OR destination = $1
        ORDER BY eta NULLS FIRST, shipment, line""",
    ),
    (
        "Open actions and decisions",
        ("raid",),
        "No action or decision is open there.",
        _OPEN_RAID.format(
            who="coalesce(decider, owner)",
            types="'action', 'decision'",
            theirs="system_key IN (SELECT system_key FROM mart.systems WHERE site_id = $1) AND "
            f"{_SPELLED.format('owner')} NOT IN (SELECT {_SPELLED.format('vendor')} FROM core.order_lines)",
        ),
    ),
    (
        "Rows to correct that name the site",
        (),
        "No row that names the site was refused.",
        """SELECT q.owner, q.file, q."row", q.column_name AS "column", q.message AS what_is_wrong
        FROM meta.quarantine q
        WHERE q.in_force AND q.dataset IN ('sites', 'facilities', 'facility_capacity', 'receipts', 'installs',
            'inventory', 'links', 'circuits', 'cross_connects') AND lower(q.given) LIKE '%"' || lower($1) || '"%'
        ORDER BY q.owner, q.file, q."row", "column" """,
    ),
)
_OWNERS = (
    ("What holds capacity back", (), _NO_BLOCKER, _BLOCKERS.format(theirs="b.owner = $1")),
    (
        "What was promised: contract lines of their systems",
        ("commitments",),
        "Every contract line of theirs is schedulable.",
        """SELECT contract, line, phase, system_id AS system, quantity, unit, contract_date, internal_commit_date,
            schedulable, shortfall, p80, status, status_reason AS why
        FROM mart.commitments WHERE owner = $1 AND coalesce(schedulable, 0) < quantity
        ORDER BY contract_date, contract, line, phase""",
    ),
    (
        "Open entries of the RAID log",
        ("raid",),
        "No entry of theirs is open.",
        _OPEN_RAID.format(
            who="CASE WHEN decider = $1 THEN 'decides' ELSE 'owns' END",
            types="'risk', 'issue', 'action', 'decision', 'change', 'waiver'",
            theirs="(owner = $1 OR decider = $1)",
        ),
    ),
)
QUERIES: dict[str, tuple[Subject, ...]] = {"vendor": _VENDORS, "site": _SITES, "owner": _OWNERS}
