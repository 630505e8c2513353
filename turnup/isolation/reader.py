"""The parent's side: asks a child, waits no longer than the file deserves, and replaces a child that did not survive.

A file that kills its reader is refused by one finding and the next file gets a new child. A child that died of
something else than our limits is asked once more first: this machine may have killed it for reasons of its own.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from turnup.isolation.exchange import LAST, OUT_OF_MEMORY, READY, load
from turnup.isolation.limits import STILL, Limits, limits_for

if TYPE_CHECKING:
    import polars as pl

    from expectations.contract import Contract
    from turnup.formats import FileRejected, Inspection, RawTable
    from turnup.programme import Source
    from turnup.returns.marker import Correction

_ROOT = Path(__file__).resolve().parents[2]
_WORKER = (sys.executable, "-m", "turnup.isolation.worker")
_END = 30.0
_NO_MEMORY = (b"memory allocation of", b"MemoryError", b"bad_alloc", b"Cannot allocate memory")
_PACKED = (b"PK", b"\x1f\x8b", b"PAR1")


_ASKED_AGAIN = ("reader_died", "stood_still")


class _Died(Exception):
    """The child ended without an answer; ``code`` is the refusal that follows when it is the file's doing."""

    def __init__(self, code: str, how: str) -> None:
        super().__init__(how)
        self.code = code


class Reader:
    """Reads files in one child process after another; files are read one at a time."""

    def __init__(self, worker: tuple[str, ...] = _WORKER) -> None:
        """Nothing is started before the first file, or ``start``."""
        self._command = worker
        self._child: _Child | None = None
        self._leaving: list[_Child] = []
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the child now, so that it is ready when the first file comes."""
        with self._lock:
            self._running()

    def parse(self, content: Path, name: str, source: Source, contract: Contract) -> RawTable:
        """``turnup.formats.parse`` in the child.

        Raises:
            FileRejected: as there; besides ``too_slow``, ``too_much_memory``, ``reader_died``, ``reader_failed`` and
                ``too_many_refused``.
            OSError: this machine could not read the file.
        """
        return cast("RawTable", self._ask(content, "parse", name, source, contract))

    def inspect(self, content: Path, name: str, dataset: str = "") -> Inspection:
        """``turnup.formats.inspect`` in the child, as the dataset named, else as what fits; a refusal is a finding."""
        self.start()
        from turnup.formats import FileRejected, Finding, Inspection, Ledger

        try:
            return cast("Inspection", self._ask(content, "inspect", name, dataset))
        except FileRejected as refusal:
            found = Finding(refusal.code, "error", refusal.row, refusal.column, refusal.value, refusal.message)
            return Inspection("unknown", None, (), Ledger(), (found,), {})

    def sheet(self, content: Path, name: str, sheet: str) -> pl.DataFrame:
        """The cells of one sheet of a workbook, as text.

        Raises:
            FileRejected: there is no such sheet, or the file cannot be read.
        """
        return cast("RawTable", self._ask(content, "sheet", name, sheet)).frame

    def returned(self, content: Path, correction: Correction, source: Source, contract: Contract) -> RawTable:
        """``turnup.returns.reading.read_returned`` in the child; raises as ``parse`` does."""
        limits = [_limits(file) for file in (content, correction.original) if file.is_file()]
        heavier = max(limits, key=lambda each: each.memory + int(each.seconds))
        return cast("RawTable", self._ask(content, "returned", correction, source, contract, limits=heavier))

    def close(self) -> None:
        """End the child."""
        with self._lock:
            for child in (*self._leaving, *([self._child] if self._child is not None else [])):
                child.end()
            self._leaving.clear()
            self._child = None

    def _ask(self, content: Path, call: str, *arguments: Any, limits: Limits | None = None) -> RawTable | Inspection:
        limits = limits or _limits(content)
        with self._lock, tempfile.TemporaryDirectory(prefix="turnup-") as folder:
            request = pickle.dumps((folder, limits, call, (str(content.absolute()), *arguments)))
            try:
                try:
                    self._answered(request)
                except _Died as first:
                    if first.code not in _ASKED_AGAIN:
                        raise
                    self._answered(request)
            except _Died as death:
                raise _refusal(death, limits) from death
            return load(Path(folder))

    def _answered(self, request: bytes) -> None:
        child = self._running()
        try:
            going_on = child.ask(request)
        except _Died:
            self._child = None
            raise
        if not going_on:
            # It ends by itself; nobody waits for that now.
            self._leaving.append(child)
            self._child = None

    def _running(self) -> _Child:
        # A process that was forked from this one must not share the child with it.
        if self._child is None or self._child.parent != os.getpid():
            for child in self._leaving if self._child is None else []:
                child.end()
            self._leaving.clear()
            self._child = _Child(self._command)
        return self._child


class _Child:
    """One child process with its pipes."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.parent = os.getpid()
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
        )
        self._ready = False

    def ask(self, request: bytes) -> bool:
        """Send a request and wait for its answer; False when it was the child's last.

        Raises:
            _Died: there is no answer, and no child any more.
        """
        if not self._ready:
            if self._word() != READY:
                raise RuntimeError(
                    f"the reading process does not start: {self._said()[-500:].decode(errors='replace')}"
                )
            self._ready = True
        with contextlib.suppress(BrokenPipeError):
            self._pipe(self._process.stdin).write(request)
            self._pipe(self._process.stdin).flush()
        return self._word() != LAST

    def end(self) -> None:
        """Close its input, on which it ends; one that does not is killed."""
        with contextlib.suppress(BrokenPipeError):
            self._pipe(self._process.stdin).close()
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._pipe(self._process.stdout).close()
        self._errors.close()

    def _word(self) -> bytes:
        """The next word of the child; one that stands still without computing is killed."""
        answers = self._pipe(self._process.stdout)
        computed = -1
        while not select.select([answers], [], [], STILL)[0]:
            before, computed = computed, self._computed()
            if computed == before:
                self._process.kill()
                raise self._death("stood_still")
        word = os.read(answers.fileno(), 16)
        if not word:
            raise self._death()
        return word

    def _death(self, code: str | None = None) -> _Died:
        status = self._process.wait()
        said = self._said()
        if code is None and status == -signal.SIGXCPU:
            code = "too_slow"
        elif code is None and (status == OUT_OF_MEMORY or any(word in said for word in _NO_MEMORY)):
            code = "too_much_memory"
        self.end()
        how = f"signal {signal.Signals(-status).name}" if status < 0 else f"exit code {status}"
        return _Died(code or "reader_died", how)

    def _computed(self) -> int:
        """Ticks of computing time that the child has used."""
        with contextlib.suppress(OSError):
            stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii", errors="replace")
            fields = stat.rpartition(")")[2].split()
            return int(fields[11]) + int(fields[12])
        return 0

    def _said(self) -> bytes:
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - 65_536))
        return self._errors.read()

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        if pipe is None:
            raise RuntimeError("the child has no pipe")
        return pipe


def _limits(content: Path) -> Limits:
    with content.open("rb") as handle:
        head = handle.read(4)
        size = handle.seek(0, os.SEEK_END)
    return limits_for(size, packed=head.startswith(_PACKED))


def _refusal(death: _Died, limits: Limits) -> FileRejected:
    from turnup.formats import FileRejected

    if death.code == "too_slow":
        message = (
            f"reading took more than {limits.seconds:.0f} seconds of computing, more than a file of this size needs"
        )
        expected = "a file that reads in less time; split it, or export it anew"
    elif death.code == "stood_still":
        message, expected = "reading stood still, twice", "a file that opens in its own program; export it anew"
    elif death.code == "too_much_memory":
        message = f"reading took more than {limits.memory >> 20:,} MiB of memory, more than a file of this size needs"
        expected = "a file that unpacks to less; split it, or send the used range only"
    else:
        message = f"the reader did not survive this file ({death}), twice; please report it, with the file"
        expected = "a file that opens in its own program; export it anew"
    code = "too_slow" if death.code == "stood_still" else death.code
    return FileRejected(code, f"{message}; the others are read", expected=expected)


@cache
def shared_reader() -> Reader:
    """The reader of this process; its child ends with the process."""
    reader = Reader()
    atexit.register(reader.close)
    return reader
