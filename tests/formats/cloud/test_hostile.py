"""Damaged lists: each is read with a closed ledger or refused with a reason, and a secret shows nowhere."""

from __future__ import annotations

import json
import random

import pytest

from expectations.contract import load_contracts
from tests.formats.cloud.samples import CIRCUIT, CONNECTIONS, GOOGLE, INTERFACES
from tests.formats.dcim.test_hostile import spoiled
from turnup.formats import FileRejected, parse
from turnup.programme import Source

CONTRACTS = load_contracts()
LISTS = {
    "expressroute": ([CIRCUIT, CIRCUIT | {"name": "b"}], "circuits"),
    "page": ({"value": [{"name": "c", "properties": CIRCUIT}]}, "circuits"),
    "connections": (CONNECTIONS, "circuits"),
    "interfaces": (INTERFACES, "sessions"),
    "google": (GOOGLE, "circuits"),
}
FORMS = {
    "expressroute": "azure_expressroute", "page": "azure_expressroute", "connections": "aws_direct_connect",
    "interfaces": "aws_virtual_interfaces", "google": "google_interconnect",
}  # fmt: skip


def check(path, name, form):
    """Read a list as the format that it was."""
    dataset = LISTS[name][1]
    source = Source.model_construct(dataset=dataset, files="*", format=form)
    try:
        table = parse(path, f"{name}_2026-10-29.json", source, CONTRACTS[dataset])
    except FileRejected as refusal:
        assert refusal.message
        return
    assert table.ledger.balanced
    assert table.frame.height == table.ledger.data
    if form != "auto":
        assert "SECRET" not in repr([*table.frame.rows(), *table.rejected, *table.findings])


@pytest.mark.parametrize("name", sorted(LISTS))
def test_spoiled_lists(tmp_path, name, turns=15):
    path = tmp_path / "content"
    for turn in range(turns):
        path.write_text(json.dumps(spoiled(LISTS[name][0], random.Random(f"{name}{turn}"))), encoding="utf-8")
        for form in ("auto", FORMS[name]):
            check(path, name, form)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LISTS))
def test_many_spoiled_lists(tmp_path, name):
    test_spoiled_lists(tmp_path, name, turns=400)


@pytest.mark.parametrize("name", sorted(LISTS))
@pytest.mark.parametrize("keep", [0.2, 0.7, 0.99])
def test_a_cut_list_is_refused(tmp_path, name, keep):
    path = tmp_path / "content"
    whole = json.dumps(LISTS[name][0])
    path.write_text(whole[: int(len(whole) * keep)], encoding="utf-8")
    dataset = LISTS[name][1]
    source = Source.model_construct(dataset=dataset, files="*", format=FORMS[name])
    with pytest.raises(FileRejected, match="not valid JSON"):
        parse(path, f"{name}.json", source, CONTRACTS[dataset])
