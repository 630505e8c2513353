from collections.abc import Iterator

import duckdb
import pytest

from reports.build.reports import build_reports
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from tests.reports.sample_warehouse import build_sample


@pytest.fixture
def sample() -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse of the sample programme."""
    con = build_sample()
    yield con
    con.close()


@pytest.fixture(scope="session")
def both() -> tuple[GovernanceReport, ExecutiveReport]:
    """Both models of the sample programme."""
    return build_reports(build_sample())


@pytest.fixture(scope="session")
def executive(both: tuple[GovernanceReport, ExecutiveReport]) -> ExecutiveReport:
    """The executive model."""
    return both[1]


@pytest.fixture(scope="session")
def governance(both: tuple[GovernanceReport, ExecutiveReport]) -> GovernanceReport:
    """The governance model."""
    return both[0]
