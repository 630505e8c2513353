"""What many tests share: where the real cases are, and the demo programme refreshed once."""

import os
import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# No test depends on the speed of a machine; where a build runs by itself, it draws the same examples every time.
settings.register_profile("steady", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("steady")

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT.parent / "shared" / "cases"

# Compiled kernels of tests lie apart from those of the programmes that run from this folder.
os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".pytest_cache" / "numba")


_TAKES_THE_DEMO = re.compile(r"def \w+\([^)]*\b(?:demo|demo_home|first_weeks)\b|getfixturevalue")


def _scopes() -> dict[str, str]:
    """Per file of tests that share work what they share: the refreshed demo, or what a module makes."""
    folder = Path(__file__).parent
    texts = {
        file.relative_to(folder.parent).as_posix(): file.read_text(encoding="utf-8")
        for file in folder.rglob("test_*.py")
    }
    scopes = {name: name for name, text in texts.items() if 'fixture(scope="module"' in text}
    return scopes | {name: "demo" for name, text in texts.items() if _TAKES_THE_DEMO.search(text)}


def pytest_collection_modifyitems(config, items):
    """With several processes, what takes longest begins first, so that none works alone at the end."""
    if hasattr(config, "workerinput"):
        scopes = _scopes()
        ranks = {name: 0 if scope == "demo" else 1 for name, scope in scopes.items()}
        items.sort(key=lambda item: ranks.get(item.nodeid.partition("::")[0], 2))


def pytest_xdist_make_scheduler(config, log):
    """What is made once for several tests is made in one process."""
    from xdist.scheduler import LoadScopeScheduling

    scopes = _scopes()
    config.option.loadscopereorder = False

    class TogetherWhatSharesWork(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return scopes.get(nodeid.partition("::")[0], nodeid)

    return TogetherWhatSharesWork(config, log)


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


@dataclass
class Demo:
    """The demo programme with weeks refreshed and reported; tests only read it."""

    home: Any
    truth: Any
    databases: dict[str, Path]  # the published file of each week, kept though publication prunes old ones


def _refreshed(tmp_path_factory, weeks: int | None) -> Demo:
    from examples.demo import generate
    from reports.index import render_index
    from reports.render import render
    from turnup.programme import Home
    from turnup.refresh import refresh
    from turnup.warehouse.connection import connect

    home = Home(tmp_path_factory.mktemp("demo") / "demo")
    truth = generate(home.root)
    shutil.copytree(ROOT / "playbooks", home.playbooks, dirs_exist_ok=True)
    kept = tmp_path_factory.mktemp("weeks")
    databases = {}
    for week in truth.weeks[:weeks]:
        result = refresh(home, week, datetime(2026, 11, 2, 9, 0, tzinfo=UTC), reason="demo")
        databases[week] = kept / f"{week}.duckdb"
        databases[week].hardlink_to(result.database)
        with connect(result.database, read_only=True) as con:
            render(con, home.out / week)
    render_index(home.out)
    return Demo(home, truth, databases)


@pytest.fixture(scope="session")
def first_weeks(tmp_path_factory):
    """The demo programme with its first three weeks, for tests that are not slow."""
    return _refreshed(tmp_path_factory, 3)


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The demo programme with all of its twelve weeks, which takes minutes: for slow tests."""
    return _refreshed(tmp_path_factory, None)


@pytest.fixture(scope="session")
def demo_home(demo):
    """The folders of the whole demo programme."""
    return demo.home
