"""The listing of an archive comes back as it was written, and names nothing outside a programme."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.upkeep.archive.listing import ArchiveRefused, Entry, is_safe, listing_bytes, read_listing

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\\"), min_size=1, max_size=12).filter(
    lambda name: name.isprintable() and not name.startswith(".")
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(lambda parts: "/".join(("store", *parts)))
ENTRIES = st.builds(Entry, PATHS, st.integers(0, 2**40), st.integers(0, 2**256 - 1).map(lambda n: f"{n:064x}"))


@given(st.lists(ENTRIES, max_size=6, unique_by=lambda item: item.path))
def test_a_listing_comes_back_or_says_what_clashes(entries):
    try:
        assert read_listing(listing_bytes(entries)) == entries
    except ArchiveRefused as error:
        assert "twice" in str(error) or "a file inside a file" in str(error)


@given(st.text(max_size=40) | st.lists(st.sampled_from(["..", ".", "", "store", "out", "a", "/"])).map("/".join))
def test_a_safe_path_stays_below_the_programme(path):
    if is_safe(path):
        pure = PurePosixPath(path)
        assert not pure.is_absolute()
        assert ".." not in pure.parts
        assert str(pure) == path
        assert pure.parts[0] in {"programme.yaml", "baselines", "out", "playbooks", "releases", "store"}


@pytest.mark.parametrize(
    "content", [b"", b"null", b"[]", b'{"format": 1}', b'{"format": "turnup programme 1"}', b"\xff"]
)
def test_what_is_no_listing_is_refused(content):
    with pytest.raises(ArchiveRefused):
        read_listing(content)
