"""How kernels are compiled: by numba, once per machine.

Belongs here: settings of numba. Does not: kernels, or where compiled code is kept (``kept_kernels``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from turnup.schedule.kept_kernels import kept

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., object]")


def kernel(*, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a function of arrays and numbers.

    Args:
        inline: compile it into its callers.
    """

    def compiled(function: Function) -> Function:
        return kept(function, inline="always" if inline else "never", error_model="numpy")

    return compiled
