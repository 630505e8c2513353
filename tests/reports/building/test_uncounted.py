"""Contract lines whose system no register knows are said where their quantity is missed."""

from reports.build.reports import build_reports
from tests.reports.sample_warehouse import build_sample

FINDING = {
    "code": "unknown_reference", "severity": "error", "dataset": "commitments", "subject": "DUB3-GPX",
    "message": "commitments names DUB3-GPX, which is not in systems (1 rows)", "finding_id": "F-lost",
}  # fmt: skip


def lost(tables):
    like = dict.fromkeys(tables["mart.findings"][0])
    tables["mart.findings"].append({**like, **FINDING})


def texts(report):
    [section] = [one for one in report.sections if one.id == "S11"]
    return [block.text for block in section.blocks if block.type == "paragraph"]


def test_both_reports_name_the_system():
    governance, executive = build_reports(build_sample(lost))
    assert "Not counted: commitments names DUB3-GPX, which is not in systems (1 rows)" in texts(governance)
    assert "Not counted, system in no register: DUB3-GPX." in executive.how_much.footnotes


def test_nothing_is_said_where_every_system_is_known():
    governance, executive = build_reports(build_sample())
    assert not [text for text in (*texts(governance), *executive.how_much.footnotes) if text.startswith("Not counted")]
