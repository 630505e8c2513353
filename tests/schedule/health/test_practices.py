"""GAO's ten practices: yes, no, or not in the file."""

from itertools import pairwise

from tests.schedule.health.judging import done, judge, on
from tests.schedule.projects import activity, link, project, workday


def answers(found):
    return {practice.number: practice.answer for practice in found.practices}


def good():
    names = [f"{number:02d}" for number in range(2, 42)]
    rows = [activity(name, 1, wbs="W", resources=1, early_start=workday(3, 8), early_finish=workday(50)) | on(60)
            for name in names]  # fmt: skip
    first = done("01", 1, 2, wbs="W", resources=1, **on(2))
    return project([first, *rows], [link(a, b) for a, b in pairwise(["01", *names])], data_date=workday(3, 8))


def test_a_good_file_answers_yes_and_says_what_it_cannot_know():
    assert answers(judge(good())) == {
        1: "not in the file", 2: "yes", 3: "yes", 4: "yes", 5: "yes", 6: "yes", 7: "yes",
        8: "not in the file", 9: "yes", 10: "yes",
    }  # fmt: skip


def test_a_bare_file_answers_little():
    assert answers(judge(project([activity("A", 50)]))) == {
        1: "not in the file", 2: "no", 3: "not in the file", 4: "no", 5: "not in the file", 6: "yes", 7: "yes",
        8: "not in the file", 9: "not in the file", 10: "not in the file",
    }  # fmt: skip


def test_a_baseline_for_some_is_no_baseline():
    some = judge(project([activity("A", 5, wbs="W", **on(5)), activity("B", 5)]))
    assert answers(some)[10] == "no"
    assert answers(some)[5] == "no"
    assert some.practices[9].sentence == "1 of 2 activities have a baseline finish."
