"""The pages of docs/ as a site: every link leads somewhere, and a reader fetches nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_FETCHED = re.compile(r'<(?:script|img|link)\b[^>]*\b(?:src|href)="(?:https?:)?//', re.IGNORECASE)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_there(site):
    pages = {file.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for file in (ROOT / "docs").rglob("*.md")}
    made = {file.relative_to(site).as_posix() for file in site.rglob("*.html")}
    assert {page.replace("README.html", "index.html") for page in pages} <= made


def test_a_reader_fetches_nothing_from_elsewhere(site):
    found = {file.name for file in site.rglob("*.html") if _FETCHED.search(file.read_text(encoding="utf-8"))}
    assert found == set()
