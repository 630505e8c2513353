import email
import email.policy
import io
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pptx
import pytest

from reports.formats.registry import EVERY_FORMAT
from reports.render import render
from tests.reports.reading import slide_texts
from tests.reports.sample_warehouse import build_sample


@pytest.fixture(scope="session")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample week with all files."""
    folder = tmp_path_factory.mktemp("formats") / "2026-W44"
    render(build_sample(), folder, EVERY_FORMAT)
    return folder


@pytest.fixture(scope="session")
def slides(week: Path) -> list[list[str]]:
    """Texts of each slide."""
    return slide_texts(pptx.Presentation(io.BytesIO((week / "executive.pptx").read_bytes())))


@pytest.fixture(scope="session")
def workbook(week: Path) -> openpyxl.Workbook:
    """The workbook of the governance report."""
    return openpyxl.load_workbook(week / "governance.xlsx")


@pytest.fixture(scope="session")
def message(week: Path) -> EmailMessage:
    """The e-mail."""
    read = email.message_from_bytes((week / "executive.eml").read_bytes(), policy=email.policy.default)
    assert isinstance(read, EmailMessage)
    return read
