"""Maps, facilities and code lists: reference data is checked like any other."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.contract import load_contracts
from turnup.formats import FileRejected, inspect
from turnup.formats.topology.geography import judge

CONTRACTS = load_contracts()


@pytest.fixture
def look(tmp_path):
    """Write a text under a name and inspect it."""

    def looker(text, name):
        path = tmp_path / "content"
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        found = inspect(path, name, CONTRACTS)
        assert found.ledger.balanced
        return found

    return looker


def facts(found):
    return {fact.name: fact.value for fact in found.facts}


def codes(found):
    return [finding.code for finding in found.findings]


GRAPH = """Creator "somebody"
graph [
  Network "Backbone "
  NetworkDate "2011_03"
  node [ id 0 label "Chicago" Country "United States" Latitude 41.85 Longitude -87.65 ]
  node [ id 1 label "Milan" Country "Italy" Latitude 9.19 Longitude 45.46 ]
  node [
    id 2
    label "None"
  ]
  # a remark [
  edge [ source 0 target 1 ]
  edge [ source 1 target 0 LinkLabel "x ] y" ]
  edge [ source 0 target 7 ]
]
"""


def test_a_map_of_a_network_is_described_and_checked(look):
    found = look(GRAPH, "map.gml")
    assert (found.format, found.dataset) == ("gml", None)
    expected = {
        "nodes": 3, "edges": 3, "nodes_without_latitude": 1, "nodes_without_name": 1, "parallel_pairs": 1,
        "network": "Backbone", "network_date": "2011-03", "countries": 2,
    }  # fmt: skip
    assert {name: facts(found)[name] for name in expected} == expected
    told = {finding.code: finding for finding in found.findings}
    assert set(told) == {"wrong_place", "node_without_place", "node_without_name", "unknown_node", "parallel_edges"}
    assert told["wrong_place"].row == 6
    assert "swapped" in told["wrong_place"].message
    assert told["unknown_node"].value == "7"


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_a_cut_map_is_refused(look, keep):
    found = look(GRAPH[: int(len(GRAPH) * keep)], "map.gml")
    assert [finding.severity for finding in found.findings] == ["error"]
    assert codes(found) == ["gml"]


@given(st.text(alphabet='[]"# ab\n1', max_size=60))
def test_any_text_is_a_graph_or_refused_by_line(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.gml"
    path.write_text(f"graph [\n{text}", encoding="utf-8")
    found = inspect(path, "any.gml", CONTRACTS)
    assert found.ledger.balanced
    assert all(finding.code != "reader_failed" for finding in found.findings)


FACILITY = {"id": 1, "org_id": 1, "name": "F1", "city": "Chicago", "state": "Illinois", "country": "US",
            "latitude": 41.85, "longitude": -87.65}  # fmt: skip


def test_m63_a_facility_must_lie_where_its_address_is(look):
    places = [
        {},
        {"id": 2, "name": "F2", "latitude": 21.33, "longitude": -157.917855},
        {"id": 3, "name": "F3", "latitude": 0.0, "longitude": 0.0},
        {"id": 4, "name": "F4", "latitude": -87.65, "longitude": 41.85},
        {"id": 5, "name": "F5", "latitude": None, "longitude": None},
        {
            "id": 6,
            "name": "F6",
            "country": "DE",
            "state": "",
            "city": "Frankfurt",
            "latitude": 50.11,
            "longitude": 8.68,
        },
        {"id": 6, "name": "F7", "country": "DE", "state": "", "city": "Frankfurt"},
    ]
    found = look({"data": [FACILITY | place for place in places], "meta": {}}, "fac.json")
    assert facts(found)["facility_records"] == 7
    assert (facts(found)["places_wrong"], facts(found)["places_not_judged"]) == (4, 1)
    wrong = {finding.row: finding.message for finding in found.findings if finding.code == "wrong_place"}
    assert sorted(wrong) == [2, 3, 4, 7]
    assert "near Hawaii" in wrong[2]
    assert "not captured" in wrong[3]
    assert "swapped" in wrong[4]
    assert ("duplicate_value", "error", "6") in {(f.code, f.severity, f.value) for f in found.findings}


@pytest.mark.parametrize(
    ("country", "state", "latitude", "longitude", "right"),
    [
        ("US", "IL", "41.88", "-87.63", True), ("United States", "Hawaii", "21.3", "-157.9", True),
        ("US", None, "41.88", "-87.63", True), ("NL", None, "52.30", "4.94", True),
        ("Singapore", None, "1.33", "103.7", True), ("JP", None, "35.6", "139.7", True),
        ("GB", None, "51.5", "-0.1", True), ("GB", None, "48.9", "2.35", False),
        ("BR", None, "-23.5", "-46.6", True), ("XX", None, "10", "10", None), ("US", "IL", "91", "0", False),
        ("US", "IL", "north", "0", False), ("US", "IL", None, "0", None),
    ],
)  # fmt: skip
def test_m63_countries_and_states_hold_their_cities(country, state, latitude, longitude, right):
    assert judge(country, state, latitude, longitude).right is right


def test_networks_with_the_same_number_or_name_are_told(look):
    def network(number, asn, name):
        fields = {"asn": asn, "name": name, "irr_as_set": "", "org_id": 1}
        return {"model": "django_peeringdb.network", "pk": number, "fields": fields}

    found = look([network(1, 64500, "A"), network(2, 64501, "B"), network(3, 64501, "b")], "net.json")
    assert facts(found)["asns"] == ("64500", "64501", "64501")
    told = [(finding.code, finding.severity, finding.column) for finding in found.findings]
    assert told == [("duplicate_value", "error", "asn"), ("duplicate_value", "warning", "name")]


SUBDIVISIONS = """SUCountry,SUCode,SUName,SUType
AD,02,Canillo,Parish
NA,CA,Zambezi,Region
NA,ER,Erongo,Region
MA,KES,One,Province
MA,KES,One,Province
MA,KES,Two,Province
NA,None,None,Region
"""


def test_m30_na_and_none_are_text_in_a_code_list(look):
    found = look(SUBDIVISIONS, "subdivisions.csv")
    assert found.format == "unlocode_subdivisions"
    assert facts(found)["rows"] == 7
    assert facts(found)["rows_of_country_na"] == 3
    assert facts(found)["codes_of_form_0n"] == 1
    assert ("odd_value", "None") in {(finding.code, finding.value) for finding in found.findings}


def test_b11_duplicates_and_keys_with_two_names_are_counted_and_listed(look):
    found = look(SUBDIVISIONS, "subdivisions.csv")
    assert facts(found)["surplus_duplicate_rows"] == 1
    assert facts(found)["surplus_by_key"] == ("MA-KES: 1",)
    assert facts(found)["keys_with_several_names"] == ("MA-KES",)
    told = {finding.code: finding.row for finding in found.findings}
    assert told["duplicate_row"] == 6
    assert told["key_conflict"] == 7


LOCATIONS = "Change,Country,Location,Name,NameWoDiacritics,Subdivision,Status,Function,Date,IATA,Coordinates,Remarks\n"


def test_b11_a_release_with_every_row_twice_and_columns_swapped_in_half_is_seen(look):
    rows = [f",NA,W{letter}H,Windhoek {letter},Windhoek,KH,AI,1-3-----,0501,,2233S 01705E," for letter in "ABC"]
    swapped = [row.replace("AI,1-3-----", "1-3-----,AI") for row in rows]
    found = look(LOCATIONS + "\n".join(rows + swapped) + "\n", "locations.csv")
    assert found.format == "unlocode_locations"
    assert facts(found)["repeated_keys"] == 3
    odd = [(finding.column, finding.value) for finding in found.findings if finding.code == "odd_value"]
    assert odd == [("status", "1-3-----"), ("function", "AI")] * 3
    assert "it looks like function" in next(f.message for f in found.findings if f.column == "status")


def test_b11_a_release_that_lost_its_letters_is_an_error(look):
    rows = [",MA,KE?,El Kel?a,El Kelaa,KES,AI,1-------,0501,,,", ",NA,WDH,Windhoek,Windhoek,KH,AI,1-3-----,0501,,,"]
    found = look(LOCATIONS + "\n".join(rows) + "\n", "locations.csv")
    assert facts(found)["names_with_lost_letters"] == 1
    assert facts(found)["share_of_lost_letters"] == "0.5000"
    assert ("lost_letters", "error", "name") in {(f.code, f.severity, f.column) for f in found.findings}


def test_what_feeds_nothing_says_so_when_a_source_names_it(read):
    for text, name in ((GRAPH, "map.gml"), (json.dumps({"data": [FACILITY]}), "fac.json")):
        with pytest.raises(FileRejected, match="dataset"):
            read(text, contract=CONTRACTS["circuits"], name=name, format="auto")


@pytest.mark.parametrize("wrap", [lambda rows: {"data": rows, "meta": {}}, lambda rows: rows])
def test_facilities_become_rows_with_what_is_wrong_of_their_place(read, wrap):
    misplaced = FACILITY | {"id": 2, "name": "F2", "latitude": 0.0, "longitude": 0.0, "org_name": "Someone"}
    unplaced = FACILITY | {"id": 3, "name": "F3", "latitude": None, "longitude": None}
    network = {"id": 9, "asn": 64500, "irr_as_set": "", "org_id": 1, "name": "N"}
    table = read(
        json.dumps(wrap([FACILITY, misplaced, network, unplaced])), contract=CONTRACTS["facilities"], name="fac.json",
        format="auto",
    )  # fmt: skip
    assert table.ledger.balanced
    assert (table.ledger.data, table.ledger.other) == (3, 1)
    columns = table.frame.select("facility_id", "name", "operator", "country", "latitude", "place_fault").rows()
    assert columns == [
        ("1", "F1", None, "US", "41.85", None),
        ("2", "F2", "Someone", "US", "0.0", "0, 0 is a point in the Gulf of Guinea: not captured"),
        ("3", "F3", None, "US", None, None),
    ]
    assert [(finding.code, finding.severity, finding.row) for finding in table.findings] == [
        ("wrong_place", "warning", 2)
    ]


def test_a_table_of_facilities_is_checked_alike(read):
    text = "id,name,city,country,latitude,longitude\n1,F1,Milan,IT,9.19,45.46\n2,F2,Milan,IT,45.46,9.19\n"
    table = read(text, contract=CONTRACTS["facilities"], name="fac.csv", format="auto")
    faults = table.frame["place_fault"].to_list()
    assert "swapped" in faults[0]
    assert faults[1] is None


def test_a_list_of_networks_is_no_list_of_facilities(read):
    network = [{"id": 1, "asn": 64500, "irr_as_set": "", "org_id": 1, "name": "N"}]
    with pytest.raises(FileRejected, match="this file has none"):
        read(json.dumps(network), contract=CONTRACTS["facilities"], name="net.json", format="auto")
