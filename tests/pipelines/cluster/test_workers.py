"""Two Celery workers read one programme's files into one lake at once; its reports are those of a single machine."""

import re

import pytest

pytest.importorskip("dagster_celery", reason="the extra 'cluster' is not installed")

from tests.pipelines.cluster.servers import serving
from tests.pipelines.cluster.workers import INGEST, open_to_servers, prepared, programme, reported, run, worker

pytestmark = pytest.mark.slow


def test_two_workers_make_the_reports_of_one_machine(tmp_path):
    _, alone = reported(programme(tmp_path / "alone"))
    home = programme(tmp_path / "shared")
    with open_to_servers() as folder, serving(folder) as servers:
        together, first, second = read_by_workers(home, folder, servers)
    assert together == alone
    assert first and second, "one worker did all of it"


def read_by_workers(home, folder, servers):
    """Read on two workers, then make the week here; gives the reports and the steps that each worker did."""
    environment = prepared(home, folder, servers)
    with worker("one", environment, folder) as (one, _), worker("two", environment, folder) as (two, _):
        run(INGEST, environment)
        done = [len(re.findall(r"succeeded in", log.read_text())) for log in (one, two)]
    result, together = reported(home)
    assert sum(summary.files for summary in result.ingested) == 0, "the workers left files unread"
    assert not (home.store / "parts").exists()
    return together, *done
