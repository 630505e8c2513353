"""The four answers of page 1, against figures added up by hand from `sample_programme`."""

# ruff: noqa: E501 - expected sentences stand whole

from decimal import Decimal

from reports.build.decisions import impact
from reports.build.how_much import build_how_much, idle_lines
from reports.build.reports import build_reports
from reports.build.warehouse import Warehouse
from reports.build.what_changed import build_what_changed
from reports.build.when_sure import build_when_sure, record_sentence
from reports.models.executive import ExecutiveReport
from tests.reports import sample_programme as sp
from tests.reports.sample_warehouse import Rows, build_sample

Tables = dict[str, Rows]


def test_how_much_per_kind_in_its_own_unit(executive: ExecutiveReport) -> None:
    found = {
        c.kind: (c.contracted, c.due, c.schedulable, c.of_due, c.delta, c.status) for c in executive.how_much.classes
    }
    assert found["gpu_cluster"] == (5120, 3072, 2752, "89 %", 320, "red")
    assert found["cpu_cluster"] == (73728, 49152, 57344, "116 %", 4096, "amber")
    assert found["storage"] == (84, 60, Decimal("52.5"), "87 %", Decimal("-1.5"), "amber")
    assert found["backbone_node"][:4] == (144, 144, 72, "50 %")
    assert [c.kind for c in executive.how_much.classes] == list(sp.UNITS)
    assert executive.how_much.answer == (
        "2,752 of 3,072 GPUs due now are schedulable (89 %), +320 this week. Of 7 kinds: 2 red, 3 amber and 2 green."
    )


def test_next_three_quarter_ends_and_a_kind_without_forecast(executive: ExecutiveReport) -> None:
    answer = executive.how_much
    assert [end.isoformat() for end in answer.quarter_ends] == ["2026-12-31", "2027-03-31", "2027-06-30"]
    gpu, storage = answer.quarters[0], answer.quarters[2]
    assert (gpu.figures[0].due, gpu.figures[0].p50, gpu.figures[0].p80) == (5120, 4694, 4433)
    assert storage.figures[1].p50 is None
    assert "Storage" in answer.quarters_note


def test_paid_for_but_idle_in_days_and_cost(executive: ExecutiveReport) -> None:
    answer = executive.how_much
    # 320 accelerators x 59 d x 1450 / 30 = 912,533.33; 7.5 PB x 29 d x 9800 / 30 = 71,050
    assert [(i.contract, i.quantity, i.days, i.cost) for i in answer.idle] == [
        ("MSA-2025-014/10/1", 320, 59, Decimal("912533.33")),
        ("MSA-2025-022/10/1", Decimal("7.5"), 29, Decimal("71050")),
    ]
    assert (
        answer.idle_total
        == "Paid for but not schedulable: 2 contract lines, USD 984k since billing began; longest 59 d."
    )


def test_idle_without_billing_dates_is_not_rated_rather_than_zero() -> None:
    def change(tables: Tables) -> None:
        for row in tables["mart.commitments"]:
            row.update(billing_start=None, idle_quantity=0.0)

    assert "not rated" in idle_lines(Warehouse(build_sample(change)))[1]


def test_footnotes_name_waiver_and_exclusion(executive: ExecutiveReport) -> None:
    assert executive.how_much.footnotes == (
        "On waiver: 512 GPUs on waiver W-031 (earliest expiry 15 Nov 26).",
        "Excluded for missing evidence: 64 GPUs: benchmark file of rack R09 missing; 24 PB: STO-NRT1-A has no shipment rows.",
    )


def test_when_and_how_sure(executive: ExecutiveReport) -> None:
    answer = executive.when_sure
    assert answer.answer == (
        "All 5,120 GPUs: P50 11 Dec 26, P80 6 Jan 27; contract 15 Dec 26. Chance of meeting it: 38 % (last week 44 %)."
    )
    assert answer.record == (
        "17 of 24 past P80 dates held (70 %), so read P80 as about P70. Gates: of 40 gates forecast 28 days before, P50 "
        "held for 21 and P80 for 30 (75 %): read P80 as about P75; Brier score of the odds 0.125 over 6 contract dates, "
        "fewer than 10."
    )
    assert answer.curve is not None
    assert answer.curve.title == "GPU: 2,752 GPUs schedulable, 320 short of the 3,072 due"
    assert max(p.day for p in answer.curve.actual) <= sp.AS_OF


def test_record_says_when_it_is_weak_or_absent() -> None:
    few = Warehouse(
        build_sample(
            lambda t: t["mart.record"].__setitem__(slice(None), [{"scope": "x", "closed_forecasts": 4, "held": 3}])
        )
    )
    assert record_sentence(few).startswith("3 of 4 past P80 dates held (75 %); fewer than 10 cases, so weak evidence. ")
    none = Warehouse(build_sample(lambda t: (t["mart.record"].clear(), t["mart.calibration"].clear())))
    assert record_sentence(none) == (
        "no past P80 date of a contract line has come due yet. Gates: none has passed yet that was forecast 28 days "
        "before, so read P80 as untested."
    )


def test_no_history_no_date_and_the_reason() -> None:
    def change(tables: Tables) -> None:
        for name in ("mart.forecast", "mart.s_curve", "mart.quarter_ends", "hist.forecast"):
            tables[name].clear()

    answer = build_when_sure(Warehouse(build_sample(change)), sp.AS_OF)
    assert answer.curve is None
    assert answer.answer == "All 5,120 GPUs: no date can be given: no forecast has been made; contract 15 Dec 26."
    assert "No quarter-end figures" in build_how_much(Warehouse(build_sample(change))).quarters_note


def test_changes_add_up_to_delta_and_days_to_p80(executive: ExecutiveReport) -> None:
    changed = executive.what_changed
    assert changed.reconciled
    assert len(changed.lines) <= 6
    assert sum(line.p80_days or 0 for line in changed.lines) == 5
    assert changed.check == "Rows add up to Δ: GPU +320; CPU +4,096; Storage −1.5; Backbone +36, days to +5 d of P80."
    assert changed.lines[-1].what == "Baseline, scope, definitions, restatements"
    assert "shelf serial conflict" in changed.lines[-1].cause


def test_the_last_line_is_there_even_when_there_is_none() -> None:
    def change(tables: Tables) -> None:
        tables["mart.change_rows"] = [r for r in tables["mart.change_rows"] if r["component"] != "restated"]
        next(r for r in tables["mart.classes"] if r["kind"] == "storage")["delta"] = 0.0

    last = build_what_changed(Warehouse(build_sample(change)), sp.PREVIOUS).lines[-1]
    assert (last.quantity_text, last.cause) == ("0", "None.")


def test_a_gap_is_a_line_and_a_draft() -> None:
    con = build_sample(lambda tables: tables["mart.change_rows"].pop(0))
    _, executive = build_reports(con)
    gap = next(line for line in executive.what_changed.lines if line.what == "Not explained by rows")
    assert gap.quantity_text == "GPU +256"
    assert executive.header.issue_state == "DRAFT"
    assert any("do not add up" in reason for reason in executive.header.issue_reasons)
    assert len(executive.what_changed.lines) <= 6


def test_many_changes_stay_within_six_lines_and_lose_no_quantity() -> None:
    def change(tables: Tables) -> None:
        extra = [{**tables["mart.change_rows"][0], "system_id": f"GPU-X{n}", "quantity": 1.0} for n in range(40)]
        tables["mart.change_rows"] += extra
        next(r for r in tables["mart.classes"] if r["kind"] == "gpu_cluster")["delta"] = 360.0

    changed = build_what_changed(Warehouse(build_sample(change)), sp.PREVIOUS)
    assert changed.reconciled
    assert len(changed.lines) == 6
    rest = next(line for line in changed.lines if "other change" in line.what)
    shown = sum(line.quantity or 0 for line in changed.lines if line.kind == "gpu_cluster")
    assert f"GPU +{int(360 - shown)};" in rest.quantity_text


def test_first_week_has_nothing_to_compare() -> None:
    def change(tables: Tables) -> None:
        tables["meta.week"][0]["previous_week"] = None
        for name in list(tables):
            if name.startswith("hist.") or name.startswith("mart.change"):
                tables[name].clear()
        for row in tables["mart.classes"]:
            row["delta"] = None

    governance, executive = build_reports(build_sample(change))
    assert "First week" in executive.what_changed.answer
    assert governance.sections[1].message.startswith("First week")


def test_decisions_by_date_with_decider_and_consequence(executive: ExecutiveReport) -> None:
    answer = executive.decisions
    assert [(d.id, d.urgency) for d in answer.lines] == [("D-63", "overdue"), ("D-61", "due soon"), ("D-58", "")]
    assert answer.answer == "3 decisions open: 1 overdue, 1 due within 7 days. Oldest open: D-63, 19 d."
    assert answer.decided == "Decided since last week: D-57 (A: two parts), 26 Oct 26."
    assert answer.lines[0].decider == "Ruth Adeyemi (CPO)"
    assert impact(answer.lines[0]).endswith("P80 +6 d a week")


def test_more_than_five_decisions_are_counted_not_dropped() -> None:
    def change(tables: Tables) -> None:
        tables["mart.decisions"] += [{**tables["mart.decisions"][0], "id": f"D-9{n}"} for n in range(6)]

    _, executive = build_reports(build_sample(change))
    assert len(executive.decisions.lines) == 5
    assert executive.decisions.more == 4


def test_a_stale_source_fades_only_what_rests_on_it() -> None:
    def change(tables: Tables) -> None:
        next(r for r in tables["meta.sources"] if r["dataset"] == "sessions")["state"] = "stale"

    answer = build_how_much(Warehouse(build_sample(change)))
    assert {line.kind for line in answer.classes if line.stale} == {"pop", "backbone_node"}
    assert (
        answer.footnotes[-1]
        == "Faded, on old evidence: PoP: sessions held at 29 Oct; Backbone: sessions held at 29 Oct."
    )
