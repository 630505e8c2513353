"""What a measured command printed as JSON is read, on many lines or on the last one."""

import sys

import pytest

from perf.processes import measured


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ('{\\n  "weeks": [\\n    1\\n  ]\\n}', {"weeks": [1]}),
        ('some words\\n{"weeks": [2]}', {"weeks": [2]}),
        ("some words", {}),
        ("[1]", {}),
        ("", {}),
    ],
)
def test_a_document_is_read(printed, told):
    done = measured((sys.executable, "-c", f"print('{printed}')"))
    assert (done.told, done.failed) == (told, "")


def test_a_command_that_fails_tells_its_last_words():
    done = measured((sys.executable, "-c", "raise SystemExit('no such home')"))
    assert done.failed == "no such home\n"
