"""Trees, nested sets and designators of any shape."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turnup.formats.bom.designators import designators
from turnup.formats.bom.levels import depth, dotted, multiplied, parents, without_dots
from turnup.formats.bom.lines import Line
from turnup.formats.bom.nested_sets import nested_set


@st.composite
def trees(draw: st.DrawFn) -> list[int | None]:
    """For each line its parent, an earlier line or none."""
    size = draw(st.integers(1, 25))
    return [draw(st.one_of(st.none(), st.integers(0, at - 1))) if at else None for at in range(size)]


def in_order(tree: list[int | None]) -> tuple[list[int], list[int]]:
    """Lines as an indented listing gives them, and the depth of each."""
    children: dict[int | None, list[int]] = {}
    for line, parent in enumerate(tree):
        children.setdefault(parent, []).append(line)
    order, depths = [], []
    stack = [(line, 0) for line in reversed(children.get(None, []))]
    while stack:
        line, level = stack.pop()
        order.append(line)
        depths.append(level)
        stack += [(child, level + 1) for child in reversed(children.get(line, []))]
    return order, depths


@given(trees())
def test_m42_parents_come_back_from_depths(tree):
    order, depths = in_order(tree)
    found = [None if above is None else order[above] for above in parents(depths)]
    assert found == [tree[line] for line in order]
    assert [depth(str(level)) for level in depths] == depths
    parts = [f"{'.' * level}P{line}" for line, level in zip(order, depths, strict=True)]
    by_dots = dotted(parts)
    if by_dots is not None:
        assert by_dots == depths
    assert [without_dots(part) for part in parts] == [f"P{line}" for line in order]


@given(trees(), st.data())
def test_m42_per_parent_and_extended_agree(tree, data):
    each = [Decimal(data.draw(st.integers(0, 4))) for _ in tree]
    whole: list[Decimal] = []
    for line, parent in enumerate(tree):
        whole.append(each[line] if parent is None else each[line] * whole[parent])
    for basis, quantities in (("per_parent", each), ("extended", whole)):
        lines = [
            Line(line, None, "", {"line": f"L{line}", "parent_line": None if parent is None else f"l{parent}",
                                  "quantity_basis": basis}, quantity, None, None, None)
            for line, (parent, quantity) in enumerate(zip(tree, quantities, strict=True))
        ]  # fmt: skip
        assert multiplied(lines) == (whole, [])


@given(trees())
def test_m42_nested_sets_of_any_tree(tree):
    order, depths = in_order(tree)
    bounds: list[list[int]] = []
    open_lines: list[int] = []
    number = 0
    for at, level in enumerate(depths):
        while len(open_lines) > level:
            number += 1
            bounds[open_lines.pop()].append(number)
        number += 1
        bounds.append([number])
        open_lines.append(at)
    while open_lines:
        number += 1
        bounds[open_lines.pop()].append(number)
    assert nested_set([(str(left), str(right)) for left, right in bounds]) == depths
    assert all(left < right for left, right in bounds)
    assert all(one[0] < other[0] for one, other in pairwise(bounds))
    assert order


def test_crossing_or_missing_bounds_are_no_nested_set():
    assert nested_set([("1", "3"), ("2", "4")]) is None
    assert nested_set([("1", "2"), (None, "4")]) is None
    assert nested_set([("1", "2"), ("2", "3")]) is None


@given(st.lists(st.tuples(st.sampled_from(["R", "C", "SKT"]), st.integers(1, 500), st.integers(0, 9)), max_size=8))
def test_m44_ranges_expand_to_their_places(spans):
    cell = ", ".join(f"{name}{low}-{name}{low + more}" if more else f"{name}{low}" for name, low, more in spans)
    expected = {f"{name}{number}" for name, low, more in spans for number in range(low, low + more + 1)}
    found = designators(cell)
    assert set(found.places) == expected
    assert not found.unclosed
    assert not found.unread


@given(st.text(max_size=40))
def test_m44_no_cell_breaks_the_reader(cell):
    found = designators(cell)
    assert len(set(found.places)) == len(found.places)
