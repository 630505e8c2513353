"""Children of this process: forked with everything imported, and killed at a chosen step or moment.

A step is a file opened for writing, named, linked, removed or made under one folder, or a connection: its number is
the same on every machine. A moment is computing time, or time on the clock where a process mostly waits.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

_STEPS = {"os.rename", "os.link", "os.remove", "os.mkdir", "os.symlink", "os.chmod", "os.rmdir"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_TICK = 1 / os.sysconf("SC_CLK_TCK")
_LIMIT = 600.0


@dataclass(frozen=True)
class Kill:
    """When to kill: ``at`` is a number of steps, or seconds of computing, or seconds on the clock."""

    way: Literal["step", "computing", "clock"]
    at: float


@dataclass(frozen=True)
class Ended:
    """How a child ended: exit code (negative: the signal), last words, what it returned and what it took."""

    code: int
    said: str
    value: Any
    steps: int
    computing: float
    clock: float

    @property
    def killed(self) -> bool:
        """Whether it was killed in the middle."""
        return self.code == -signal.SIGKILL


class Child:
    """A forked process that does some work."""

    def __init__(self, work: Callable[[], Any], under: Path, kill: Kill | None = None) -> None:
        """Start it; ``under`` is the folder whose steps count."""
        self._notes = Path(tempfile.mkdtemp(prefix="turnup-fault-"))
        self._kill = kill
        self._began = time.monotonic()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _run(work, str(under), kill, self._notes)

    def wait(self) -> Ended:
        """Wait until it ends, or kill it at its moment."""
        status, usage = self._watched()
        took = time.monotonic() - self._began
        value, steps = None, 0
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
            value, steps = pickle.loads((self._notes / "value").read_bytes())
        said = (self._notes / "said").read_text(errors="replace")[-6000:] if (self._notes / "said").exists() else ""
        for file in self._notes.iterdir():
            file.unlink()
        self._notes.rmdir()
        code = os.waitstatus_to_exitcode(status)
        return Ended(code, said, value, steps, usage.ru_utime + usage.ru_stime, took)

    def _watched(self) -> tuple[int, Any]:
        kill = self._kill if self._kill is not None and self._kill.way != "step" else None
        while True:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                return status, usage
            late = time.monotonic() - self._began > _LIMIT
            if late or (kill is not None and self._spent() >= kill.at):
                os.kill(self.pid, signal.SIGKILL)
                _, status, usage = os.wait4(self.pid, 0)
                return (1 << 8 if late else status), usage
            time.sleep(0.002 if kill is not None else 0.01)

    def _spent(self) -> float:
        if self._kill is not None and self._kill.way == "clock":
            return time.monotonic() - self._began
        with contextlib.suppress(OSError, IndexError):
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) * _TICK
        return 0.0


def call(work: Callable[[], Any], under: Path, kill: Kill | None = None) -> Ended:
    """Do some work in a child and wait for it."""
    return Child(work, under, kill).wait()


def _run(work: Callable[[], Any], under: str, kill: Kill | None, notes: Path) -> None:
    """Be the child; never returns."""
    code = 1
    try:
        with (notes / "said").open("wb", buffering=0) as said:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
        count = [0]
        last = kill.at if kill is not None and kill.way == "step" else None

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            if not (event == "socket.connect" or (_is_step(event, arguments) and under in str(arguments[:2]))):
                return
            if count[0] == last:
                os.kill(os.getpid(), signal.SIGKILL)
            count[0] += 1

        sys.addaudithook(watch)
        value = work()
        (notes / "value").write_bytes(pickle.dumps((value, count[0])))
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:  # noqa: BLE001 - whatever it is, it is told and the fork ends here
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _is_step(event: str, arguments: tuple[Any, ...]) -> bool:
    return event in _STEPS or (event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & _WRITING))
