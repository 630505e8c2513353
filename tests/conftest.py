"""What many tests share: where the real cases are, and the demo programme refreshed once."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT.parent / "shared" / "cases"


@pytest.fixture(scope="session")
def cases():
    """The folder of real files; tests that read it are skipped where it is absent."""
    if not CASES.is_dir():
        pytest.skip("the real files are not here")
    return CASES


@pytest.fixture(scope="session")
def chromium():
    """Path of a Chromium; browser tests are skipped without one, unless the environment demands it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        if os.environ.get("TURNUP_REQUIRE_BROWSER"):
            pytest.fail("a browser is required here and none is installed")
        pytest.skip("no Chromium on this machine")
    return found


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory):
    """The demo programme with all its weeks refreshed and reported, made once; tests only read it."""
    from datetime import UTC, datetime

    from examples.demo import generate
    from reports.index import render_index
    from reports.render import render
    from turnup.programme import Home
    from turnup.refresh import refresh
    from turnup.warehouse.connection import connect

    home = Home(tmp_path_factory.mktemp("demo") / "demo")
    generate(home.root)
    shutil.copytree(ROOT / "playbooks", home.playbooks, dirs_exist_ok=True)
    now = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
    for number in range(33, 45):
        week = f"2026-W{number}"
        result = refresh(home, week, now, reason="demo")
        with connect(result.database, read_only=True) as con:
            render(con, home.out / week)
    render_index(home.out)
    return home
