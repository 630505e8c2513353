"""The reference pages of docs/ say what the contracts and the metric registry say."""

from pathlib import Path

import pytest

from pipelines.reference import reference_pages

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("path", sorted(reference_pages()))
def test_a_reference_page_is_up_to_date(path):
    assert (DOCS / path).read_text(encoding="utf-8") == reference_pages()[path], "run make docs"


def test_no_page_is_left_over():
    made = {path for path in reference_pages() if path.startswith("datasets/")}
    assert {f"datasets/{file.name}" for file in (DOCS / "datasets").iterdir()} == made
