"""Plan against what was seen: five classes, names compared in short form, the right neighbour anywhere on a port."""

from __future__ import annotations

import pytest

from tests.readiness.tiny import AS_OF, programme, rows, staged
from turnup.readiness.build import _MODELS
from turnup.readiness.settings import write_settings
from turnup.warehouse.models import check_key, in_order, read_model


def link(view, a_device, a_port, b_device, b_port, **more):
    ends = {"a_device": a_device, "a_port": a_port, "b_device": b_device, "b_port": b_port}
    return {"view": view, "state": "planned" if view == "planned" else "up", **ends, **more}


def plan(*ends):
    return link("planned", *ends)


def seen(*ends, **more):
    return link("observed", *ends, **more)


def checked(*links):
    """Return (ports of the plan, class, what was found)."""
    con = staged({"links": list(links)})
    con.execute("CREATE SCHEMA IF NOT EXISTS core")
    write_settings(con, programme(), AS_OF)
    names = ("link_names", "link_ends", "link_pairs", "link_check")
    for model in in_order([read_model(_MODELS / "core" / f"{name}.sql") for name in names]):
        con.execute(f"CREATE TABLE {model.table} AS {model.sql}")
        check_key(con, model)
    found = rows(con, "SELECT a_device || ':' || a_port AS at, class, found FROM core.link_check ORDER BY 1, 2")
    pairs = rows(con, "SELECT count(*) FILTER (planned AND up) AS up FROM core.link_pairs")
    return {row["at"]: (row["class"], row["found"]) for row in found}, pairs[0]["up"]


PLAN = plan("gpu1", "eth0", "leaf1", "Ethernet1/1")


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([seen("gpu1", "eth0", "leaf1", "Ethernet1/1")], "ok"),
        ([seen("leaf1", "Ethernet1/1", "gpu1", "eth0")], "ok"),
        ([seen("gpu1", "eth0", "leaf1", "Ethernet1/2")], "wrong port"),
        ([seen("gpu1", "eth1", "leaf1", "Ethernet1/1")], "wrong port"),
        ([seen("gpu1", "eth0", "leaf2", "Ethernet1/1")], "wrong device"),
        ([seen("gpu9", "eth0", "leaf1", "Ethernet1/1")], "wrong device"),
        ([seen("gpu1", "eth1", "leaf7", "Ethernet7")], "missing"),
        ([seen("gpu5", "eth0", "leaf5", "Ethernet1/1")], "no data"),
        ([], "no data"),
    ],
)
def test_each_class(links, expected):
    found, up = checked(PLAN, *links)
    assert found["gpu1:eth0"][0] == expected
    assert up == (expected == "ok")


def test_a16_the_right_neighbour_second_on_a_port_is_right():
    others = [seen("gpu1", "eth0", "hub", "p9"), seen("gpu1", "eth0", "leaf1", "Ethernet1/1")]
    assert checked(PLAN, *others) == ({"gpu1:eth0": ("ok", None)}, 1)


@pytest.mark.parametrize(
    ("host", "far", "port"),
    [
        ("gpu1.example.net", "leaf1.example.net", "Ethernet1/1"),
        ("GPU1".lower(), "leaf1(FDO2312)", "Eth1/1".lower()),
        ("gpu1", "leaf1.dc42", "e1/1"),
    ],
)
def test_a16_names_with_a_domain_are_the_short_ones(host, far, port):
    assert checked(PLAN, seen(host, "eth0", far, port)) == ({"gpu1:eth0": ("ok", None)}, 1)


@pytest.mark.parametrize(
    ("port", "far_port"), [("gpu1 mlx5_0", "Port 19"), ("mlx5_0", "19"), ("gpu1 mlx5_0", "19"), ("mlx5_0", "port19")]
)
def test_a_port_is_one_port_with_or_without_its_device_and_the_word(port, far_port):
    planned = plan("gpu1", "gpu1 mlx5_0", "leaf1", "Port 19")
    found, up = checked(planned, seen("gpu1", port, "leaf1", far_port))
    assert ([held[0] for held in found.values()], up) == (["ok"], 1)


def test_a16_names_of_two_domains_stay_apart():
    links = [
        plan("sw1.dc1", "p1", "gpu1", "eth0"), plan("sw1.dc2", "p1", "gpu2", "eth0"),
        seen("gpu1", "eth0", "sw1.dc2", "p1"),
    ]  # fmt: skip
    found, up = checked(*links)
    assert (found["sw1.dc1:p1"][0], found["sw1.dc2:p1"][0], up) == ("wrong device", "wrong device", 0)


def test_a16_a_cable_to_an_unknown_host_is_unplanned():
    found, _ = checked(PLAN, seen("gpu1", "eth0", "leaf1", "Ethernet1/1"), seen("gpu1", "eth5", "stranger", "x"))
    assert found["gpu1:eth5"] == ("unplanned", "gpu1:eth5 - stranger:x")


def test_cables_between_devices_that_no_plan_names_are_kept_and_are_no_fault():
    found, _ = checked(PLAN, seen("oob1", "p1", "oob2", "p1"))
    assert found["oob1:p1"] == ("no plan", "oob1:p1 - oob2:p1")


def test_two_swapped_cables_are_both_wrong():
    found, up = checked(
        PLAN, plan("gpu2", "eth0", "leaf1", "Ethernet1/2"),
        seen("gpu1", "eth0", "leaf1", "Ethernet1/2"), seen("gpu2", "eth0", "leaf1", "Ethernet1/1"),
    )  # fmt: skip
    assert {at: held[0] for at, held in found.items()} == {"gpu1:eth0": "wrong port", "gpu2:eth0": "wrong port"}
    assert found["gpu1:eth0"][1] == "gpu1:eth0 - leaf1:Ethernet1/2; leaf1:Ethernet1/1 - gpu2:eth0"
    assert up == 0


def test_an_address_is_no_name_with_a_domain():
    found, _ = checked(plan("10.0.0.1", "p", "10.0.0.2", "p"), seen("10.0.0.1", "p", "10.0.0.2", "p"))
    assert found == {"10.0.0.1:p": ("ok", None)}


def test_a_cable_looked_for_in_vain_is_missing_and_a_list_of_differences_says_nothing_else():
    absent = seen("gpu1", "eth0", "leaf1", "Ethernet1/1", only_differences=True) | {"state": "absent"}
    other = seen("gpu9", "eth0", "leaf1", "Ethernet1/9", only_differences=True)
    found, up = checked(PLAN, plan("gpu2", "eth0", "leaf1", "Ethernet1/2"), absent, other)
    assert {at: held[0] for at, held in found.items()} == {
        "gpu1:eth0": "missing",
        "gpu2:eth0": "no data",
        "gpu9:eth0": "unplanned",
    }
    assert up == 0


@pytest.mark.parametrize(
    ("of_a_fabric", "expected"),
    [
        ({"both_ends_report": True}, ("missing", "missing", "no data")),
        ({}, ("no data", "no data", "no data")),
    ],
)
def test_a_manager_of_the_fabric_speaks_for_both_ends_and_a_neighbour_that_was_heard_does_not(of_a_fabric, expected):
    # gpu1 and leaf1 stand in the list; gpu2 and gpu3 do not, and their cables should be on leaf1
    found, _ = checked(
        PLAN, plan("gpu2", "eth0", "leaf1", "Ethernet1/2"), plan("leaf1", "Ethernet1/3", "gpu3", "eth0"),
        plan("gpu4", "eth0", "leaf4", "Ethernet1/1"), seen("gpu1", "eth0", "leaf1", "Ethernet1/1", **of_a_fabric),
    )  # fmt: skip
    assert found["gpu1:eth0"][0] == "ok"
    assert tuple(found[at][0] for at in ("gpu2:eth0", "leaf1:Ethernet1/3", "gpu4:eth0")) == expected
