"""How the kernels of this package are compiled: by numba, once per machine, kept on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., object]")


def kernel(*, parallel: bool = False, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a function of arrays and numbers.

    Args:
        parallel: run ``numba.prange`` loops on all threads; results must not depend on how many there are.
        inline: compile it into its callers.
    """

    def compiled(function: Function) -> Function:
        settings = {"parallel": parallel, "inline": "always" if inline else "never", "error_model": "numpy"}
        try:
            return numba.njit(cache=True, **settings)(function)  # type: ignore[no-any-return]
        except RuntimeError:
            # Neither the folder of the source nor the cache folder can be written: compile in every process.
            return numba.njit(**settings)(function)  # type: ignore[no-any-return]

    return compiled
