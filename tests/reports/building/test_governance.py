"""Sections of the governance report: all there, absent data said, checks shown, links alive."""

# ruff: noqa: E501 - expected sentences stand whole

from decimal import Decimal

import pytest

from reports.build.figures import heat_map, waterfall
from reports.build.how_much import class_rows
from reports.build.reports import build_reports, targets
from reports.build.sections.changes import bridge_row
from reports.build.warehouse import Record, Warehouse
from reports.models.canonical import to_json
from reports.models.common import Paragraph, Table
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from tests.reports.sample_warehouse import Rows, build_sample, write_tables


def texts(report: GovernanceReport, number: str) -> list[str]:
    section = next(s for s in report.sections if s.number == number)
    return [b.text if isinstance(b, Paragraph) else b.title for b in section.blocks]


def test_sections_0_to_12_and_an_annex(governance: GovernanceReport) -> None:
    assert [s.number for s in governance.sections] == [str(n) for n in range(13)]
    assert len(governance.sheets) == 12
    assert governance.definitions
    assert governance.evidence


@pytest.mark.parametrize(
    ("number", "dataset"),
    [("6", "po_schedule"), ("7", "facility_capacity"), ("7", "failures")],
)
def test_what_was_not_delivered_is_said(governance: GovernanceReport, number: str, dataset: str) -> None:
    assert f"no data: {dataset} not delivered" in texts(governance, number)


def test_rows_read_equal_rows_accepted_and_quarantined(governance: GovernanceReport) -> None:
    assert governance.sections[0].message.endswith("5,080 rows read = 5,071 accepted + 9 quarantined")
    ledger = next(b for b in governance.sections[0].blocks if isinstance(b, Table) and b.id == "S0-ledger")
    check = [c.label for c in ledger.columns].index("Check")
    assert {row.cells[check].status for row in ledger.rows} == {"balanced"}


@pytest.mark.parametrize(
    ("withdrawn", "closing", "state"),
    [("-64", "352", "balanced"), ("64", "352", "balanced"), ("64", "353", "unbalanced")],
)
def test_bridge_checks_its_sum(withdrawn: str, closing: str, state: str) -> None:
    row = Record({"kind": "gpu_cluster", "unit": "accelerators", "opening": Decimal(32), "flow_in": Decimal(384),
                  "withdrawn": Decimal(withdrawn), "closing": Decimal(closing)})  # fmt: skip
    assert bridge_row(row).cells[-1].status == state


def test_waterfall_that_does_not_close_is_withheld_and_makes_a_draft() -> None:
    def change(tables: dict[str, Rows]) -> None:
        next(r for r in tables["mart.funnel"] if r["held"])["held"] += 1

    con = build_sample(change)
    warehouse = Warehouse(con)
    gpu = waterfall(warehouse, class_rows(warehouse)[0])
    assert isinstance(gpu, Paragraph)
    assert "withheld" in gpu.text
    governance, _ = build_reports(con)
    assert any("withheld" in reason for reason in governance.header.issue_reasons)


def test_heat_map_puts_red_sites_first_and_names_the_gate(sample) -> None:  # type: ignore[no-untyped-def]
    heat = heat_map(Warehouse(sample))
    assert heat is not None
    assert {heat.rows[0].site_id, heat.rows[1].site_id} == {"DFW-2", "LHR-1"}
    assert "red at 1 of 5 sites" in heat.title


def test_every_link_leads_somewhere(governance: GovernanceReport, executive: ExecutiveReport) -> None:
    known = targets(governance)
    blocks = [b for part in (*governance.sections, *governance.sheets, *governance.evidence) for b in part.blocks]
    blocks += [b for page in executive.pages for b in page.blocks]
    links = {c.link for b in blocks if isinstance(b, Table) for row in b.rows for c in row.cells if c.link}
    assert links
    assert links <= known
    assert {c.link for c in executive.how_much.classes} <= known
    assert {d.link for d in executive.decisions.lines} <= known


def test_each_blocker_has_an_evidence_page_with_file_and_row(governance: GovernanceReport) -> None:
    pages = {e.id: e for e in governance.evidence}
    rows = next(b for b in pages["EV-B-0005"].blocks if isinstance(b, Table))
    assert len(rows.rows) == 12
    assert "first 12 of 16 rows, worst first" in rows.note
    assert [row.cells[3].text for row in rows.rows[:2]] == ["nccl_r14.log, row 23", "nccl_r14.log, row 29"]
    assert [row.cells[1].value for row in rows.rows[:2]] == [Decimal("341.2"), Decimal(352)]
    assert isinstance(pages["EV-B-0011"].blocks[0], Paragraph)


def test_a_capped_table_says_how_many_rows_it_left_out(governance: GovernanceReport) -> None:
    findings = next(b for s in governance.sections for b in s.blocks if isinstance(b, Table) and b.id == "S11-findings")
    assert "8 more findings of the same kinds" in findings.note


def test_watermelon_is_told_on_the_sheet(governance: GovernanceReport) -> None:
    sheet = next(s for s in governance.sheets if s.system_id == "GPU-DFW2-A")
    assert dict(sheet.facts)["Claimed status"] == "Green, against the evidence (Red)"


def test_registry_definitions_win_over_our_own() -> None:
    con = build_sample()
    con.execute(
        "CREATE TABLE mart.metric_definitions AS SELECT 'schedulable' AS metric, 'Schedulable' AS title, 'u' AS unit, 'from the registry' AS definition, 'f' AS formula"
    )
    governance, _ = build_reports(con)
    assert next(d for d in governance.definitions if d.id == "DEF-schedulable").meaning == "from the registry"


def test_an_empty_warehouse_still_gives_a_report_that_says_so() -> None:
    governance, executive = build_reports(write_tables({}))
    assert executive.header.issue_state == "NOT RATED"
    assert executive.how_much.answer == "Not rated: no commitment in force."
    assert len(governance.sections) == 13


def test_systems_without_a_contract_line_are_never_called_done() -> None:
    def change(tables: dict[str, Rows]) -> None:
        for name in ("mart.commitments", "mart.forecast", "hist.forecast", "hist.commitments"):
            tables[name].clear()
        for row in tables["mart.classes"]:
            row.update(contracted=0, due=0, schedulable=0, status="grey")

    governance, executive = build_reports(build_sample(change))
    assert executive.header.issue_state == "NOT RATED"
    assert executive.when_sure.answer == "Not rated: no GPU contract line is in force."
    assert {line.note for line in executive.when_sure.lines} == {"nothing contracted"}
    text = to_json(governance) + to_json(executive)
    assert "all schedulable" not in text
    assert "Every contract line is green" not in text
    assert "All contracted capacity is schedulable" not in text


def test_escalations_say_what_is_not_met() -> None:
    def change(tables: dict[str, Rows]) -> None:
        for row in tables["mart.commitments"]:
            row["driver"] = "power_bringup: Planned capacity is powered: no evidence"

    _, executive = build_reports(build_sample(change))
    sheet = next(b for page in executive.pages for b in page.blocks if getattr(b, "id", "") == "P4-escalations")
    assert isinstance(sheet, Table)
    analysis = {row.cells[2].text for row in sheet.rows}
    assert analysis == {"Not met at gate power bringup: Planned capacity is powered: no evidence"}


def test_each_mart_table_may_be_absent() -> None:
    full = build_sample()
    names = [
        f"{s}.{t}" for s, t in full.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
    ]
    for name in sorted(n for n in names if n != "meta.week"):
        build_reports(build_sample(lambda tables, name=name: tables[name].clear()))  # type: ignore[misc]


def test_the_seven_day_mean_stands_beside_the_point_value() -> None:
    con = build_sample()
    con.execute(
        "CREATE TABLE mart.metrics AS SELECT 'schedulable_mean_7d' AS metric, 'GPU-DFW2-A' AS system_id, 1719.25 AS value"
    )
    sheets = {sheet.system_id: dict(sheet.facts) for sheet in build_reports(con)[0].sheets}
    assert sheets["GPU-DFW2-A"]["Schedulable, 7-day mean"] == "1,719.2 GPUs"
    assert "Schedulable, 7-day mean" not in sheets["POP-NRT1"]
