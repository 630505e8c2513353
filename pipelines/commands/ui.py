"""``turnup ui``: the Dagster UI with one programme."""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path

from pipelines.instance import prepare_instance
from turnup.programme import Home
from turnup.yaml_source import ConfigurationError

_WORKSPACE = Path(__file__).resolve().parents[2] / "workspace.yaml"


def start_ui(folder: Path, port: int, host: str) -> None:
    """Replace this process by ``dagster dev``; its daemon runs the weekly schedule.

    Raises:
        ConfigurationError: the host is no address of a machine.
    """
    if not _is_loopback(host):
        sys.stderr.write(
            f"turnup ui listens on {host}: it has no users, so whoever reaches it may read and run everything. "
            "Put a proxy with a login in front, as docs/production.md shows.\n"
        )
    home = Home(folder.resolve())
    home.load()
    prepare_instance(home)
    os.environ.update(TURNUP_HOME=str(home.root), DAGSTER_HOME=str(home.dagster))
    command = ["-m", "dagster", "dev", "-w", str(_WORKSPACE), "-h", host, "-p", str(port)]
    os.execv(sys.executable, [sys.executable, *command])  # noqa: S606 - our own interpreter, fixed arguments


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        raise ConfigurationError(f"--host '{host}': expected an address such as 127.0.0.1 or 0.0.0.0") from None
