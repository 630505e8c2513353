"""Section 5: health, record, forecast, drivers, claims; and what it says where no schedule is delivered."""

from reports.build.calibration import calibration_sentence
from reports.build.reports import build_reports
from reports.build.warehouse import Warehouse
from reports.models.charts import Tornado
from reports.models.common import Paragraph, Section, Table
from reports.models.governance import GovernanceReport
from tests.reports.sample_warehouse import Rows, build_sample

Tables = dict[str, Rows]


def section(report: GovernanceReport) -> Section:
    return next(one for one in report.sections if one.number == "5")


def delivered(tables: Tables) -> None:
    row = {**tables["meta.ledger"][0], "dataset": "activities", "source": "schedule", "file": "plan.xer"}
    tables["meta.ledger"].append(row)
    tables["meta.sources"].append({**tables["meta.sources"][0], "dataset": "activities", "source": "schedule"})


def made(change=delivered) -> Section:
    return section(build_reports(build_sample(change))[0])


def found(part: Section, identity: str) -> Table:
    return next(block for block in part.blocks if isinstance(block, Table) and block.id == identity)


def test_without_a_schedule_the_network_is_that_of_the_playbooks(governance: GovernanceReport) -> None:
    first = section(governance).blocks[0]
    assert isinstance(first, Paragraph)
    assert first.text == (
        "no data: activities not delivered; no schedule file is delivered: the network is that of the playbooks' gates "
        "and lead times"
    )


def test_health_is_counted_and_stands_first() -> None:
    part = made()
    health = found(part, "S5-health")
    assert part.blocks[0] is health
    assert health.title == "Health of 1 schedule at the data date 30 Oct 26: 1 of 3 checks failed"
    assert [row.cells[1].text for row in health.rows] == ["1", "2", "13", "–"]
    assert [row.cells[7].value for row in health.rows] == ["fail", "pass", "no data", "info"]
    assert health.note == "Judged by: DCMA-EA PAM 200.1; floats.high_days 30."
    assert part.message == "1 of 3 health checks failed; 2 activities claimed done without evidence"


def test_claims_without_evidence_are_listed_longest_first() -> None:
    claims = found(made(), "S5-claims")
    assert [row.cells[0].text for row in claims.rows] == ["A1020", "A1030"]
    assert [row.cells[4].text for row in claims.rows] == ["23 Oct 26", "100 %"]
    assert [row.cells[5].text for row in claims.rows] == ["6 wd", "2.5 wd"]
    assert claims.title == "2 activities claimed done without the evidence of the gate: not done"


def test_the_record_stands_before_the_forecast() -> None:
    part = made()
    place = {getattr(block, "id", getattr(block, "text", "")[:10]): number for number, block in enumerate(part.blocks)}
    assert place["Our record"] < place["S5-forecast"]
    record = next(
        block for block in part.blocks if isinstance(block, Paragraph) and block.text.startswith("Our record")
    )
    assert record.text == (
        "Our record: of 40 gates forecast 28 days before, P50 held for 21 and P80 for 30 (75 %): read P80 as about "
        "P75; Brier score of the odds 0.125 over 6 contract dates, fewer than 10."
    )


def test_few_cases_are_told_as_weak() -> None:
    def few(tables: Tables) -> None:
        tables["mart.calibration"][0].update(gates=3, p50_held=1, p80_held=3, enough=False, dates=0, brier=None)

    assert calibration_sentence(Warehouse(build_sample(few))) == (
        "of 3 gates forecast 28 days before, P50 held for 1 and P80 for 3 (100 %), fewer than 10 cases: weak evidence"
    )


def test_rates_carry_their_number_of_cases() -> None:
    rows = found(made(), "S5-record").rows
    assert [row.cells[4].text for row in rows] == ["30 (75 %)", "6 (75 %)", "17 (70 %)"]
    assert [row.cells[4].note for row in rows] == ["", "n = 8", ""]


def test_drivers_and_tornado_say_what_decides() -> None:
    part = made()
    drivers = found(part, "S5-drivers-gpu_cluster")
    assert [(row.cells[0].text, row.cells[4].text) for row in drivers.rows] == [
        ("Benchmark acceptance, GPU-DFW2-A", "91 %"),
        ("shipment S-12 of Vantor, told for 2026-11-17", "74 %"),
    ]
    (tornado,) = (block for block in part.blocks if isinstance(block, Tornado))
    assert tornado.title == "GPU: Benchmark acceptance, GPU-DFW2-A moves P80 by 28 days"
    assert [bar.label for bar in tornado.bars] == ["Benchmark acceptance, GPU-DFW2-A", "risk R-3: customs strike"]


def test_open_activities_are_listed_by_float_without_those_that_are_done() -> None:
    rows = found(made(), "S5-activities").rows
    assert [(row.cells[0].text, row.cells[6].text, row.cells[7].text) for row in rows] == [
        ("A1040", "0 wd", "longest path"), ("A1050", "12.5 wd", "\u2013"),
    ]  # fmt: skip


def test_what_the_forecast_rests_on_is_folded_with_what_was_left_out_last() -> None:
    rests = found(made(), "S5-assumptions")
    assert rests.folded
    assert [row.cells[9].text for row in rests.rows] == [
        "16 of 16 units", "risk R-9 names no system of the network and delays nothing",
    ]  # fmt: skip
