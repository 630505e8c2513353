"""The Dagster UI in a real browser: the graph loads, another week goes green, a manager reads the result."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ANOTHER_WEEK = "2026-10-30"  # the partition of 2026-W45, which the demo does not reach


@pytest.fixture(scope="module")
def address(demo_home, tmp_path_factory):
    """The UI of a copy of the demo, on a free port of the loopback address."""
    home = tmp_path_factory.mktemp("ui") / "demo"
    shutil.copytree(demo_home.root, home, symlinks=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "pipelines", "ui", "--home", str(home), "--port", str(port)]
    log = (home / "ui.log").open("wb")
    process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, process, home / "ui.log")
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=60)
        log.close()


def _wait_for(url, process, log):
    end = time.monotonic() + 180
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            urllib.request.urlopen(f"{url}/server_info", timeout=5)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    pytest.fail("the UI did not answer:\n" + log.read_text()[-2000:])


@pytest.fixture(scope="module")
def page(address, chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1600, "height": 1000}, base_url=address)
        page.set_default_timeout(90_000)
        yield page
        browser.close()


@pytest.mark.slow
@pytest.mark.browser
def test_a_manager_refreshes_another_week(page):
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)

    page.goto("/asset-groups")
    for group in ("ingest", "core", "readiness", "reports"):
        page.get_by_text(group, exact=True).first.wait_for()
    warnings = page.get_by_text("warning", exact=False).or_(page.get_by_text("failed to load", exact=False))
    assert warnings.count() == 0
    page.goto("/locations")
    page.get_by_text("Loaded", exact=True).wait_for()
    assert errors == []

    page.goto("/locations/turnup/jobs/refresh")
    page.get_by_role("button", name="Materialize all").first.click()
    partition = page.get_by_role("dialog").get_by_role("textbox").first
    partition.fill(ANOTHER_WEEK)
    partition.press("Enter")
    page.get_by_role("button", name="Launch 1 run").click()
    page.get_by_role("dialog").wait_for(state="hidden")

    page.goto("/runs")
    page.get_by_text(f"partition: {ANOTHER_WEEK}").first.wait_for()
    page.get_by_text("Success", exact=True).first.wait_for(timeout=240_000)
    assert page.get_by_text("Failure", exact=True).count() == 0

    page.goto(f"/assets/executive_report?view=partitions&partition={ANOTHER_WEEK}")
    page.get_by_text("out/2026-W45/executive.html").wait_for()
    page.get_by_text("gpu_cluster").wait_for()  # the executive summary
    page.goto(f"/assets/bom?view=partitions&partition={ANOTHER_WEEK}")
    page.get_by_text("rows_quarantined_ever").wait_for()
    page.get_by_text("preview").wait_for()
