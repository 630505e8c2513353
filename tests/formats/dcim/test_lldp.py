"""LLDP: one row a neighbour from every form; nothing repeated is lost, nothing empty swallows the next field."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from turnup.formats import FileRejected

CONTRACTS = load_contracts()
COLUMNS = ("a_device", "a_port", "b_device", "b_port", "view", "state")


def read_lldp(read, content, name="gpu001.lldp.json", **settings):
    text = content if isinstance(content, str) else json.dumps(content)
    table = read(text, contract=CONTRACTS["links"], name=name, format="auto", **settings)
    assert table.ledger.balanced
    assert table.frame.height == table.ledger.data
    return table


def links(table):
    return table.frame.select(COLUMNS[:4]).rows()


def neighbour(name="leaf-1.example.net", port="Ethernet1/1", kind="ifname", **more):
    body = {"id": {"type": "mac", "value": "aa:bb:cc:00:00:01"}, "mgmt-ip": ["10.0.0.1", "fe80::1"]}
    chassis = {name: body} if name else body
    return {"via": "LLDP", "rid": "1", "chassis": chassis, "port": {"id": {"type": kind, "value": port}, **more}}


ONE = {"lldp": {"interface": {"eth0": neighbour()}}}
TWO = {"lldp": {"interface": [{"eth0": neighbour()}, {"eth1": neighbour("leaf-2")}]}}
FIRST = ("gpu001", "eth0", "leaf-1.example.net", "Ethernet1/1")


def test_b13_an_object_for_one_and_a_list_for_several_give_the_same_rows(read):
    one, two = read_lldp(read, ONE), read_lldp(read, TWO)
    assert links(one) == [FIRST]
    assert links(two) == [FIRST, ("gpu001", "eth1", "leaf-2", "Ethernet1/1")]
    assert two.frame.columns == one.frame.columns
    assert set(two.frame["view"]) == {"observed"}


def test_b13_json0_gives_the_rows_of_json(read):
    json0 = {
        "lldp": [{"interface": [{
            "name": "eth0", "via": "LLDP", "rid": "1",
            "chassis": [{"id": [{"type": "mac", "value": "aa:bb:cc:00:00:01"}],
                         "name": [{"value": "leaf-1.example.net"}],
                         "mgmt-ip": [{"value": "10.0.0.1"}, {"value": "fe80::1"}]}],
            "port": [{"id": [{"type": "ifname", "value": "Ethernet1/1"}], "descr": [{"value": "to gpu"}]}],
        }]}]
    }  # fmt: skip
    table = read_lldp(read, json0)
    assert links(table) == [FIRST]
    facts = {fact.name: fact.value for fact in table.facts}
    assert facts["management_addresses"] == ("10.0.0.1", "fe80::1")


def test_b13_repeated_keys_of_an_object_are_all_kept(read):
    again = json.dumps(neighbour("leaf-2"))
    text = f'{{"lldp": {{"interface": {{"eth0": {json.dumps(neighbour())}, "eth0": {again}}}}}}}'
    table = read_lldp(read, text)
    assert [row[2] for row in links(table)] == ["leaf-1.example.net", "leaf-2"]
    assert {finding.code for finding in table.findings} == {"repeated_key", "shared_segment"}


def test_b14_two_neighbours_of_a_port_are_two_rows_and_a_shared_segment(read):
    table = read_lldp(read, {"lldp": {"interface": [{"eth0": neighbour()}, {"eth0": neighbour("leaf-2")}]}})
    assert [row[1:3] for row in links(table)] == [("eth0", "leaf-1.example.net"), ("eth0", "leaf-2")]
    assert [(finding.code, finding.value) for finding in table.findings] == [("shared_segment", "eth0")]
    assert set(table.frame["media"]) == {"shared segment"}


@pytest.mark.parametrize("name", ["", None, "not advertised"])
def test_b14_an_empty_name_is_unknown_and_the_next_field_stays(read, name):
    table = read_lldp(read, {"lldp": {"interface": {"eth0": neighbour(name)}}})
    assert links(table) == [("gpu001", "eth0", "aa:bb:cc:00:00:01", "Ethernet1/1")]
    assert [finding.code for finding in table.findings] == ["neighbour_without_name"]


def test_b14_an_empty_name_in_lines_does_not_swallow_the_next(read):
    text = (
        "lldp.eth0.via=LLDP\nlldp.eth0.chassis.mac=aa:bb\nlldp.eth0.chassis.name=\nlldp.eth0.port.ifname=swp1\n"
        "lldp.eth0.port.descr=first line\nsecond line\n"
        "lldp.eth0.via=LLDP\nlldp.eth0.chassis.name=leaf-2\nlldp.eth0.chassis.mgmt-ip=10.0.0.1\n"
        "lldp.eth0.chassis.mgmt-ip=fe80::1\nlldp.eth0.port.ifname=swp2\n"
    )
    table = read_lldp(read, text, "gpu001-lldp.txt")
    assert links(table) == [("gpu001", "eth0", "aa:bb", "swp1"), ("gpu001", "eth0", "leaf-2", "swp2")]
    assert table.ledger.lines == 11
    facts = {fact.name: fact.value for fact in table.facts}
    assert facts["management_addresses"] == ("10.0.0.1", "fe80::1")
    assert "first line\\nsecond line" in table.frame["_given"][0]


@pytest.mark.parametrize(
    ("kind", "port", "description", "expected"),
    [
        ("ifname", "swp1", "to gpu", "swp1"),
        ("mac", "aa:bb:cc:dd:ee:ff", "eth7", "eth7"),
        ("mac", "aa:bb:cc:dd:ee:ff", None, "aa:bb:cc:dd:ee:ff"),
        ("local", "510", "ge-0/0/9", "ge-0/0/9"),
        ("local", "Eth1/4", "to gpu", "Eth1/4"),
    ],
)
def test_the_port_is_the_one_that_people_name(read, kind, port, description, expected):
    more = {"descr": description} if description else {}
    table = read_lldp(read, {"lldp": {"interface": {"eth0": neighbour(port=port, kind=kind, **more)}}})
    assert table.frame["b_port"].to_list() == [expected]


@pytest.mark.parametrize(
    ("said", "gbps"),
    [("10GigBaseLR - R fiber", "10"), ("1000BaseTFD - copper", "1"), ("2p5GigT", None), ("100GbaseCR4", "100"),
     ("100BaseTX", "0.1"), ("unknown", None)],
)  # fmt: skip
def test_speed_in_the_words_of_a_port(read, said, gbps):
    held = neighbour(**{"auto-negotiation": {"current": said}})
    assert read_lldp(read, {"lldp": {"interface": {"eth0": held}}}).frame["speed_gbps"].to_list() == [gbps]


def test_the_host_is_in_the_name_or_in_the_source(read):
    assert read_lldp(read, ONE, "lldp.json", defaults={"a_device": "n9"}).frame["a_device"].to_list() == ["n9"]
    assert [finding.code for finding in read_lldp(read, ONE, "lldp.json").findings] == ["node_unknown"]
    with pytest.raises(FileRejected, match="feed links"):
        read(json.dumps(ONE), contract=CONTRACTS["installs"], name="a.json", format="auto")


def test_a_host_without_neighbours_is_no_error(read):
    assert read_lldp(read, {"lldp": {}}).frame.height == 0


def test_the_real_list_of_interfaces_has_the_neighbours_of_its_oracle(cases, read):
    folder = cases / "acceptance/lldp"
    table = read_lldp(read, (folder / "napalm_cumulus_net_show_interface_all.json").read_text(), "sw1.json")
    oracle = json.loads((folder / "napalm_cumulus_expected.json").read_text())
    expected = {(port, item["hostname"], item["port"]) for port, held in oracle.items() for item in held}
    assert {row[1:] for row in links(table)} == expected
    assert len(links(table)) == 14
    again = read_lldp(read, oracle, "sw1.json")
    assert {row[1:] for row in links(again)} == expected
