"""How kernels are compiled: by numba, once per machine, kept on disk.

Numba keeps what it compiled as long as the file of the function is unchanged, though the function may have taken in
others from other files. Here it is kept as long as no file of this package, nor of the function's own, changes.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., object]")


def kernel(*, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a function of arrays and numbers.

    Args:
        inline: compile it into its callers.
    """

    def compiled(function: Function) -> Function:
        settings = {"inline": "always" if inline else "never", "error_model": "numpy"}
        try:
            kept = numba.njit(cache=True, **settings)(function)
            kept._cache._cache_file._source_stamp = _sources(Path(function.__code__.co_filename).parent)
            return kept  # type: ignore[no-any-return]
        except RuntimeError:
            # Neither the folder of the source nor the cache folder can be written: compile in every process.
            return numba.njit(**settings)(function)  # type: ignore[no-any-return]

    return compiled


@cache
def _sources(package: Path) -> str:
    """Digest of the files from which kernels of a package may take in functions and constants."""
    digest = hashlib.sha256()
    for file in sorted({*Path(__file__).parent.glob("*.py"), *package.glob("*.py")}):
        digest.update(file.read_bytes())
    return digest.hexdigest()
