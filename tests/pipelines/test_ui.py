"""The Dagster UI in a real browser: the graph loads, another week goes green, a manager reads the result."""

import json
import shutil
import time

import pytest

from tests.pipelines.served import served

REASON = "optics came in late"
ANOTHER_WEEK = "2026-10-30"  # the partition of 2026-W45, which the demo does not reach


@pytest.fixture(scope="module")
def home(demo_home, tmp_path_factory):
    """A copy of the demo."""
    home = tmp_path_factory.mktemp("ui") / "demo"
    shutil.copytree(demo_home.root, home, symlinks=True)
    return home


@pytest.fixture(scope="module")
def address(home):
    """The UI of the programme, on a free port of the loopback address."""
    with served(home) as (_, port):
        yield f"http://127.0.0.1:{port}"


def _wait_for_file(file):
    end = time.monotonic() + 600
    while not file.exists():
        assert time.monotonic() < end, f"the run did not write {file.name}"
        time.sleep(1)


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
def test_a_manager_refreshes_another_week(page, home):
    from playwright.sync_api import expect

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

    page.goto("/automation")
    for name in ("weekly_governance_schedule", "inbox_sensor", "unsent_messages", "failed_runs"):
        page.get_by_text(name, exact=True).wait_for()
        row = page.locator("[class*=ListItem_listItem]").filter(has_text=name)
        expect(row.locator("input[type=checkbox]").last, f"{name} is running").to_be_checked(timeout=90_000)

    page.goto("/locations/turnup/jobs/refresh")
    page.get_by_role("button", name="Materialize all").first.wait_for()
    page.locator("button:right-of(:text('Materialize all'))").first.click()
    page.get_by_text("Open launchpad").click()
    launchpad = page.get_by_role("dialog")
    launchpad.get_by_text("No errors").wait_for()
    partition = launchpad.get_by_placeholder("Partition")
    partition.fill(ANOTHER_WEEK)
    partition.press("Enter")
    launchpad.locator(".CodeMirror").click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(f"resources:\n  options:\n    config:\n      reason: {REASON}\n")
    launchpad.get_by_text("partition: " + ANOTHER_WEEK).wait_for()
    launchpad.get_by_text("No errors").wait_for()
    launchpad.get_by_role("button", name="Materialize").last.click()
    launchpad.wait_for(state="hidden")

    page.goto("/runs")
    page.get_by_text(f"partition: {ANOTHER_WEEK}").first.wait_for()
    _wait_for_file(home / "store" / "issued" / "2026-W45.1.json")
    page.get_by_text("Success", exact=True).last.wait_for()
    assert page.get_by_text("Failure", exact=True).count() == 0

    page.goto(f"/assets/executive_report?view=partitions&partition={ANOTHER_WEEK}")
    page.get_by_text("out/2026-W45/executive.html").wait_for()
    page.get_by_text("gpu_cluster").wait_for()  # the executive summary
    page.goto(f"/assets/bom?view=partitions&partition={ANOTHER_WEEK}")
    page.get_by_text("rows_quarantined_ever").wait_for()
    page.get_by_text("preview").wait_for()
    page.get_by_text("Checks", exact=True).first.click()
    page.get_by_text("errors", exact=True).first.wait_for()
    page.goto(f"/assets/delivered_reports?view=partitions&partition={ANOTHER_WEEK}")
    page.get_by_text("not_sent").wait_for()
    kept = [json.loads(file.read_text()) for file in (home / "store" / "weeks").glob("2026-W45.*.json")]
    assert [manifest["reason"] for manifest in kept] == [REASON]
