"""How the kernels of a run are compiled: without reference counts and without the interpreter's lock.

Belongs here: settings of numba. Does not: kernels, or where compiled code is kept (``kept_kernels``).

A run's kernels get all arrays from their caller and make none, so numba need not count references to them; counting
costs more than the arithmetic on a block of 64 iterations. They run on threads of Python's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from turnup.schedule.kept_kernels import kept

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., object]")


def hot_kernel(*, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a function of arrays and numbers that makes no array.

    Args:
        inline: compile it into its callers.
    """

    def compiled(function: Function) -> Function:
        inlined = "always" if inline else "never"
        return kept(function, inline=inlined, nogil=True, error_model="numpy", _nrt=False)

    return compiled
