"""Chains of open needs by hand, and what is true of every chain."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from turnup.readiness.dependencies.chains import chains
from turnup.readiness.dependencies.graph import Graph, Item, Need, Wait
from turnup.readiness.dependencies.loops import loops

LAST = 9


def wait(system, needed, asked_no=8, gate_no=LAST):
    return Wait(system, "all", asked_no, needed, "all", gate_no)


def item(system, key, gate_no=1, **more):
    return Item(system, "all", gate_no, "circuit", key, f"LOA-CFA of {key}", **more)


def on(**days):
    """Dates of the last gates of systems, in days after 1 November."""
    return {(system, "all", LAST): date(2026, 11, 1) + timedelta(days=day) for system, day in days.items()}


def told(graph):
    return [(one.systems, one.item.key if one.item else one.end, one.decides) for one in chains(graph)]


def test_a_chain_goes_down_to_the_thing_that_is_late():
    graph = Graph((wait("gpu", "store"), wait("store", "wan"), wait("wan", "pop")), (item("pop", "xc-114"),))
    assert told(graph) == [
        (("gpu", "store", "wan", "pop"), "xc-114", True),
        (("store", "wan", "pop"), "xc-114", True),
        (("wan", "pop"), "xc-114", True),
    ]


def test_of_two_needs_the_later_one_leads_and_one_without_a_date_comes_last_of_all():
    waits = (wait("gpu", "store"), wait("gpu", "wan"), wait("gpu", "pop"))
    items = (item("store", "s"), item("wan", "w"), item("pop", "p"))
    graph = Graph(waits, items, on(store=5, wan=40))
    assert [one.item.key for one in chains(graph)] == ["p", "w", "s"]


def test_it_ends_at_a_systems_own_work_where_that_comes_later_than_its_need():
    waits = (wait("gpu", "store"), wait("store", "wan"))
    items = (item("store", "own", gate_no=4), item("wan", "w"))
    dates = on(store=60, wan=10) | {("store", "all", 4): date(2026, 11, 1) + timedelta(days=11)}
    assert told(Graph(waits, items, dates)) == [(("gpu", "store"), "own", True), (("store", "wan"), "w", False)]
    dates[("store", "all", 4)] = date(2026, 11, 1) + timedelta(days=10)
    assert told(Graph(waits, items, dates))[0] == (("gpu", "store", "wan"), "w", True)


def test_what_is_behind_the_gate_that_is_needed_holds_nobody():
    graph = Graph(
        (wait("gpu", "store", gate_no=4), wait("store", "wan", asked_no=8)),
        (item("store", "early", gate_no=2), item("store", "late", gate_no=9), item("wan", "w")),
    )
    assert told(graph)[0] == (("gpu", "store"), "early", True)


def test_things_of_one_gate_are_named_undated_first_then_the_latest():
    days = {"a": date(2026, 11, 9), "b": date(2026, 12, 9), "c": None}
    things = tuple(item("wan", key, told=day) for key, day in days.items())
    assert told(Graph((wait("gpu", "wan"),), things))[0][1] == "c"
    assert told(Graph((wait("gpu", "wan"),), things[:2]))[0][1] == "b"


def test_a_loop_ends_the_chain_and_a_system_of_which_nothing_is_known_too():
    graph = Graph((wait("a", "b"), wait("b", "a")), ())
    assert told(graph) == [(("a", "b", "a"), "loop", True), (("b", "a", "b"), "loop", True)]
    assert told(Graph((Wait("a", "all", 8, "gone", "", 0),), ())) == [(("a", "gone"), "no data", True)]


class TestLoops:
    def test_are_spelled_out_from_their_first_system(self):
        needs = [Need("b", 8, "c", LAST), Need("c", 8, "a", LAST), Need("a", 8, "b", LAST), Need("d", 8, "a", LAST)]
        assert [[need.system for need in loop] for loop in loops(needs)] == [["a", "b", "c"]]

    def test_are_none_where_the_gates_leave_room_for_both(self):
        # The store needs the cluster installed, the cluster needs the store only at its handover.
        assert loops([Need("gpu", 8, "store", LAST), Need("store", 8, "gpu", 4)]) == []
        assert len(loops([Need("gpu", 4, "store", LAST), Need("store", 8, "gpu", 4)])) == 1


NAMES = ("a", "b", "c", "d", "e")
BLOCKS = st.sampled_from(("x", "y"))
WAITS = st.lists(
    st.builds(Wait, st.sampled_from(NAMES), BLOCKS, st.integers(1, 4), st.sampled_from(NAMES), BLOCKS,
              st.integers(1, 4)).filter(lambda one: one.system != one.needed), max_size=14,
)  # fmt: skip
ITEMS = st.lists(
    st.builds(Item, st.sampled_from(NAMES), BLOCKS, st.integers(1, 4), st.just("criterion"),
              st.text("pq", min_size=1, max_size=2), st.just("it"), st.integers(0, 2),
              told=st.none() | st.dates(date(2026, 11, 1), date(2026, 11, 9))), max_size=10,
)  # fmt: skip
DATES = st.dictionaries(
    st.tuples(st.sampled_from(NAMES), BLOCKS, st.integers(1, 4)),
    st.none() | st.dates(date(2026, 11, 1), date(2026, 11, 9)),
)


@given(WAITS, ITEMS, DATES, st.randoms(use_true_random=False))
def test_every_chain_ends_whatever_the_order_of_rows_and_passes_no_gate_that_is_not_open(waits, items, dates, shuffler):
    items = list({(one.system, one.block, one.gate_no, one.key): one for one in items}.values())
    found = chains(Graph(tuple(waits), tuple(items), dates))
    shuffler.shuffle(waits)
    shuffler.shuffle(items)
    assert chains(Graph(tuple(waits), tuple(items), dates)) == found
    assert {(one.wait.system, one.wait.block) for one in found} == {(one.system, one.block) for one in waits}
    for chain in found:
        _check(chain, waits, items)


def _check(chain, waits, items):
    """Each step is an open need at a gate no later than the one that is asked for, and no block comes twice."""
    here, up_to = (chain.wait.system, chain.wait.block), chain.wait.asked_no
    blocks = [here]
    for system, block, gate_no in chain.steps:
        assert any(
            (one.system, one.block) == here and one.asked_no <= up_to
            and (one.needed, one.needed_block, one.gate_no) == (system, block, gate_no) for one in waits
        )  # fmt: skip
        here, up_to = (system, block), gate_no
        blocks.append(here)
    again = len(blocks) - len(set(blocks))
    assert again == (1 if chain.end == "loop" else 0)
    own = [one for one in items if (one.system, one.block) == here and one.gate_no <= up_to]
    if chain.end == "item":
        assert chain.item in own
        assert chain.item.gate_no == min(one.gate_no for one in own)
    elif chain.end == "no data":
        assert not own


NEEDS = st.lists(
    st.builds(Need, st.sampled_from(NAMES), st.integers(1, 4), st.sampled_from(NAMES), st.none() | st.integers(1, 4))
    .filter(lambda one: one.system != one.needed), max_size=12,
)  # fmt: skip


@given(NEEDS, st.randoms(use_true_random=False))
def test_a_loop_is_told_where_systems_cannot_be_put_in_an_order_and_nowhere_else(needs, shuffler):
    found = loops(needs)
    shuffler.shuffle(needs)
    assert loops(needs) == found
    for loop in found:
        for one, after in zip(loop, (*loop[1:], loop[0]), strict=True):
            assert one.needed == after.system
            assert after.asked_no <= one.gate_no
    assert bool(found) == (not _ordered(needs))


def _ordered(needs):
    """Whether all needs can be met one after the other: each once all that stand before it are."""
    left = list(set(needs))
    while left:
        free = [
            one for one in left
            if one.gate_no is None
            or not any(other.system == one.needed and other.asked_no <= one.gate_no for other in left)
        ]  # fmt: skip
        if not free:
            return False
        left = [one for one in left if one not in free]
    return True
