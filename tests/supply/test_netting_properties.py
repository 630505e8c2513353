"""What holds for every netting: nothing twice, priority first, no reserved piece moved, whatever the order of rows."""

import random
from datetime import date, timedelta

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from turnup.supply.netting import net

AS_OF = date(2026, 10, 30)
PARTS, SITES, SYSTEMS = (1, 2, 3), (1, 2), (1, 2, 3, 4)
DEMAND = {
    "demand_no": pl.Int64, "priority": pl.Int64, "need_date": pl.Date, "system_no": pl.Int64, "block_no": pl.Int64,
    "line_no": pl.Int64, "block_id": pl.Int64, "site_no": pl.Int64, "part_no": pl.Int64, "quantity": pl.Int64,
    "used": pl.Int64,
}  # fmt: skip
ALTERNATES = {"demand_no": pl.Int64, "place": pl.Int64, "part_no": pl.Int64}
LOTS = {"lot_no": pl.Int64, "scope": pl.String, "holder_no": pl.Int64, "part_no": pl.Int64, "quantity": pl.Int64,
        "day": pl.Date, "kitted": pl.Boolean}  # fmt: skip
BLOCKS = [system * 10 + number for system in SYSTEMS for number in (1, 2)]
HOLDERS = {"block": BLOCKS, "system": SYSTEMS, "used": SITES, "count": SITES, "receipt": SITES, "for_system": SYSTEMS,
           "for_site": SITES, "for_any": [0]}  # fmt: skip
days = st.one_of(st.none(), st.integers(-5, 30).map(lambda n: AS_OF + timedelta(days=n)))


@st.composite
def inputs(draw):
    """Demand of four systems at two sites with alternates, and lots of every scope."""
    site = {name: draw(st.sampled_from(SITES)) for name in SYSTEMS}
    priority = {name: draw(st.integers(1, 3)) for name in SYSTEMS}
    needed_on = {name: draw(days) for name in BLOCKS}
    demand, alternates = [], []
    for number in range(draw(st.integers(1, 14))):
        block, part = draw(st.sampled_from(BLOCKS)), draw(st.sampled_from(PARTS))
        wanted = draw(st.integers(1, 9))
        demand.append({"demand_no": number, "priority": priority[block // 10], "need_date": needed_on[block],
                       "system_no": block // 10, "block_no": block % 10, "line_no": number, "block_id": block,
                       "site_no": site[block // 10], "part_no": part, "quantity": wanted,
                       "used": draw(st.integers(0, wanted)) if draw(st.booleans()) else 0})  # fmt: skip
        others = draw(st.lists(st.sampled_from([other for other in PARTS if other != part]), unique=True, max_size=2))
        alternates += [{"demand_no": number, "place": at, "part_no": other} for at, other in enumerate(others, start=1)]
    lots = []
    for number in range(draw(st.integers(0, 16))):
        scope = draw(st.sampled_from(sorted(HOLDERS)))
        day = draw(days)
        if scope.startswith("for_") and day is not None:
            day = max(day, AS_OF + timedelta(days=1))
        lots.append({"lot_no": number, "scope": scope, "holder_no": draw(st.sampled_from(HOLDERS[scope])),
                     "part_no": draw(st.sampled_from(PARTS)), "quantity": draw(st.integers(1, 12)),
                     "day": day, "kitted": draw(st.booleans())})  # fmt: skip
    return (pl.DataFrame(demand, schema=DEMAND), pl.DataFrame(alternates, schema=ALTERNATES),
            pl.DataFrame(lots, schema=LOTS))  # fmt: skip


def joined(demand, alternates, lots):
    """Return the allocations with what they serve and what serves them."""
    found = net(demand, alternates, lots, AS_OF).allocations
    renamed = lots.rename({"quantity": "lot_quantity", "part_no": "lot_part"})
    return found.join(demand.rename({"quantity": "wanted", "used": "built"}), on="demand_no").join(renamed, on="lot_no")


@settings(max_examples=150)
@given(inputs())
def test_no_lot_gives_more_than_it_has_and_no_demand_gets_more_than_it_wants(given_inputs):
    demand, _, lots = given_inputs
    found = joined(*given_inputs)
    assert found.filter(pl.col("quantity") <= 0).is_empty()
    by_lot = found.group_by("lot_no").agg(pl.col("quantity").sum()).join(lots, on="lot_no", suffix="_of_lot")
    assert by_lot.filter(pl.col("quantity") > pl.col("quantity_of_lot")).is_empty()
    by_demand = found.group_by("demand_no").agg(pl.col("quantity").sum()).join(demand, on="demand_no", suffix="_wanted")
    assert by_demand.filter(pl.col("quantity") > pl.col("quantity_wanted")).is_empty()
    used = found.filter("used").group_by("demand_no").agg(pl.col("quantity").sum())
    assert used.join(demand, on="demand_no").filter(pl.col("quantity") > pl.col("used")).is_empty()


@settings(max_examples=150)
@given(inputs())
def test_what_is_reserved_serves_nobody_else_and_alternates_only_from_the_list(given_inputs):
    found = joined(*given_inputs)
    holder = {
        "block": "block_id", "system": "system_no", "used": "site_no", "count": "site_no", "receipt": "site_no",
        "for_system": "system_no", "for_site": "site_no",
    }  # fmt: skip
    for scope, column in holder.items():
        assert found.filter((pl.col("scope") == scope) & (pl.col("holder_no") != pl.col(column))).is_empty(), scope
    assert found.filter((pl.col("scope") == "used") & ~pl.col("used")).is_empty()
    listed = given_inputs[1].select("demand_no", "place", listed="part_no")
    others = found.filter(pl.col("place") > 0).join(listed, on=["demand_no", "place"], how="left")
    assert others.filter(pl.col("lot_part") != pl.col("listed")).is_empty()
    assert found.filter((pl.col("place") == 0) & (pl.col("lot_part") != pl.col("part_no"))).is_empty()


@settings(max_examples=200)
@given(inputs())
def test_nobody_lacks_what_a_later_one_holds_free_and_in_time(given_inputs):
    demand, alternates, lots = given_inputs
    found = joined(*given_inputs)
    need = pl.col("need_date").fill_null(AS_OF)
    free = pl.col("scope").is_in(["count", "receipt", "for_site", "for_any"]) & ~pl.col("used")
    in_stock = pl.col("scope").is_in(["block", "system", "used", "count", "receipt"])
    in_time = in_stock | (pl.col("day") <= need)
    served = found.filter(in_time | pl.col("used")).group_by("demand_no").agg(pl.col("quantity").sum().alias("in_time"))
    turns = demand.sort("priority", "need_date", "system_no", "block_no", "line_no", nulls_last=True)
    short = turns.with_row_index("turn").join(served, on="demand_no", how="left", maintain_order="left")
    short = short.filter(pl.col("quantity") > pl.col("in_time").fill_null(0))
    own = short.select("turn", "site_no", "part_no", need=need)
    other = short.join(alternates, on="demand_no").select("turn", "site_no", part_no="part_no_right", need=need)
    lacking = pl.concat([own, other])
    turn_of = turns.with_row_index("held_by").select("demand_no", "held_by")
    held = found.filter(free).join(turn_of, on="demand_no")
    taken = found.group_by("lot_no").agg(pl.col("quantity").sum().alias("taken"))
    rest = lots.join(taken, on="lot_no", how="left").filter(
        free_of(lots) & (pl.col("quantity") > pl.col("taken").fill_null(0))
    )
    in_hands = held.select(part_no="lot_part", held_by="held_by", scope="scope", holder_no="holder_no", day="day")
    left_over = rest.select("part_no", pl.lit(2**31, pl.UInt32).alias("held_by"), "scope", "holder_no", "day")
    for row in lacking.iter_rows(named=True):
        usable = pl.concat([in_hands, left_over]).filter(
            (pl.col("part_no") == row["part_no"]) & (pl.col("held_by") > row["turn"])
            & ((pl.col("holder_no") == row["site_no"]) | (pl.col("scope") == "for_any"))
            & (pl.col("scope").is_in(["count", "receipt"]) | (pl.col("day") <= row["need"]))
        )  # fmt: skip
        assert usable.is_empty(), (row, usable)


def free_of(lots):
    """Return which lots anybody at a site may take."""
    return pl.col("scope").is_in(["count", "receipt", "for_site", "for_any"])


@settings(max_examples=60)
@given(inputs(), st.integers(0, 2**32))
def test_the_order_of_rows_never_matters(given_inputs, seed):
    first = net(*given_inputs, AS_OF)
    shuffled = [
        frame.sample(fraction=1, shuffle=True, seed=random.Random(seed).randrange(2**31)) for frame in given_inputs
    ]
    again = net(*shuffled, AS_OF)
    assert again.allocations.equals(first.allocations)
    assert again.lines.equals(first.lines)
