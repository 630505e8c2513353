"""The child: reads one file after another as it is asked, within limits that it sets for itself before each.

It answers a word a file on what was its standard output, which readers cannot reach; what it read lies in the folder
that the request names. It ends when its parent does, after many files, and when a file left it large.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import pickle
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnup.isolation import exchange
from turnup.isolation.exchange import DONE, LAST, OUT_OF_MEMORY, READY
from turnup.isolation.limits import LARGEST_ANSWER

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from turnup.formats import FileRejected, Inspection, RawTable
    from turnup.isolation.limits import Limits

_FILES = 200
_GROWN = 400 << 20
_OBJECTS = 200_000
_THREADS = {"POLARS_MAX_THREADS": "4", "RAYON_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_OF_THIS_MACHINE = frozenset(
    {errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.ENOENT, errno.EACCES, errno.EMFILE, errno.ENFILE, errno.ESTALE}
)
_FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.exec", "os.posix_spawn", "os.system")


def main() -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    for name, count in _THREADS.items():
        os.putenv(name, count)
    _load()
    # Rows are many small objects without cycles, which are looked for less often here.
    gc.freeze()
    gc.set_threshold(_OBJECTS)
    sys.addaudithook(_refuse_reach)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers.write(READY)
    for number in range(1, _FILES + 1):
        if not _answer(sys.stdin.buffer, answers, last=number == _FILES):
            # What was read is left to the system to clear away, which is quicker.
            os._exit(0)


def _load() -> None:
    """What every file needs, before any limit counts."""
    import turnup.formats.inspection
    import turnup.programme  # noqa: F401
    from expectations.contract import load_contracts

    load_contracts()


def _refuse_reach(event: str, _: tuple[Any, ...]) -> None:
    """No file can make a reader open a connection or start a program."""
    if event in _FORBIDDEN:
        raise PermissionError(errno.EPERM, f"a reader may not do this: {event}")


def _answer(requests: BinaryIO, answers: BinaryIO, *, last: bool) -> bool:
    """Read one file and say so; False when that was the last, or the parent has no more."""
    try:
        # Our own parent wrote it; nothing of the file is in it but its path and name.
        folder, limits, call, arguments = pickle.load(requests)  # noqa: S301
    except EOFError:
        return False
    _limit(limits)
    try:
        read = CALLS[call](*arguments)
        _save(Path(folder), limits, read)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    last = last or _resident() > _GROWN
    answers.write(LAST if last else DONE)
    return not last


def _save(folder: Path, limits: Limits, answer: RawTable | Inspection | FileRejected | OSError) -> None:
    if isinstance(answer, OSError):
        exchange.save_trouble(folder, answer)
        return
    try:
        exchange.save(folder, answer, LARGEST_ANSWER)
    except OSError as error:
        exchange.save_trouble(folder, error)


def told(read: Callable[..., RawTable | Inspection]) -> Callable[..., RawTable | Inspection | FileRejected | OSError]:
    """The reading as an answer, whatever happens in it; lack of memory alone is raised."""

    def answer(*arguments: Any) -> RawTable | Inspection | FileRejected | OSError:
        from turnup.formats import FileRejected

        try:
            return read(*arguments)
        except FileRejected as refusal:
            return refusal
        except MemoryError:
            raise
        except RecursionError:
            return FileRejected("nested", "the file nests its parts too deeply", expected="a flat table")
        except OSError as error:
            return error if error.errno in _OF_THIS_MACHINE else _failed(error)
        except BaseException as fault:  # noqa: BLE001 - also the panics of readers written in Rust
            return _failed(fault)

    return answer


def _failed(fault: BaseException) -> FileRejected:
    from turnup.formats import FileRejected

    told = f"the reader failed on this file ({type(fault).__name__}: {str(fault)[:500]}); please report it"
    return FileRejected("reader_failed", f"{told}, with the file")


@told
def _parse(path: str, name: str, source: Any, contract: Any) -> RawTable:
    from turnup.formats import parse

    return parse(Path(path), name, source, contract, cells=True)


@told
def _inspect(path: str, name: str, dataset: str) -> Inspection:
    from expectations.contract import load_contracts
    from turnup.trial import inspect_and_try

    return inspect_and_try(Path(path), name, load_contracts(), dataset)


@told
def _sheet(path: str, name: str, sheet: str) -> RawTable:
    from turnup.returns.reading import hidden_sheet

    return hidden_sheet(Path(path), name, sheet)


@told
def _returned(path: str, correction: Any, source: Any, contract: Any) -> RawTable:
    from turnup.returns.reading import read_returned

    return read_returned(Path(path), correction, source, contract)


CALLS = {"parse": _parse, "inspect": _inspect, "sheet": _sheet, "returned": _returned}


def _limit(limits: Limits) -> None:
    """Let memory grow up to the limit and computing time run on for the limit, from where they stand now."""
    room = max(limits.memory - _resident(), 64 << 20)
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + limits.seconds) + 1
    for kind, value in ((resource.RLIMIT_DATA, _status("VmData") + room), (resource.RLIMIT_CPU, seconds)):
        hard = resource.getrlimit(kind)[1]
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        if value > 0:
            resource.setrlimit(kind, (soft, hard))


def _resident() -> int:
    return _status("VmRSS")


def _status(field: str) -> int:
    """Bytes of this process; 0 on a system that does not tell, where memory is then not limited by this process."""
    with contextlib.suppress(OSError), Path("/proc/self/status").open(encoding="ascii") as lines:
        for line in lines:
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) << 10
    return 0


if __name__ == "__main__":
    main()
