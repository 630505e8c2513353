"""An owner is one person."""

import pytest

from turnup.readiness.persons import owner_fault


@pytest.mark.parametrize(
    "name",
    ["Ana Ruiz", "Maria Keller (ORD1)", "J. Petrov", "Tomasz Nowak", "Wen Zhao", "O'Neill, Sean", "akeller", "Müller",
     "Jean-Luc Picard", "Helen Castellanos, CPO", "李 伟", "ana.ruiz@example.com", "Ana Ruiz <ana.ruiz@example.com>",
     "José Ortega y Gasset", "Sandy Andrews", "Ed Teamer", "Al Groupe"],
)  # fmt: skip
def test_names_of_persons(name):
    assert owner_fault(name) is None


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (None, "nobody"), ("", "nobody"), ("  ", "nobody"),
        ("TBD", "a placeholder"), ("t.b.d.", "a placeholder"), ("N/A", "a placeholder"), ("-", "a placeholder"),
        ("?", "a placeholder"), ("Unassigned", "a placeholder"), ("new hire", "a placeholder"),
        ("Network team", "a team"), ("Team Rail", "a team"), ("Steering committee", "a team"), ("NOC", "a team"),
        ("ＴＥＡＭ network", "a team"), ("Deployment crew (night)", "a team"),
        ("Procurement", "a function or role"), ("Site operations", "a function or role"),
        ("Programme manager", "a function or role"), ("VP Infrastructure", "a function or role"),
        ("network-team@example.com", "an e-mail alias"), ("dc-ops@example.com", "an e-mail alias"),
        ("Rail <rail@example.com>", "an e-mail alias"), ("info@example.com", "an e-mail alias"),
        ("Ana Ruiz / Bo Lind", "more than one"), ("Ana Ruiz and Bo Lind", "more than one"),
        ("Ana Ruiz & Bo Lind", "more than one"), ("Ana Ruiz; Bo Lind", "more than one"),
    ],
)  # fmt: skip
def test_who_cannot_be_asked(name, fault):
    assert owner_fault(name) == fault
