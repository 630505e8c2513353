"""Random words by counter: a hash of the seed, what is drawn, and the iteration.

Belongs here: where randomness comes from. Does not: what is made of it (``sampling``).

A word depends on nothing else, so it is the same for any number of threads, size of block, order of activities, and
for every network that has the same activity. It has 23 bits: half a step above it, it is a share between 0 and 1 that
float32 holds exactly, as is its complement.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
from numba import int32, uint32

from turnup.schedule.simulation.compiled import hot_kernel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

WORDS = 1 << 23
"""Number of different words."""


def keys(seed: int, what: str, names: Iterable[str]) -> NDArray[np.uint32]:
    """Two 32-bit keys per name, from the seed, what is drawn (a duration, an occurrence, ...) and the name."""
    prefix = hashlib.blake2b(f"{seed}\0{what}\0".encode(), digest_size=8)
    found = bytearray()
    for name in names:
        one = prefix.copy()
        one.update(name.encode())
        found += one.digest()
    return np.frombuffer(bytes(found), dtype="<u4").astype(np.uint32).reshape(-1, 2)


@hot_kernel(inline=True)
def word(iteration: int, first: int, second: int) -> int:
    """Return the random word of an iteration under two keys, from 0 to WORDS - 1.

    A counter in Weyl steps from the first key, then the three rounds of Wellons' "triple32" with the second key added
    between them. It is a permutation of 32 bits, so no word comes too often.
    """
    mixed = uint32(uint32(iteration) * uint32(0x9E3779B9) + first)
    mixed ^= mixed >> uint32(17)
    mixed = uint32(mixed * uint32(0xED5AD4BB))
    mixed ^= mixed >> uint32(11)
    mixed = uint32(uint32(mixed + second) * uint32(0xAC4C1B51))
    mixed ^= mixed >> uint32(15)
    mixed = uint32(mixed * uint32(0x31848BAB))
    mixed ^= mixed >> uint32(14)
    return int32(mixed >> uint32(9))  # type: ignore[no-any-return]
