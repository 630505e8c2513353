"""Where ``turnup ui`` listens: on this machine alone, unless told otherwise, and then with a warning."""

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.commands import ui
from tests.turnup.small_programme import made


@pytest.fixture
def started(tmp_path, monkeypatch):
    """What the process would be replaced by; the environment is put back."""
    home, commands = made(tmp_path / "aurora"), []
    monkeypatch.setenv("TURNUP_HOME", "")
    monkeypatch.setenv("DAGSTER_HOME", "")
    monkeypatch.setattr(ui.os, "execv", lambda _, command: commands.append(command))

    def run(*options):
        return CliRunner().invoke(app, ["ui", "--home", str(home.root), *options]), commands

    return run


@pytest.mark.parametrize("host", [None, "localhost", "::1", "127.0.0.2"])
def test_nobody_else_reaches_it(started, host):
    done, [command] = started(*(["--host", host] if host else []))
    assert command[command.index("-h") + 1] == (host or "127.0.0.1")
    assert done.output == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::"])
def test_an_open_address_is_warned_of(started, host):
    done, [command] = started("--host", host, "--port", "3001")
    assert command[-4:] == ["-h", host, "-p", "3001"]
    assert f"turnup ui listens on {host}" in done.output
    assert "docs/production.md" in done.output


def test_what_is_no_address_is_refused(started):
    done, commands = started("--host", "my server")
    assert "--host 'my server': expected an address" in str(done.exception)
    assert commands == []
