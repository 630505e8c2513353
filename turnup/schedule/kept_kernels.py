"""Compiled kernels on disk: compiled once per machine, by however many processes begin at the same time.

Belongs here: under which name compiled code is kept, and when it is still good. Does not: how kernels are compiled
(``compiled``, ``simulation.compiled``).

Numba numbers the files of a function's signatures and keeps an index beside them. Two processes that compile at once
can give one number to two signatures, and after a change of sources the index names a number whose file still has the
old code; a process that then runs code made for other arguments dies. Numba also keeps code as long as the file of its
function is unchanged, though it may have taken in functions and constants from other files. Here a file has the name
of what is in it, sources and signature, and is written whole: whoever finds it may run it.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import pickle
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numba
from numba.core.caching import FunctionCache
from numba.core.serialize import dumps

from turnup.durable import replace_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., object]")
_DIGEST = hashlib.sha256().digest_size


def kept(function: Function, **settings: object) -> Function:
    """Compile a function by numba, and keep what was compiled where numba keeps it.

    Args:
        function: of arrays and numbers.
        settings: those of ``numba.njit``.
    """
    try:
        made = numba.njit(cache=True, **settings)(function)
    except RuntimeError:
        # Neither the folder of the source nor the cache folder can be written: compile in every process.
        return numba.njit(**settings)(function)  # type: ignore[no-any-return]
    its = getattr(made, "_cache", None)
    if isinstance(its, FunctionCache):
        package = Path(function.__code__.co_filename).parent
        its._cache_file = KeptKernel(Path(its.cache_path), its._impl.filename_base, sources(package))
    return made  # type: ignore[no-any-return]


class KeptKernel:
    """What was compiled of one function, a file for each signature; takes the place of numba's index.

    Attributes:
        folder: where the files lie.
        name: of the function, with file, line and version of Python.
        sources: digest of all that it may have been compiled from.
    """

    def __init__(self, folder: Path, name: str, sources: str) -> None:
        self.folder, self.name, self.sources = folder, name, sources

    def load(self, key: object) -> Any:
        """What was kept for a signature on a kind of machine; None where nothing whole is there."""
        try:
            content = self._file(key).read_bytes()
        except OSError:
            return None
        body = content[_DIGEST:]
        # After a loss of power a file may be there without all of its content.
        return pickle.loads(body) if hashlib.sha256(body).digest() == content[:_DIGEST] else None  # noqa: S301

    def save(self, key: object, data: object) -> None:
        """Keep what was compiled, and drop what older sources left; where that cannot be written nothing is kept."""
        body = dumps(data)
        with contextlib.suppress(OSError):
            replace_bytes(self._file(key), hashlib.sha256(body).digest() + body)
            for file in self.folder.glob(f"{glob.escape(self.name)}.*.nbc"):
                if not file.name.startswith(self._current):
                    file.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget everything that was kept of this function."""
        for file in self.folder.glob(f"{glob.escape(self.name)}.*.nbc"):
            file.unlink(missing_ok=True)

    @property
    def _current(self) -> str:
        return f"{self.name}.{self.sources[:16]}."

    def _file(self, key: object) -> Path:
        return self.folder / f"{self._current}{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.nbc"


@cache
def sources(package: Path) -> str:
    """Digest of the compiler and of the files from which kernels of a package may take in functions and constants."""
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted({*Path(__file__).parent.rglob("*.py"), *package.glob("*.py")}):
        digest.update(file.read_bytes())
    return digest.hexdigest()
