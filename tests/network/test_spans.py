"""A route as a provider writes it is read as spans, and never as more than it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.network.spans import route_of


def keys(text, a="abl", z="iad"):
    return [span.key for span in route_of(text, a, z).spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ORD-STL; STL-DAL", ["dal-stl", "ord-stl"]),
        ("ord-stl|STL-ORD", ["ord-stl"]),
        ("ABL-DFW-ATL-IAD", ["abl-dfw", "atl-dfw", "atl-iad"]),
        ("IAD-ATL-DFW-ABL", ["abl-dfw", "atl-dfw", "atl-iad"]),
        ("ABL > DFW > IAD", ["abl-dfw", "dfw-iad"]),
        ("ABL->DFW->IAD", ["abl-dfw", "dfw-iad"]),
        ("ABL \u2192 DFW \u2192 IAD", ["abl-dfw", "dfw-iad"]),
        ("ABL \u2013 DFW \u2013 IAD", ["abl-dfw", "dfw-iad"]),
        ("ABL - DFW - IAD", ["abl-dfw", "dfw-iad"]),
        ("St. Louis, MO - Dallas, TX", ["dallas, tx-st. louis, mo"]),
        ("ORD-STL, STL-DAL", ["dal-stl", "ord-stl"]),
        ("ORD - STL, STL - DAL", ["dal-stl", "ord-stl"]),
        ("SP-1; SP-2", ["1-sp", "2-sp"]),
        ("S1, S2\nS3", ["s1", "s2", "s3"]),
        ("abl-iad", ["abl-iad"]),
        (" Span  7 ;span 7", ["span 7"]),
    ],
)
def test_forms_of_a_route(text, expected):
    assert keys(text) == expected


@pytest.mark.parametrize("text", [None, "", " ; ,", "TBD", "unknown", "n/a; -", "Diverse"])
def test_no_route_is_no_span(text):
    assert keys(text) == []


def test_a_name_with_hyphens_is_one_span_and_said_to_be_unsure():
    route = route_of("TPF-SPAN-NORTH", "abl", "iad")
    assert [span.key for span in route.spans] == ["tpf-span-north"]
    assert route.unread == ("TPF-SPAN-NORTH",)


def test_sites_with_hyphens_in_their_names_are_not_taken_apart():
    route = route_of("us-east-1-cmh-us-west-2", "us-east-1", "us-west-2")
    assert [span.key for span in route.spans] == ["cmh-us-east-1", "cmh-us-west-2"]
    assert route.unread == ()


PLACES = st.lists(st.sampled_from(["ATL", "CMH", "DFW", "MCI"]), max_size=4, unique=True)


@given(PLACES, st.sampled_from(["-", " > ", " - ", "->", " \u2192 "]))
def test_a_route_reads_the_same_from_either_end(between, mark):
    there = ["ABL", *between, "IAD"]
    assert keys(mark.join(there)) == keys(mark.join(reversed(there)))
    assert len(keys(mark.join(there))) == len(there) - 1


@given(st.text(max_size=80), st.text(min_size=1, max_size=5), st.text(min_size=1, max_size=5))
def test_any_text_is_read(text, a, z):
    route = route_of(text, a.casefold(), z.casefold())
    assert len({span.key for span in route.spans}) == len(route.spans)
    assert all(span.key for span in route.spans)
