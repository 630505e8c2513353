"""Durations of a block of iterations, drawn from the parameter rows.

Belongs here: what a random word becomes under each kind of distribution. Does not: what durations are used for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import float32, int32

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.curves import on_curve, place, word_of_score
from turnup.schedule.simulation.draws import WORDS, word
from turnup.schedule.simulation.parameters import DISCRETE, FIXED, LONGEST, PERT, TRIANGULAR, UNIFORM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.simulation.parameters import Parameters

    Small = NDArray[np.int32]
    Floats = NDArray[np.float32]

_STEP = 1.0 / WORDS
_HALF_STEP = 0.5 / WORDS
_FAR = float(1 << 30) - 64.0
"""Largest float32 below 2**30: offsets are cut here before they become whole seconds."""
_LOG2E = 1.4426950408889634
_LN2 = 0.6931471805599453


class Events(NamedTuple):
    """Risk events: how many words of WORDS make each happen, its keys, and the events that hit each position.

    The impact of event e is parameter row ``first_row + e``; hits of position k are ``hit_ptr[k]`` and on.
    """

    happens: NDArray[np.int32]
    keys: NDArray[np.uint32]
    first_row: int
    hit_ptr: NDArray[np.int32]
    hit_position: NDArray[np.int32]
    hit: NDArray[np.int32]


class Scratch(NamedTuple):
    """What one thread keeps of a block: a row of words, nodes and parts; group factors; impacts of events."""

    words: Small
    nodes: Small
    parts: Floats
    group_words: Small
    group_scores: Floats
    impacts: Small


def scratch(block: int, groups: int, events: int) -> Scratch:
    """Make room for blocks of so many iterations."""
    return Scratch(
        np.empty(block, np.int32),
        np.empty(block, np.int32),
        np.empty(block, np.float32),
        np.empty((groups, block), np.int32),
        np.empty((groups, block), np.float32),
        np.empty((events, block), np.int32),
    )


@hot_kernel(inline=True)
def _exp(x: float) -> float:
    """Power of e in float32, to about one part in ten million, the same on every machine."""
    x = min(max(x, float32(-80.0)), float32(80.0))
    power = int32(x * float32(_LOG2E) + float32(127.5))
    t = x - float32(power - int32(127)) * float32(_LN2)
    series = float32(1 / 24) + t * (float32(1 / 120) + t * float32(1 / 720))
    series = float32(1.0) + t * (float32(1.0) + t * (float32(1 / 2) + t * (float32(1 / 6) + t * series)))
    return series * np.int32(power << int32(23)).view(np.float32)  # type: ignore[no-any-return]


@hot_kernel()
def common_draws(parameters: Parameters, events: Events, first: int, width: int, held: Scratch) -> None:
    """Draw what several activities share in a block: group factors, and which events happen with what impact."""
    for group in range(parameters.weight.size):
        k0, k1 = parameters.group_keys[group, 0], parameters.group_keys[group, 1]
        for k in range(width):
            held.group_words[group, k] = word(first + k, k0, k1)
        for k in range(width):
            node, part = place(held.group_words[group, k])
            held.group_scores[group, k] = on_curve(parameters.curves, 0, node, part)
    count = events.happens.size
    top = np.int64(0)  # A literal 0 would be compiled apart.
    until = events.first_row + count
    draw_rows(parameters, events.first_row, until, first, width, held, held.impacts, top)  # type: ignore[arg-type]
    for event in range(count):
        k0, k1 = events.keys[event, 0], events.keys[event, 1]
        most = events.happens[event]
        for k in range(width):
            if word(first + k, k0, k1) >= most:
                held.impacts[event, k] = 0


@hot_kernel()
def draw_durations(
    parameters: Parameters, events: Events, begin: int, end: int, first: int, width: int, held: Scratch, drawn: Small
) -> None:
    """Draw durations of positions ``begin`` to ``end``, impacts of events included, into their rows of ``drawn``."""
    draw_rows(parameters, begin, end, first, width, held, drawn, begin)
    for entry in range(events.hit_ptr[begin], events.hit_ptr[end]):
        position, event = events.hit_position[entry], events.hit[entry]
        for k in range(width):
            drawn[position, k] = min(int32(drawn[position, k] + held.impacts[event, k]), int32(LONGEST))


@hot_kernel()
def draw_rows(
    parameters: Parameters, begin: int, end: int, first: int, width: int, held: Scratch, drawn: Small, top: int
) -> None:
    """Draw from parameter rows for iterations ``first`` and on, into rows of ``drawn`` from ``top`` on."""
    for number in range(begin, end):
        row = top + number - begin
        if parameters.kind[number] == FIXED:
            for k in range(width):
                drawn[row, k] = parameters.base[number]
        else:
            _draw_words(parameters, number, first, width, held)
            _draw_row(parameters, number, width, held, drawn, row)


@hot_kernel(inline=True)
def _draw_row(parameters: Parameters, number: int, width: int, held: Scratch, drawn: Small, row: int) -> None:
    """Turn the row of words into durations."""
    kind = parameters.kind[number]
    if kind == TRIANGULAR:
        _triangular(parameters, number, width, held.words, drawn, row)
    elif kind == UNIFORM:
        for k in range(width):
            share = float32(held.words[k]) * float32(_STEP) + float32(_HALF_STEP)
            offset = int32(share * parameters.span[number] + float32(0.5))
            drawn[row, k] = parameters.base[number] + offset
    elif kind == DISCRETE:
        begin, count = parameters.table[number], parameters.other[number]
        for k in range(width):
            drawn[row, k] = _outcome(parameters.until, parameters.outcome, begin, count, held.words[k])
    else:
        for k in range(width):
            held.nodes[k], held.parts[k] = place(held.words[k])
        if kind == PERT:
            _pert(parameters, number, width, held, drawn, row)
        else:
            _lognormal(parameters, number, width, held, drawn, row)


@hot_kernel(inline=True)
def _triangular(parameters: Parameters, number: int, width: int, words: Small, drawn: Small, row: int) -> None:
    base, span, likely = parameters.base[number], parameters.span[number], parameters.place[number]
    rise, fall = parameters.rise[number], parameters.fall[number]
    for k in range(width):
        share = float32(words[k]) * float32(_STEP) + float32(_HALF_STEP)
        below = share < likely
        root = math.sqrt(share * rise if below else (float32(1.0) - share) * fall)
        drawn[row, k] = base + int32((root if below else span - root) + float32(0.5))


@hot_kernel(inline=True)
def _pert(parameters: Parameters, number: int, width: int, held: Scratch, drawn: Small, row: int) -> None:
    base, span, at = parameters.base[number], parameters.span[number], parameters.place[number]
    table, other = parameters.table[number], parameters.other[number]
    for k in range(width):
        low = on_curve(parameters.curves, table, held.nodes[k], held.parts[k])
        high = on_curve(parameters.curves, other, held.nodes[k], held.parts[k])
        drawn[row, k] = base + int32(span * (low + at * (high - low)) + float32(0.5))


@hot_kernel(inline=True)
def _lognormal(parameters: Parameters, number: int, width: int, held: Scratch, drawn: Small, row: int) -> None:
    median, sigma = parameters.span[number], parameters.place[number]
    for k in range(width):
        held.parts[k] = on_curve(parameters.curves, 0, held.nodes[k], held.parts[k])
    for k in range(width):
        drawn[row, k] = int32(min(median * _exp(sigma * held.parts[k]) + float32(0.5), float32(_FAR)))


@hot_kernel(inline=True)
def _draw_words(parameters: Parameters, number: int, first: int, width: int, held: Scratch) -> None:
    """Fill the row of words: the activity's own, or mixed with the factor of its correlation group."""
    k0, k1 = parameters.keys[number, 0], parameters.keys[number, 1]
    group = parameters.group[number]
    words = held.words
    for k in range(width):
        words[k] = word(first + k, k0, k1)
    if group < 0:
        return
    weight, rest = parameters.weight[group], parameters.rest[group]
    if rest == 0:
        for k in range(width):
            words[k] = held.group_words[group, k]
        return
    for k in range(width):
        node, part = place(words[k])
        score = on_curve(parameters.curves, 0, node, part)
        words[k] = word_of_score(parameters.shares, weight * held.group_scores[group, k] + rest * score)


@hot_kernel(inline=True)
def _outcome(until: Small, outcome: Small, begin: int, count: int, drawn: int) -> int:
    """Return the first outcome whose words reach beyond the drawn one."""
    low, high = begin, begin + count - 1
    while low < high:
        middle = (low + high) >> 1
        if until[middle] > drawn:
            high = middle
        else:
            low = middle + 1
    return outcome[low]  # type: ignore[no-any-return]
