"""The narrative: a row makes a sentence, without the row there is none; no word weighs what a number can say."""

import re

import pytest

from reports.build.narrative import build_narrative, narrative_block, supported
from reports.build.reports import build_issue, targets
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.models.narrative import Narrative
from tests.reports.sample_warehouse import build_sample

PARTS = ("changed", "why", "asked")
OPINION = re.compile(
    r"\b(significant|substantial|major|minor|good|bad|strong|weak|severe|critical|serious|healthy|slight|great|large"
    r"|small|poor|solid|robust|challenging|encouraging|broadly|largely|mostly|very|well)\b",
    re.IGNORECASE,
)


def told(change=None):
    return build_narrative(week_of(Warehouse(build_sample(change))))


def sentences(narrative: Narrative) -> list[str]:
    return [item.text for part in PARTS for item in getattr(narrative, part)]


def test_every_sentence_has_a_number_live_evidence_and_no_opinion():
    issue = build_issue(build_sample())
    known = targets(issue.governance)
    for narrative in (issue.executive.narrative, supported(told(), known)):
        assert all(getattr(narrative, part) for part in PARTS)
        for part in PARTS:
            for item in getattr(narrative, part):
                assert set(item.evidence) <= known
                assert item.evidence
                assert re.search(r"\d", item.text)
    # Words of a file stand behind the colon and are the file's own.
    assert not [text for text in sentences(told()) if OPINION.search(text.partition(":")[0])]


def test_templates_say_what_the_rows_say():
    found = sentences(told())
    for text in (
        "GPU schedulable +320 to 2,752 of 3,072 due GPUs.",
        "2026-W43.2 restates Storage of 2026-W43 by −1.5 PB: came inventory_dfw2.xlsx.",
        "GPU-IAD3-A (1,024 GPUs) went from amber to green: all evidence fresh.",
        "P50 of MSA-2026-008/20/1 BB-LHR1 moved +6 d to 2 Dec 26; contract 10 Oct 26.",
        "1 gate passed at 1 system.",
        "GPU-IAD3-A +256 GPUs: G7 passed 28 Oct: 32 nodes admitted to slurm-iad3.",
        "GPU-DFW2-B: 1,024 GPUs held for 19 d; not met: Half of the block B2 kit is not on site.",
        "Ruth Adeyemi (CPO) to decide D-63 by 28 Oct 26 (+12 d without it): Second source for 800G OSFP optics.",
        "Kenji Mori to close A-33, due 23 Oct 26, 7 d overdue: Escalate cross-connect 4471 to the provider's director.",
    ):
        assert text in found


ROWS = {
    "mart.change": r"schedulable [+−]",
    "mart.restatements": r" restates ",
    "hist.systems": r" went from ",
    "mart.commitments": r"^P50 of ",
    "mart.gates": r" passed at ",
    "mart.change_rows": r"^GPU-IAD3-A \+256",
    "mart.blockers": r" held for ",
    "mart.decisions": r" to decide ",
    "mart.raid": r" to close ",
}


@pytest.mark.parametrize("table", sorted(ROWS))
def test_without_its_rows_a_sentence_is_gone(table):
    assert [text for text in sentences(told()) if re.search(ROWS[table], text)]
    assert not [text for text in sentences(told(lambda tables: tables[table].clear())) if re.search(ROWS[table], text)]


def test_a_sentence_whose_evidence_the_report_does_not_hold_is_not_said():
    narrative = supported(told(), {"S4-passed"})
    assert sentences(narrative) == ["1 gate passed at 1 system."]
    assert sentences(supported(told(), set())) == []
    assert "No row of this week supports a sentence" in narrative_block(supported(told(), set())).text
