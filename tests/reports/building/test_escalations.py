"""Escalations, unowned and missing entries, and dates of contract lines, in both reports."""

from datetime import date

from reports.build.reports import build_reports
from reports.models.common import Paragraph, Table
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from tests.reports.sample_warehouse import Rows, build_sample, rows


def _escalated(tables: dict[str, Rows]) -> None:
    names = (
        "escalation_id rule subject system_id owner state level level_no addressee open_since weeks_open capacity unit"
        " days cause evidence closed_on closed_because change"
    )
    tables["mart.escalations"] = rows(
        names,
        ("overdue_decision:d-63", "overdue_decision", "D-63", "GPU-DFW2-A", "R. Chen", "open", "sponsor", 3, "Kim Aas",
         date(2026, 10, 9), 3, 320.0, "accelerators", 15, "decision D-63 was needed by 2026-10-15", "D-63", None, None,
         "level"),
        ("old_blocker:b-1", "old_blocker", "b", "STO-NRT1-A", "K. Mori", "open", "owner", 1, "K. Mori",
         date(2026, 10, 30), 0, 4.5, "PB", 35, "no evidence; open for 35 days", "B-0005", None, None, "raised"),
        ("regression:x", "regression", "x", "GPU-IAD3-A", "T. Becker", "closed", "owner", 1, "T. Becker",
         date(2026, 10, 16), 2, 8.0, "accelerators", None, "gate l1 had passed", "none", date(2026, 10, 30),
         "its cause is gone", "closed"),
        ("regression:y", "regression", "y", "GPU-IAD3-A", "T. Becker", "closed", "owner", 1, "T. Becker",
         date(2026, 9, 4), 1, 8.0, "accelerators", None, "gate l1 had passed", "none", date(2026, 9, 11),
         "its cause is gone", None),
    )  # fmt: skip
    tables["mart.escalation_steps"] = rows(
        "escalation_id step_no step in_week level",
        ("overdue_decision:d-63", 2, "level", "2026-W44", "sponsor"),
        ("overdue_decision:d-63", 1, "raised", "2026-W41", "owner"),
    )
    for row in tables["mart.raid"]:
        row |= {"missing_since": None, "owner_fault": None}
        row |= {"missing_since": "2026-W43"} if row["id"] == "R-12" else {}
        row |= {"owner_fault": "a team", "owner": "Optics team"} if row["id"] == "A-31" else {}
    row = tables["mart.commitments"][0]
    for other in tables["mart.commitments"]:
        other |= {"moved_days": 0, "dates_held": False, "claimed_contract_date": None, "baseline_id": "B1"}
        other |= {"claimed_internal_date": None, "first_contract_date": other["contract_date"]}
    row |= {"moved_days": 14, "dates_held": True, "claimed_contract_date": date(2027, 1, 29), "baseline_id": "B2"}
    line = "contract line phase system_id baseline_no contract_date internal_commit_date set_on set_by replaced_on"
    own = tuple(row[name] for name in ("contract", "line", "phase", "system_id"))
    tables["mart.baselines"] = rows(
        line,
        (*own, 2, date(2026, 12, 18), None, date(2026, 9, 4), "amendment 1, C-045", None),
        (*own, 1, date(2026, 12, 4), None, date(2026, 6, 5), "first signed line", date(2026, 9, 4)),
    )


def _both() -> tuple[GovernanceReport, ExecutiveReport]:
    return build_reports(build_sample(_escalated))


def _table(report: GovernanceReport, identity: str) -> Table:
    return next(b for s in report.sections for b in s.blocks if isinstance(b, Table) and b.id == identity)


def test_open_escalations_highest_level_first_then_those_closed_this_week() -> None:
    governance, executive = _both()
    found = _table(governance, "S9-escalations")
    assert found.title == "2 escalations open (1 at the sponsor and 1 at the owner): 1 new, 1 closed this week"
    told = [[cell.text for cell in row.cells] for row in found.rows]
    assert [row[0] for row in told] == ["Decision overdue", "Old blocker", "Gate regressed"]
    assert told[0] == [
        "Decision overdue", "GPU-DFW2-A", "sponsor", "Kim Aas", "3 weeks", "320 GPUs", "15 d",
        "decision D-63 was needed by 2026-10-15", "raised 2026-W41 (owner); level 2026-W44 (sponsor)",
    ]  # fmt: skip
    assert [row.cells[2].note for row in found.rows] == ["level raised", "new", "closed: its cause is gone"]
    assert [row.cells[7].link for row in found.rows] == ["RAID-D-63", "EV-B-0005", ""]
    page = next(p for p in executive.pages if p.id == "P4")
    assert next((b.text, b.link) for b in page.blocks if isinstance(b, Paragraph)) == (
        f"{found.title}.", "S9-escalations",
    )  # fmt: skip


def test_who_owns_nothing_and_what_is_missing_is_said() -> None:
    governance, _ = _both()
    risk = next(row for row in _table(governance, "S9-items").rows if row.id == "RAID-R-12")
    assert risk.cells[-1].text == "missing from the log since 2026-W43"
    action = next(row for row in _table(governance, "S10-actions").rows if row.id == "RAID-A-31")
    assert (action.cells[2].text, action.cells[2].note) == ("Optics team", "owner is a team")


def test_dates_that_moved_and_dates_that_are_held() -> None:
    governance, _ = _both()
    notes = [row.cells[5].note for row in _table(governance, "S2-lines").rows]
    (note,) = [note for note in notes if "B2" in note]
    assert note.endswith("register says 2027-01-29, internal none, without a decision")
    assert "B2, +14 d since first" in note
    kept = [[cell.text for cell in row.cells[2:4]] for row in _table(governance, "S2-baselines").rows]
    assert kept == [["B1", "4 Dec 26"], ["B2", "18 Dec 26"]]


def test_where_nothing_was_escalated_it_is_said() -> None:
    def change(tables: dict[str, Rows]) -> None:
        _escalated(tables)
        tables["mart.escalations"] = [row for row in tables["mart.escalations"] if row["change"] is None]

    governance, executive = build_reports(build_sample(change))
    texts = [b.text for s in governance.sections for b in s.blocks if isinstance(b, Paragraph)]
    assert "No rule raised an escalation." in texts
    page = next(p for p in executive.pages if p.id == "P4")
    told = [b.text for b in page.blocks if isinstance(b, Paragraph)]
    assert "No escalation open, 0 closed this week." in told
