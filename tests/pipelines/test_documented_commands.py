"""Every ``turnup`` command that README and docs show: it exists with these options, and runs on the demo."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from pipelines.cli import app
from turnup.programme import Home

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = re.compile(r"^ *(?:\$ )?(turnup [a-z-]+(?: .*)?)$", re.MULTILINE)
BLOCK = re.compile(r"^```\w*\n(.*?)^```$|(?:^ {4}\S.*\n?)+", re.MULTILINE | re.DOTALL)
COMMANDS = sorted(
    {
        re.sub(r"\s+# .*", "", found[1]).strip()
        for page in PAGES
        for block in BLOCK.finditer(page.read_text(encoding="utf-8"))
        for found in SHOWN.finditer(block[0])
    }
)
NOT_RUN = {
    "ui": "a server", "demo": "minutes; make demo runs it", "pull": "asks a server",
    "probe": "asks the node's own tools",
    "baseline": "needs rules of another tool: tests/acceptance", "diagnose": "needs a benchmark log: tests/acceptance",
    "inspect": "needs a supplier's file: test_cli", "schedule": "needs a plan: test_schedule_command",
    "init": "makes a programme: test_cli", "import": "needs an archive: operation/test_documented",
    "lake": "needs a catalog: cluster/test_workers", "delivery": "needs a mail server: reports/delivery",
    "verify": "minutes: operation/test_documented", "forecast": "minutes: test_forecast_command",
}  # fmt: skip
IN_THE_DEMO = {
    "SYSTEM": "HIL-GPU-1", "GPU-ATL-1": "HIL-GPU-1", "ABQ1": "HIL", "ABQ": "HIL", "ATL1": "HIL",
    "aurora.tar.gz": "TMP/aurora.tar.gz", "playbooks/pop.yaml": "HOME/playbooks/pop.yaml",
    "2026-W41": "2026-W43",
}  # fmt: skip


def parsed(words):
    """The command that these words name, with its options read; raises where either does not exist."""
    command, context = get_command(app), None
    while (members := getattr(command, "commands", None)) and words and words[0] in members:
        command, words = members[words[0]], words[1:]
    context = command.make_context("turnup", list(words))
    left = [*context.args, *getattr(context, "_protected_args", [])]
    assert not getattr(command, "commands", None) or not left, f"no command {left}"
    return context


def test_commands_are_found_in_the_pages():
    assert len(COMMANDS) > 45
    assert {"turnup today", "turnup refresh --home aurora"} <= set(COMMANDS)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_in_the_docs_exists_with_its_options(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "aurora.tar.gz").touch()
    parsed(shlex.split(line)[1:])


@pytest.mark.parametrize("line", ["turnup wek", "turnup refresh --weeks 2026-W41", "turnup pack --vendor"])
def test_a_command_that_is_none_is_noticed(line):
    with pytest.raises(Exception, match=r"[Nn]o such|no command|requires an argument"):
        parsed(shlex.split(line)[1:])


@pytest.mark.slow
def test_the_commands_run_on_the_demo(demo_home, tmp_path, monkeypatch):
    home = Home(tmp_path / "demo")
    shutil.copytree(demo_home.root, home.root, symlinks=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TURNUP_HOME", str(home.root))
    vendor = next(iter(_vendors(home)))
    wrong = []
    for line in COMMANDS:
        words = shlex.split(line)[1:]
        if words[0] in NOT_RUN or "release" in words[:2]:  # test_report_release has a DRAFT to release
            continue
        words = [_in_the_demo(word, home, tmp_path, vendor) for word in words]
        (tmp_path / "aurora.tar.gz").unlink(missing_ok=True)
        done = CliRunner().invoke(app, words)
        if done.exit_code not in _fine(words):
            wrong.append((line, words, done.exit_code, done.output[-400:], repr(done.exception)))
    assert wrong == []


def _in_the_demo(word, home, folder, vendor):
    word = {"aurora": str(home.root), "Kestrel": vendor, "NAME": vendor, "Ana Ruiz": "Dana Whitfield"}.get(word, word)
    word = IN_THE_DEMO.get(word, word)
    return word.replace("TMP", str(folder)).replace("HOME", str(home.root))


def _fine(words):
    """``audit`` says no-go, and ``doctor`` that something is left (the demo was never issued), by exit code 1."""
    return {0, 1} if words[0] in ("audit", "doctor") else {0}


def _vendors(home):
    from turnup.warehouse.connection import connect

    with connect(home.warehouse.resolve(), read_only=True) as con:
        return [name for (name,) in con.sql("SELECT DISTINCT vendor FROM mart.vendors ORDER BY 1").fetchall()]
