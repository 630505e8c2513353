"""The commands that docs/operations.md shows run as they stand there."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "operations.md"
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = [
    line
    for language, block in FENCED.findall(PAGE.read_text(encoding="utf-8"))
    for line in block.splitlines()
    if not language
]


def test_the_page_shows_every_command_of_the_group():
    from pipelines.groups.operation import app as group

    names = {item.name or item.callback.__name__ for item in group.registered_commands}
    # A lake needs a catalog; docs/cluster.md shows its command.
    assert {shlex.split(line)[1] for line in COMMANDS} == names - {"lake"}


def test_no_command_of_the_group_waits_for_an_orchestrator():
    script = (
        "import sys, pipelines.cli\n"
        "from pipelines.commands import doctor, move, pack, raid_log, today, verify\n"
        "heavy = {'dagster', 'great_expectations', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


@pytest.mark.slow
def test_documented_commands_run_one_after_another(mine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TURNUP_HOME", str(mine.root))
    for line in COMMANDS:
        name, *arguments = shlex.split(line)
        assert name == "turnup"
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, (line, done.output, done.exception)
