"""What a run says about good data, bad data, no data and expectations that could not be computed."""

import socket
from datetime import date, datetime
from decimal import Decimal

import duckdb
import pytest

from expectations import run
from expectations.run import ExpectationResult, run_expectations
from expectations.suites import Expectation

AS_OF = date(2026, 10, 30)
NOON = datetime(2026, 10, 29, 12)
SITE = {"site_id": "ORD1", "name": "Chicago One", "facility": "colo"}
SYSTEM = {"system_id": "gpu-a", "name": "GPU A", "kind": "gpu_cluster", "site_id": "ORD1", "supply_model": "owned"}


def source(candidate, dataset: str, state: str = "fresh", age: float | None = 1, required: bool = True) -> None:
    values = [f"{dataset} feed", dataset, required, 7.0, NOON if age is not None else None, age, state]
    candidate.execute("INSERT INTO meta.sources VALUES (?, ?, ?, ?, ?, ?, ?)", values)


def ledger(candidate, dataset: str, read: int, quarantined: int, in_force: bool = True) -> None:
    values = [f"{dataset} feed", dataset, read, quarantined, in_force]
    columns = "source, dataset, rows_read, open, in_force"
    candidate.execute(f"INSERT INTO meta.ledger ({columns}) VALUES (?, ?, ?, ?, ?)", values)


def check(candidate, *datasets: str) -> dict[tuple[str, str, str | None], ExpectationResult]:
    results = run_expectations(candidate.path, candidate.contracts, datasets, AS_OF)
    found = {(each.dataset, each.expectation, each.column): each for each in results}
    assert len(found) == len(results)
    return found


def failed(found) -> list[tuple[str, str, str | None]]:
    return [place for place, result in found.items() if not result.success]


def test_good_data_passes_everything(candidate) -> None:
    candidate.add("sites", SITE)
    candidate.add("systems", SYSTEM)
    for dataset in ("sites", "systems"):
        source(candidate, dataset)
        ledger(candidate, dataset, 100, 5)
    found = check(candidate, "sites", "systems")
    assert failed(found) == []
    assert all(result.computed and not result.blocking for result in found.values())
    assert list(found) == [
        ("sites", "row_count", None), ("sites", "key_unique", "site_id"), ("sites", "fresh", None),
        ("sites", "quarantine_share", None), ("systems", "row_count", None), ("systems", "key_unique", "system_id"),
        ("systems", "reference", "site_id"), ("systems", "fresh", None), ("systems", "quarantine_share", None),
    ]  # fmt: skip
    assert found["systems", "reference", "site_id"].message == "Holds: every site_id of systems is a site_id of sites."


def test_a_dataset_that_nobody_delivers_is_not_evaluated(candidate) -> None:
    assert check(candidate, "sites", "bom", "raid") == {}


def test_an_empty_dataset_with_a_source_is_no_pass(candidate) -> None:
    source(candidate, "sites", "missing", None)
    found = check(candidate, "sites")
    assert failed(found) == [("sites", "row_count", None), ("sites", "fresh", None)]
    assert found["sites", "row_count", None].message == "Found 0 rows. Expected: sites has at least 1 row in force."
    assert found["sites", "row_count", None].severity == "error"
    assert found["sites", "fresh", None].message == (
        "1 source fails. Expected: every required source of sites has delivered within its max_age."
        " For example sites feed is missing."
    )


def test_a_repeated_key_of_a_core_dataset_blocks(candidate) -> None:
    candidate.add("sites", SITE, SITE | {"site_id": "DAL2"}, SITE | {"site_id": " ord1"})
    result = check(candidate, "sites")["sites", "key_unique", "site_id"]
    assert (result.success, result.blocking, result.severity, result.unexpected_count) == (False, True, "error", 2)
    assert result.message == (
        "2 of 3 rows fail. Expected: every row of sites has a site_id of its own, over all files in force."
        " For example ORD1 (sites.csv row 2),  ord1 (sites.csv row 4)."
    )


def test_a_repeated_key_of_another_dataset_does_not_block(candidate) -> None:
    link = {"project_id": "main", "pred": "A", "succ": "B", "type": "FS", "pred_project_id": "main"}
    candidate.add("activity_links", link, link, link | {"succ": "C"})
    candidate.add("activities", *({"task": task, "name": task} for task in "ABC"))
    key = "project_id, pred, succ, type, pred_project_id"
    result = check(candidate, "activity_links")["activity_links", "key_unique", key]
    assert (result.success, result.blocking, result.unexpected_count) == (False, False, 2)


def test_a_reference_to_nothing_names_value_file_and_row(candidate) -> None:
    candidate.add("sites", SITE)
    places = {"a": "ORD1", "b": "ord1", "c": "LAX9", "d": None}
    candidate.add("systems", *(SYSTEM | {"system_id": name, "site_id": place} for name, place in places.items()))
    result = check(candidate, "systems")["systems", "reference", "site_id"]
    assert (result.success, result.blocking, result.unexpected_count) == (False, False, 1)
    assert result.message == (
        "1 of 4 rows fails. Expected: every site_id of systems is a site_id of sites."
        " For example LAX9 (systems.csv row 4)."
    )


def test_a_reference_into_a_dataset_that_nobody_delivers_waits(candidate) -> None:
    candidate.add("systems", SYSTEM)
    assert ("systems", "reference", "site_id") not in check(candidate, "systems")


@pytest.mark.parametrize(
    ("state", "age", "required", "rule", "severity"),
    [
        ("stale", 9.5, True, "fresh", "error"),
        ("fresh", 9.5, True, "fresh", "error"),
        ("rejected", None, True, "fresh", "error"),
        ("missing", None, False, "fresh_optional", "warning"),
    ],
)
def test_an_old_or_absent_delivery_is_not_fresh(candidate, state, age, required, rule, severity) -> None:
    candidate.add("sites", SITE)
    source(candidate, "sites", state, age, required)
    result = check(candidate, "sites")["sites", rule, None]
    assert (result.success, result.severity, result.unexpected_count, result.blocking) == (False, severity, 1, False)
    assert ("9.5 days old (at most 7.0)" in result.message) is (age is not None)


def test_more_than_a_twentieth_in_quarantine_is_a_warning(candidate) -> None:
    candidate.add("sites", SITE)
    ledger(candidate, "sites", 100, 6)
    ledger(candidate, "sites", 1000, 1000, in_force=False)
    result = check(candidate, "sites")["sites", "quarantine_share", None]
    assert (result.success, result.severity) == (False, "warning")
    assert "sites feed has 6 of 100 rows in quarantine" in result.message


def test_what_has_happened_cannot_lie_in_the_future(candidate) -> None:
    gate = {"system_id": "gpu-a", "block": "all", "gate": "handed_over", "outcome": "approve", "approver": "x"}
    candidate.add("gate_decisions", gate | {"decided": AS_OF}, gate | {"decided": date(2026, 10, 31), "block": "b"},
                  gate | {"decided": date(2026, 11, 1), "block": "c"})  # fmt: skip
    result = check(candidate, "gate_decisions")["gate_decisions", "no_future_actual", "decided"]
    assert (result.success, result.unexpected_count, result.severity) == (False, 1, "error")
    assert "decided 2026-11-01 (gate_decisions.csv row 4)" in result.message


def test_an_instant_in_the_future_is_seen_too(candidate) -> None:
    state = {"system_id": "s", "usable": Decimal(1), "serving": True}
    candidate.add("storage_state", state | {"observed_at": NOON}, state | {"observed_at": datetime(2027, 1, 1)})
    assert not check(candidate, "storage_state")["storage_state", "no_future_actual", "observed_at"].success


def test_a_column_that_most_rows_leave_empty_is_a_warning(candidate) -> None:
    asset = {"part_number": "P", "status": "active"}
    candidate.add("installs", *(asset | {"asset_id": f"A{n}", "serial": f"S{n}" if n < 8 else None} for n in range(10)))
    result = check(candidate, "installs")["installs", "filled_share", "serial"]
    assert (result.success, result.severity, result.unexpected_count) == (False, "warning", 2)
    assert result.observed == "2 of 10 rows without a value"


def order(line: str, quantity: int) -> dict[str, object]:
    return {
        "po": "45",
        "line": line,
        "part_number": "P",
        "quantity": Decimal(quantity),
        "vendor": "V",
        "status": "open",
    }


def test_rules_over_several_tables(candidate) -> None:
    candidate.add("purchase_orders", order("1", 10), order("2", 10))
    receipt = {"po": "45", "part_number": "P", "site_id": "ORD1", "place": "site", "received": date(2026, 10, 1)}
    candidate.add(
        "receipts",
        receipt | {"receipt": "R1", "line": "1", "po_line": "1", "qty_good": Decimal(8)},
        receipt | {"receipt": "R2", "line": "1", "po_line": "1", "qty_good": Decimal(3)},
        receipt | {"receipt": "R3", "line": "1", "po_line": "2", "qty_good": Decimal(10)},
        receipt | {"receipt": "R4", "line": "1", "po_line": "7", "qty_good": Decimal(1)},
        receipt | {"receipt": "R5", "line": "1", "po": "46", "po_line": "7", "qty_good": Decimal(1)},
    )
    found = check(candidate, "purchase_orders", "receipts")
    over = found["purchase_orders", "not_over_received", None]
    assert (over.success, over.unexpected_count) == (False, 1)
    assert "45 / 1 (purchase_orders.csv row 2)" in over.message
    assert found["receipts", "known_po_line", None].unexpected_count == 1
    assert found["receipts", "reference", "po"].unexpected_count == 1
    assert ("purchase_orders", "not_over_promised", None) not in found


def test_every_table_rule_computes(candidate) -> None:
    today = {"date": AS_OF, "ts": NOON, "local": NOON, "bool": True, "int": 1, "dec": Decimal(1), "money": Decimal(1),
             "float": 1.0, "price": Decimal(1)}  # fmt: skip
    for contract in candidate.contracts.values():
        candidate.add(contract.name, {
            c.name: c.values[0] if c.values else today.get(c.type, "x") for c in contract.columns
        })  # fmt: skip
    found = check(candidate, *candidate.contracts)
    assert [place for place, result in found.items() if not result.computed] == []
    rules = {(contract.name, rule.name) for contract in candidate.contracts.values() for rule in contract.rules}
    assert rules <= {(dataset, expectation) for dataset, expectation, _ in found}


def test_an_expectation_that_raises_is_a_blocking_error(candidate, monkeypatch) -> None:
    candidate.add("sites", SITE)
    query = {"unexpected_rows_query": "SELECT no_such_column FROM {batch}"}
    broken = Expectation(
        "sites", "x", None, "warning", ("stg", "sites"), "UnexpectedRowsExpectation", query, "all is well"
    )
    absent = Expectation(
        "sites", "y", None, "warning", ("stg", "gone"), "ExpectTableRowCountToBeBetween", {}, "it is there"
    )
    monkeypatch.setattr(run, "expectations_of", lambda *_: [broken, absent])
    results = run_expectations(candidate.path, candidate.contracts, ["sites"], AS_OF)
    assert [(r.computed, r.success, r.blocking, r.severity) for r in results] == [(False, False, True, "error")] * 2
    assert results[0].message.startswith("Could not be computed: all is well. ")
    assert "no_such_column" in results[0].message
    assert results[1].message == "Could not be computed: it is there. No result came back."


def test_a_run_leaves_nothing_behind(candidate, tmp_path, monkeypatch, capfd) -> None:
    """No file, no output, no network, and the database free for a writer of the same process."""
    candidate.add("sites", SITE, SITE)
    source(candidate, "sites")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a run must not reach for the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    check(candidate, "sites")
    assert list(here.iterdir()) == []
    assert capfd.readouterr() == ("", "")
    with duckdb.connect(candidate.path) as con:
        con.execute("CREATE TABLE meta.expectations (dataset VARCHAR)")
