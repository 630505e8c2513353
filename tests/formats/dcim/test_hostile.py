"""Damaged registers and dumps: every one is read with a closed ledger or refused with a reason; no reader stumbles."""

from __future__ import annotations

import copy
import json
import random

import pytest

from expectations.contract import load_contracts
from tests.formats.dcim.test_dmidecode import DUMP
from tests.formats.dcim.test_lldp import TWO
from tests.formats.dcim.test_netbox import CIRCUIT, FLAT
from tests.formats.dcim.test_nvidia_smi import CSV, TEXT, gpu, xml
from tests.formats.dcim.test_registers import switch
from tests.formats.topology.test_reference import FACILITY, GRAPH
from turnup.formats import FileRejected, inspect, parse
from turnup.programme import Source

CONTRACTS = load_contracts()
KEYVALUE = "\n".join(
    f"lldp.eth{port}.{line}"
    for port in range(2)
    for line in ("via=LLDP", "rid=1", "chassis.mac=aa:bb", "chassis.name=leaf", "chassis.mgmt-ip=10.0.0.1",
                 "chassis.descr=one", "port.ifname=swp1")
)  # fmt: skip
CUMULUS = {"eth0": {"iface_obj": {"lldp": [{"adj_hostname": "a", "adj_port": "p"}]}, "linkstate": "UP", "speed": "1G"}}
DOCUMENTS = {
    "netbox": FLAT | {"circuits": [CIRCUIT], "racks": [{"id": 1, "u_height": 4}]},
    "page": {"count": 1, "next": None, "results": [CIRCUIT]},
    "lldp": TWO,
    "cumulus": CUMULUS,
    "napalm": {"eth0": [{"hostname": "a", "port": "p"}]},
    "peeringdb": {"data": [FACILITY, FACILITY | {"id": 2}]},
}
TEXTS = {
    "dump.txt": DUMP.format(system="S", chassis="C", memory="M"), "gpus.xml": xml(gpu(), gpu("02")),
    "gpus.txt": TEXT, "gpus.csv": CSV, "lldp.txt": KEYVALUE, "map.gml": GRAPH, "S64.yaml": switch("P1.0"),
}  # fmt: skip
ODD = (None, "", "x", "7", 7, -1, 1.5, True, [], {}, [None], ["x"], {"a": 1}, [[1]], "\ud7ff", "N/A")
DATASETS = ("installs", "links", "node_names", "circuits", "versions", "utilization", "failures")


def check(path, name):
    """Look at a file, and read it for every dataset that it might feed."""
    found = inspect(path, name, CONTRACTS)
    assert found.ledger.balanced
    for dataset in DATASETS:
        try:
            table = parse(path, name, Source.model_construct(dataset=dataset, files="*"), CONTRACTS[dataset])
        except FileRejected as refusal:
            assert refusal.message
            continue
        assert table.ledger.balanced
        assert table.frame.height == table.ledger.data


def spoiled(document, dice: random.Random):
    """A copy in which one to three values are something else."""
    made = copy.deepcopy(document)
    for _ in range(dice.randint(1, 3)):
        places = [(holder, key) for holder, key in _places(made) if dice.random() < 0.9]
        if not places:
            break
        holder, key = dice.choice(places)
        holder[key] = copy.deepcopy(dice.choice(ODD))
    return made


def _places(value):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in list(items):
        yield value, key
        yield from _places(held)


def torn(text: str, dice: random.Random) -> str:
    """A text that was cut, or lost, repeated, joined or changed some lines or characters."""
    lines = text.split("\n")
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(lines))
        match dice.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[dice.randrange(len(lines))])
            case 2:
                lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]
            case 3:
                lines[at] = lines[at].replace(dice.choice(' :="[]<>,-'), dice.choice(["", ":", "\t", '"', "[", "é"]))
            case 4:
                lines[at] += dice.choice(["\r", "\0", ": x", '"', "]", " [Unknown Error]", "é"])
            case _:
                lines = lines[: at + 1]
        if not lines:
            return ""
    return "\n".join(lines)


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_spoiled_documents(tmp_path, name, turns=12):
    path = tmp_path / "content"
    for turn in range(turns):
        path.write_text(json.dumps(spoiled(DOCUMENTS[name], random.Random(f"{name}{turn}"))), encoding="utf-8")
        check(path, f"{name}.json")


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_torn_texts(tmp_path, name, turns=12):
    path = tmp_path / "content"
    for turn in range(turns):
        path.write_text(torn(TEXTS[name], random.Random(f"{name}{turn}")), encoding="utf-8")
        check(path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({**DOCUMENTS, **TEXTS}))
def test_many_damaged_files(tmp_path, name):
    if name in DOCUMENTS:
        test_spoiled_documents(tmp_path, name, turns=400)
    else:
        test_torn_texts(tmp_path, name, turns=400)
