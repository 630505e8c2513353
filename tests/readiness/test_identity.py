"""One asset per manufacturer and serial number: records joined, conflicts listed, replacements closed."""

from __future__ import annotations

from datetime import date

import pytest

from tests.readiness.cluster import PART, cluster
from tests.readiness.tiny import rows, staged
from turnup.readiness.settings import write_settings
from turnup.warehouse.models import in_order, read_model


@pytest.fixture
def of(tmp_path):
    """Run the models that tell assets apart over some datasets, and ask."""
    from tests.readiness.tiny import AS_OF, programme
    from turnup.readiness.build import _MODELS

    names = ("asset_records", "asset_identity", "serial_places", "assets")

    def asked(datasets, sql, received=()):
        con = staged(datasets)
        con.execute("CREATE SCHEMA IF NOT EXISTS core")
        write_settings(con, programme(), AS_OF)
        for ingest, moment in received:
            con.execute("INSERT INTO meta.ingests (_ingest, received_at) VALUES ($1, $2)", [ingest, moment])
        for model in in_order([read_model(_MODELS / "core" / f"{name}.sql") for name in names]):
            con.execute(f"CREATE TABLE {model.table} AS {model.sql}")
        return rows(con, sql)

    return asked


def asset(asset_id, serial, source="register", **more):
    return {"asset_id": asset_id, "serial": serial, "part_number": PART, "status": "active", "_ingest": source} | more


ALL = "SELECT asset_key, name, rack, system_id, manufacturer, located FROM core.assets ORDER BY 1"
PLACES = "SELECT asset_key, active, conflict, replaced_by FROM core.serial_places ORDER BY 1"


def test_m54_the_register_and_the_dump_of_a_machine_are_one_asset(of):
    data = {
        "installs": [
            asset("nb-device-1", "S1", manufacturer="Acme", name="gpu001", rack="R-1", system_id="SYS"),
            asset("ACME/S1", "s1 ", "dump", manufacturer="ACME", name="gpu001.example.net", rack="r1"),
            # The dump spells the maker in another way; the host's name says that it is the same machine.
            asset("nb-device-2", "S2", manufacturer="QCT", name="gpu002", rack="R-1"),
            asset("x/S2", "S2", "dump2", manufacturer="Quanta Cloud Technology Inc.", name="gpu002.example.net"),
        ]
    }
    assert of(data, ALL) == [
        {"asset_key": "nb-device-1", "name": "gpu001", "rack": "R-1", "system_id": "SYS", "manufacturer": "Acme",
         "located": True},
        {"asset_key": "nb-device-2", "name": "gpu002", "rack": "R-1", "system_id": None, "manufacturer": "QCT",
         "located": True},
    ]  # fmt: skip
    assert of(data, PLACES) == []


def test_m54_the_same_serial_of_two_makers_is_two_assets(of):
    data = {"installs": [asset("a", "S1", manufacturer="Acme"), asset("b", "S1", "other", manufacturer="Brand")]}
    assert [row["located"] for row in of(data, ALL)] == [True, True]
    assert of(data, PLACES) == []


def test_m54_a_serial_at_two_places_has_one_active_place_the_newest(of):
    data = {
        "installs": [
            asset("a", "S1", "old", manufacturer="Acme", site_id="ord1", rack="R1"),
            asset("b", "S1", "new", manufacturer="Acme", site_id="dal2", rack="R1"),
            asset("c", "S1", "newest", manufacturer="Acme", site_id="abl1", status="planned"),
        ]
    }
    received = (("old", "2026-10-01"), ("new", "2026-10-08"), ("newest", "2026-10-20"))
    assert of(data, PLACES, received) == [
        {"asset_key": "a", "active": False, "conflict": True, "replaced_by": None},
        {"asset_key": "b", "active": True, "conflict": True, "replaced_by": None},
        {"asset_key": "c", "active": False, "conflict": True, "replaced_by": None},
    ]
    assert {row["asset_key"]: row["located"] for row in of(data, ALL, received)} == {
        "a": False, "b": True, "c": False
    }  # fmt: skip


def test_m54_a_serial_used_twice_in_one_register_is_a_conflict_even_in_one_place(of):
    data = {"installs": [asset(f"m{number}", "cage-0", parent_serial="H1") for number in range(3)]}
    found = of(data, PLACES)
    assert [row["conflict"] for row in found] == [True] * 3
    assert sum(row["active"] for row in found) == 1


def test_m24_placeholder_serials_never_join_assets(of):
    from turnup.identity import serial_key

    assert serial_key("To Be Filled By O.E.M.") is None
    data = {"installs": [asset("a", None), asset("b", None, "other")]}
    assert len(of(data, ALL)) == 2


RETURN = {"failure_id": "RMA-1", "serial": "S1", "replaced_serial": "S2", "kind": "XID 79", "opened": date(2026, 10, 1),
          "closed": date(2026, 10, 5)}  # fmt: skip


def test_m54_a_return_closes_the_old_serial_when_the_new_one_is_recorded(of):
    both = [asset("a", "S1", racked=date(2026, 9, 1)), asset("b", "S2", racked=date(2026, 10, 5))]
    data = {"installs": both, "failures": [RETURN]}
    assert of(data, PLACES) == [{"asset_key": "a", "active": False, "conflict": False, "replaced_by": "S2"}]
    assert {row["asset_key"]: row["located"] for row in of(data, ALL)} == {"a": False, "b": True}
    # Repaired and racked again: it is in use.
    again = [both[0] | {"racked": date(2026, 10, 20)}, both[1]]
    assert of({"installs": again, "failures": [RETURN]}, PLACES) == []
    # The new one is nowhere: the old record stands.
    assert of({"installs": both[:1], "failures": [RETURN]}, PLACES) == []


def test_a_part_takes_place_and_system_of_the_asset_it_sits_in(of):
    data = {
        "installs": [
            asset("nb-device-1", "H1", name="gpu001", rack="R1", site_id="ord1", system_id="SYS", block="SU1"),
            asset("nb-module-1", "M1", "modules", parent_asset="nb-device-1"),
            asset("g1", "G1", "smi", parent_asset="gpu001.example.net"),
            asset("d1", "D1", "dump", parent_serial="H1"),
            asset("o1", "O1", "dump", parent_serial="H9"),
        ]
    }
    found = {row["asset_key"]: (row["rack"], row["system_id"]) for row in of(data, ALL)}
    assert found == {
        "nb-device-1": ("R1", "SYS"), "nb-module-1": ("R1", "SYS"), "g1": ("R1", "SYS"), "d1": ("R1", "SYS"),
        "o1": (None, None),
    }  # fmt: skip


def test_m54_capacity_is_counted_once_and_the_conflict_is_a_finding():
    from tests.readiness.tiny import built

    data = cluster(3)
    data["installs"].append(dict(data["installs"][0], asset_id="B-1", name="b-1", rack="R9", _ingest="other"))
    data["installs"].append(dict(data["installs"][1], asset_id="B-2", serial="NEW", name="b-2"))
    data["failures"] = [RETURN | {"serial": data["installs"][1]["serial"], "replaced_serial": "NEW"},
                        RETURN | {"failure_id": "RMA-2", "serial": data["installs"][2]["serial"],
                                  "replaced_serial": "LOST"}]  # fmt: skip
    con = built(data)
    assert rows(con, "SELECT count(*) AS units FROM core.units") == [{"units": 3}]
    assert rows(con, "SELECT asset_id, active, conflict FROM mart.serial_places ORDER BY 1") == [
        {"asset_id": "A-TRAIN-1-n0", "active": True, "conflict": True},
        {"asset_id": "A-TRAIN-1-n1", "active": False, "conflict": False},
        {"asset_id": "B-1", "active": False, "conflict": True},
    ]
    found = {row["code"]: row["message"] for row in rows(con, "SELECT code, message FROM mart.findings")}
    assert found["serial_conflict"] == "serial SN-TRAIN-1-n0 is on 2 assets: TRAIN-1-n0, b-1"
    assert found["replacement_not_recorded"].startswith("RMA-2 replaced SN-TRAIN-1-n2 by LOST")
