"""How the kernels of a run are compiled: without reference counts and without the interpreter's lock.

Belongs here: settings of numba. Does not: kernels.

A run's kernels get all arrays from their caller and make none, so numba need not count references to them; counting
costs more than the arithmetic on a block of 64 iterations. They run on threads of Python's own.

Numba keeps what it compiled as long as the file of the function is unchanged, though the function may have taken in
others from other files. Here it is kept as long as no file of this package changes.
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


def hot_kernel(*, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a function of arrays and numbers that makes no array.

    Args:
        inline: compile it into its callers.
    """

    def compiled(function: Function) -> Function:
        settings = {"nogil": True, "_nrt": False, "error_model": "numpy", "inline": "always" if inline else "never"}
        try:
            kept = numba.njit(cache=True, **settings)(function)
            store = getattr(getattr(kept, "_cache", None), "_cache_file", None)
            if store is not None:
                store._source_stamp = _sources()
            return kept  # type: ignore[no-any-return]
        except RuntimeError:
            # Neither the folder of the source nor the cache folder can be written: compile in every process.
            return numba.njit(**settings)(function)  # type: ignore[no-any-return]

    return compiled


@cache
def _sources() -> str:
    """Digest of the files from which kernels may take in functions and constants."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
