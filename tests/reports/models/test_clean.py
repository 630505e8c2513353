"""Text is made safe once, on its way into the model: a walk over every field of every model finds none that is not."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from reports.build.reports import build_issue
from reports.build.standing import Standing
from reports.build.vendor import build_vendor_report
from reports.text import clean
from tests.reports.sample_warehouse import build_sample
from tests.reports.test_hostile import STRINGS, infest
from turnup.warehouse.release import Release


def texts(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a model with the place where it stands."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from texts(item, f"{path}[]")
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from texts(getattr(value, field.name), f"{path}.{field.name}")


@pytest.mark.parametrize("shift", [0, 8, 16])
def test_every_text_of_every_model_is_clean(shift: int) -> None:
    hostile = STRINGS[shift:] + STRINGS[:shift]
    con = build_sample(infest(hostile))
    fingerprint = con.execute("SELECT fingerprint FROM meta.week").fetchone()
    assert fingerprint is not None
    released = Release("n", clean(fingerprint[0]), "Eve\u202e\x1b[31m", "2026-11-02", "why\x00not", 1)
    issue = build_issue(con, Standing(released=released))
    found = list(texts((issue.governance, issue.executive, tuple(issue.sheets))))
    assert len(found) > 3000
    assert [(path, text) for path, text in found if clean(text) != text] == []
    assert issue.executive.header.released is not None
    assert issue.executive.header.released.by == "Eve⟦U+202E⟧[31m"


def test_the_vendor_report_is_clean_too() -> None:
    con = build_sample(infest(STRINGS, {"shipment", "part_number", "ship_to_site", "line", "programme"}))
    found = list(texts(build_vendor_report(con, "Lumenar Optics")))
    assert [(path, text) for path, text in found if clean(text) != text] == []
