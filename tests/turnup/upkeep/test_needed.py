"""What kept weeks need, on manifests written by hand."""

import pytest

from turnup.upkeep.needed import needed
from turnup.warehouse.manifest import Manifest, ManifestStore


@pytest.fixture
def store(tmp_path):
    found = ManifestStore(tmp_path)

    def week(label, ordinal, state, *history):
        found.create(
            Manifest(
                label, ordinal, state, f"{label}{ordinal}", {}, (), history[-1] if history else None, {}, "", history
            )
        )

    week("2026-W40", 1, "open")
    week("2026-W40", 2, "closed")
    week("2026-W41", 1, "open", "2026-W40.2")
    week("2026-W41", 2, "closed", "2026-W40.2")
    week("2026-W40", 3, "restated")
    week("2026-W42", 1, "closed", "2026-W40.3", "2026-W41.2")
    return found


@pytest.mark.parametrize(
    ("weeks", "rebuilt", "compared"),
    [
        # Of week 40 the restated result and what was issued first; results of open weeks are needed by nobody.
        (None, {"2026-W40.2", "2026-W40.3", "2026-W41.2", "2026-W42.1"}, set()),
        (3, {"2026-W40.2", "2026-W40.3", "2026-W41.2", "2026-W42.1"}, set()),
        (2, {"2026-W41.2", "2026-W42.1"}, {"2026-W40.2", "2026-W40.3"}),
        # Week 42 compares itself with weeks 40 and 41, and week 40 with what was issued of it first.
        (1, {"2026-W42.1"}, {"2026-W40.2", "2026-W40.3", "2026-W41.2"}),
    ],
)
def test_results_that_stay(weeks, rebuilt, compared, store):
    found = needed(store, weeks)
    assert set(found.rebuilt) == rebuilt
    assert set(found.compared) == compared
    assert set(found.results) == rebuilt | compared
