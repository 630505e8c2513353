"""Slurm's nodes: every family of states, from JSON, from groups, from classic text; one offer, whatever the output."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.contract import load_contracts
from tests.formats.scheduler.slurm import group, node, number, one_line, record, scontrol, sinfo
from turnup.formats import FileRejected
from turnup.formats.scheduler.gres import count_of, kinds_of
from turnup.formats.scheduler.slurm_states import state_of

NODES = load_contracts()["scheduler_nodes"]


@pytest.fixture
def snapshot(read):
    def reader(content, name="nodes.json", **settings):
        table = read(content, contract=NODES, name=name, format="auto", **settings)
        assert table.ledger.balanced
        assert table.frame.height == table.ledger.data
        return table

    return reader


# words of --json, the same in scontrol's text, base, flags, offered
FAMILIES = {
    "idle": (("IDLE",), "IDLE", "idle", None, True),
    "allocated": (("ALLOCATED",), "ALLOCATED", "allocated", None, True),
    "mixed": (("MIXED",), "MIXED", "mixed", None, True),
    "completing": (("ALLOCATED", "COMPLETING"), "ALLOCATED+COMPLETING", "allocated", "COMPLETING", True),
    "drained": (("IDLE", "DRAIN"), "IDLE+DRAIN", "idle", "DRAIN", False),
    "draining": (("MIXED", "DRAIN"), "MIXED+DRAIN", "mixed", "DRAIN", False),
    "down": (("DOWN",), "DOWN", "down", None, False),
    "down, not responding": (("DOWN", "NOT_RESPONDING"), "DOWN*", "down", "NOT_RESPONDING", False),
    "not responding": (("IDLE", "NOT_RESPONDING"), "IDLE*", "idle", "NOT_RESPONDING", False),
    "fail": (("IDLE", "FAIL"), "IDLE+FAIL", "idle", "FAIL", False),
    "error": (("ERROR",), "ERROR", "error", None, False),
    "maintenance": (("IDLE", "MAINTENANCE"), "IDLE+MAINTENANCE", "idle", "MAINTENANCE", False),
    "in a maintenance reservation": (("IDLE", "MAINTENANCE"), "IDLE$", "idle", "MAINTENANCE", False),
    "reserved": (("IDLE", "RESERVED"), "IDLE+RESERVED", "idle", "RESERVED", False),
    "powered down": (("IDLE", "POWERED_DOWN"), "IDLE~", "idle", "POWERED_DOWN", False),
    "powering up": (("IDLE", "POWERING_UP"), "IDLE#", "idle", "POWERING_UP", False),
    "power down pending": (("IDLE", "POWER_DOWN"), "IDLE!", "idle", "POWER_DOWN", False),
    "powering down": (("IDLE", "POWERING_DOWN"), "IDLE%", "idle", "POWERING_DOWN", False),
    "reboot requested": (("MIXED", "REBOOT_REQUESTED"), "MIXED@", "mixed", "REBOOT_REQUESTED", True),
    "reboot issued": (("DOWN", "REBOOT_ISSUED"), "DOWN^", "down", "REBOOT_ISSUED", False),
    "planned": (("IDLE", "PLANNED"), "IDLE-", "idle", "PLANNED", True),
    "future": (("FUTURE",), "FUTURE", "future", None, False),
    "unknown": (("UNKNOWN",), "UNKNOWN*", "unknown", None, False),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_from_json_and_from_text(snapshot, family):
    words, text, base, flags, offered = FAMILIES[family]
    shown = ("state", "flags", "allocatable")
    expected = (base, flags, "true" if offered else "false")
    assert snapshot(scontrol(node("gpu001", *words))).frame.select(shown).rows() == [expected]
    assert snapshot(sinfo(group(["gpu001"], *words))).frame.select(shown).rows() == [expected]
    classic = snapshot(record("gpu001", text), name="scontrol_ord1-a_20261028T1700Z.txt").frame
    if family != "unknown":
        assert classic.select(shown).rows() == [expected]
    assert classic["allocatable"].to_list() == [expected[2]]


@pytest.mark.parametrize(
    ("short", "base", "flags", "offered"),
    [
        ("idle", "IDLE", (), True),
        ("alloc", "ALLOCATED", (), True),
        ("mix-", "MIXED", ("PLANNED",), True),
        ("comp", "ALLOCATED", ("COMPLETING",), True),
        ("drng", "ALLOCATED", ("DRAIN",), False),
        ("drain*", "IDLE", ("DRAIN", "NOT_RESPONDING"), False),
        ("drained", "IDLE", ("DRAIN",), False),
        ("down*", "DOWN", ("NOT_RESPONDING",), False),
        ("fail", "IDLE", ("FAIL",), False),
        ("failg", "ALLOCATED", ("FAIL",), False),
        ("maint", "IDLE", ("MAINTENANCE",), False),
        ("resv", "IDLE", ("RESERVED",), False),
        ("idle~", "IDLE", ("POWERED_DOWN",), False),
        ("alloc#", "ALLOCATED", ("POWERING_UP",), False),
        ("plnd", "IDLE", ("PLANNED",), True),
        ("futr", "FUTURE", (), False),
        ("unk*", "UNKNOWN", ("NOT_RESPONDING",), False),
        ("inval", "IDLE", ("INVALID_REG",), False),
        ("boot^", "DOWN", ("REBOOT_ISSUED",), False),
        ("brandnew", "BRANDNEW", (), False),
    ],
)
def test_the_short_words_and_marks_of_sinfo(short, base, flags, offered):
    state = state_of([short])
    assert (state.base, state.flags, state.offered) == (base, flags, offered)


def test_a_reason_with_user_and_time_and_gpus_in_use(snapshot):
    held = node("gpu007", "MIXED", "DRAIN", gres_used="gpu:h200:3(IDX:0-2)", reason="GPU3 fell off the bus",
                reason_changed_at=number(1_793_203_200), reason_set_by_user="mfeld")  # fmt: skip
    table = snapshot(scontrol(held))
    assert table.format == "slurm_json"
    assert table.frame.select("cluster", "node", "observed_at", "reason", "reason_by", "reason_at").rows() == [
        ("ord1-a", "gpu007", "2026-10-28T17:00:00Z", "GPU3 fell off the bus", "mfeld", "2026-10-28T16:00:00Z")
    ]
    assert table.frame.select("capacity", "installed", "in_use", "pool").rows() == [("8", "8", "3", "gpu, all")]


def test_a_gpu_that_slurm_set_aside_is_not_offered(snapshot):
    table = snapshot(scontrol(node("gpu008", "IDLE", gres_drained="gpu:h200:1")))
    assert table.frame.select("capacity", "installed", "allocatable").rows() == [("7", "8", "true")]
    assert [finding.message for finding in table.findings] == ["gpu008 offers 7 of 8 accelerators"]


def test_states_of_older_releases_are_one_word_with_flags_beside_it(snapshot):
    old = node("gpu009") | {"state": "idle", "state_flags": ["DRAIN"], "reason_changed_at": 1_793_203_200}
    document = json.loads(scontrol(old)) | {"meta": {"Slurm": {"release": "21.08.8"}}, "last_update": "1793206800"}
    (row,) = snapshot(json.dumps(document), name="ord1-a.json").frame.rows(named=True)
    assert (row["state"], row["flags"], row["allocatable"]) == ("idle", "DRAIN", "false")
    assert (row["cluster"], row["observed_at"]) == ("ord1-a", "2026-10-28T17:00:00Z")


def test_a_node_of_two_partitions_is_one_node(snapshot):
    groups = (group(["gpu001", "gpu002"], "IDLE"), group(["gpu001"], "IDLE", partition="debug"))
    table = snapshot(sinfo(*groups), name="sinfo_ord1-a_2026-10-28T1700Z.json")
    assert table.frame.select("node", "pool", "observed_at").rows() == [
        ("gpu001", "gpu, debug", "2026-10-28T17:00:00Z"), ("gpu002", "gpu", "2026-10-28T17:00:00Z")
    ]  # fmt: skip
    assert (table.ledger.lines, table.ledger.data, table.ledger.other) == (3, 2, 1)


def test_of_two_states_of_a_node_the_one_that_places_no_job_counts(snapshot):
    groups = (group(["gpu001"], "IDLE"), group(["gpu001"], "IDLE", "DRAIN", partition="debug"))
    table = snapshot(sinfo(*groups))
    assert table.frame["allocatable"].to_list() == ["false"]
    assert "two_states" in [finding.code for finding in table.findings]


def test_classic_text_in_many_lines_and_in_one(snapshot):
    text = record("gpu001", "MIXED") + record("gpu002", "IDLE+DRAIN", reason="a=b, cable [root@2026-10-27T09:30:00]")
    name = "scontrol_ord1-a_20261028T1700Z.txt"
    shown = ("cluster", "node", "observed_at", "state", "flags", "reason", "capacity", "in_use", "pool")
    expected = [
        ("ord1-a", "gpu001", "2026-10-28T17:00:00Z", "mixed", None, None, "8", "4", "gpu, all"),
        ("ord1-a", "gpu002", "2026-10-28T17:00:00Z", "idle", "DRAIN", "a=b, cable [root@2026-10-27T09:30:00]", "8",
         None, "gpu, all"),
    ]  # fmt: skip
    for layout in (text, one_line(text)):
        table = snapshot(layout, name=name)
        assert (table.format, table.frame.select(shown).rows()) == ("slurm_text", expected)


def test_a_reason_over_several_lines_has_its_time_where_the_zone_is_declared(snapshot):
    reason = "GPU3 ECC\n       RMA 88213 [mfeld@2026-10-27T09:30:00]"
    text = record("gpu002", "DOWN*+DRAIN", reason=reason, more="Comment=back on Monday")
    (row,) = snapshot(text, name="ord1-a_20261028T1700Z.txt", time_zone="America/Chicago").frame.rows(named=True)
    assert (row["reason"], row["reason_by"], row["reason_at"]) == ("GPU3 ECC RMA 88213", "mfeld", "2026-10-27T09:30:00")
    assert (row["state"], row["flags"]) == ("down", "NOT_RESPONDING, DRAIN")


def test_a_record_that_is_cut_off_is_refused_and_the_rest_is_read(snapshot):
    text = record("gpu001", "IDLE") + "NodeName=gpu002 Arch=x86_64 CoresPerSocket=48\n   CPUAlloc=0 CPU"
    table = snapshot(text, name="ord1-a_20261028T1700Z.txt")
    assert (table.ledger.data, table.ledger.rejected) == (1, 1)
    assert "no State: it may be cut off" in table.rejected[0].message


def test_entries_without_a_name_are_refused_in_words(snapshot):
    table = snapshot(scontrol(node("gpu001", "IDLE"), {"state": ["IDLE"]}, node("gpu003")))
    assert (table.ledger.data, table.ledger.rejected) == (1, 2)
    assert "entry 2 has no name or no state" in table.rejected[0].message


def test_a_snapshot_of_unknown_cluster_and_time_says_what_to_write(snapshot):
    table = snapshot(record("gpu001", "IDLE"), name="scontrol.txt")
    assert {finding.code for finding in table.findings} == {"cluster_unknown", "time_unknown"}


def test_another_dataset_is_refused(read):
    with pytest.raises(FileRejected, match="feed scheduler_nodes, not links"):
        read(scontrol(node("gpu001", "IDLE")), contract=load_contracts()["links"], name="x.json", format="auto")


@pytest.mark.parametrize(
    ("text", "count", "kinds"),
    [
        ("gpu:h200:8(S:0-1)", 8, "h200"), ("gpu:8", 8, None), ("gpu", 1, None),
        ("gpu:a100:4(S:0),gpu:t4:2", 6, "a100, t4"),
        ("gpu:h200:no_consume:8", 8, "h200"), ("nvme:2", 0, None), ("(null)", None, None), ("", None, None),
        (None, None, None), ("gpu:h200:0(IDX:N/A)", 0, "h200"), ("gpu:h200:3(IDX:0-2),nvme:1", 3, "h200"),
        ("shard:2K", 0, None),
        ("gres/gpu=8", 8, None),
    ],
)  # fmt: skip
def test_generic_resources(text, count, kinds):
    assert (count_of(text), kinds_of(text)) == (count, kinds)


@given(st.lists(st.text(max_size=12), max_size=4))
def test_no_words_break_a_state(words):
    state = state_of(words)
    assert state is None or (state.base and state.base not in state.flags)


@given(st.text(max_size=40))
def test_no_text_breaks_a_count(text):
    count = count_of(text)
    assert count is None or count >= 0
