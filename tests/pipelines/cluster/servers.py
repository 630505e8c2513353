"""PostgreSQL and Redis of the system's packages, each an instance of its own on a free port in a temporary folder."""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Servers:
    """Ports of the running servers, on the loopback address, and PostgreSQL's user (without password there)."""

    postgres: int
    redis: int
    user: str


def free_port():
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def binaries():
    """Folder of PostgreSQL's programs and path of Redis; the test is skipped or fails where one is absent."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: float(file.parts[-3]))
    initdb = versions[-1] if versions else shutil.which("initdb")
    redis = shutil.which("redis-server")
    if initdb is None or redis is None:
        missing = " and ".join(name for name, it in (("PostgreSQL", initdb), ("Redis", redis)) if it is None)
        if os.environ.get("TURNUP_REQUIRE_SERVERS"):
            pytest.fail(f"{missing} is required here and not installed")
        pytest.skip(f"no {missing} on this machine (Debian: postgresql, redis-server)")
    return Path(initdb).parent, redis


def unprivileged():
    """What goes before a command that refuses to run as root, and the user it then runs as."""
    if os.geteuid() != 0:
        return [], pwd.getpwuid(os.geteuid()).pw_name
    known = {entry.pw_name for entry in pwd.getpwall()}
    user = "postgres" if "postgres" in known else "nobody"
    entry = pwd.getpwnam(user)
    return ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"], user


@contextlib.contextmanager
def serving(folder):
    """Run both servers; ``folder`` must be reachable by every user."""
    programs, redis = binaries()
    before, user = unprivileged()
    data = folder / "postgres"
    data.mkdir()
    if before:
        shutil.chown(data, user)
    with (folder / "servers.log").open("ab") as log:
        say = {"stdout": log, "stderr": log, "cwd": folder}
        subprocess.run([*before, programs / "initdb", "-D", data, "-U", "turnup", "-A", "trust"], check=True, **say)
        ports = Servers(free_port(), free_port(), "turnup")
        address = ["-h", "127.0.0.1", "-p", str(ports.postgres)]
        running = [
            subprocess.Popen([*before, programs / "postgres", "-D", data, *address, "-k", ""], **say),
            subprocess.Popen(
                [redis, "--port", str(ports.redis), "--bind", "127.0.0.1", "--save", "", "--dir", folder], **say
            ),
        ]
        try:
            for port in (ports.postgres, ports.redis):
                _answers(port)
            for name in ("lake", "dagster"):
                _create_database(programs, address, name)
            yield ports
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait(timeout=60)


def _answers(port):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    pytest.fail(f"nothing answers on port {port}")


def _create_database(programs, address, name):
    command = [programs / "createdb", *address, "-U", "turnup", name]
    for _ in range(50):
        if subprocess.run(command, check=False, capture_output=True).returncode == 0:
            return
        time.sleep(0.2)  # it answers before it is ready
    pytest.fail(f"PostgreSQL makes no database {name}")
