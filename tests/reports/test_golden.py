"""Page 1 as its readers get it, in words: a change of wording or of a figure shows up here and nowhere by accident."""

import re

from syrupy.assertion import SnapshotAssertion

from reports.build.reports import targets
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from reports.render import executive_html
from tests.reports.pages import Page


def test_page_1_in_words(governance: GovernanceReport, executive: ExecutiveReport, snapshot: SnapshotAssertion) -> None:
    html = executive_html(executive, targets(governance))
    first = re.split(r'<section class="page"', html)[0]
    body = first[first.index("<main") :]
    rows = re.split(
        r"(?=<tr|<p |<h1|<h2|<figure)", re.sub(r"<svg.*?</svg>|<details>.*?</details>", "", body, flags=re.S)
    )
    assert [text for row in rows if (text := Page(row).text)] == snapshot
