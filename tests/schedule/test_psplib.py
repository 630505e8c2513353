"""The lengths and floats of PSPLIB's critical paths, for every instance that is at hand."""

import csv
import re

import pytest

from tests.schedule.projects import EVERY_DAY, WORKDAY, activity, link, project
from turnup.schedule.passes import schedule


def instance(text):
    """Durations by job, and (job, successor) pairs, of a single-mode file."""
    follows = text.split("PRECEDENCE RELATIONS:")[1].split("***")[0].splitlines()[2:]
    jobs = [[int(word) for word in line.split()] for line in follows if line.strip()]
    requests = text.split("REQUESTS/DURATIONS:")[1].split("****")[0].splitlines()
    modes = [re.findall(r"\d+", line) for line in requests if re.match(r"\s*\d", line)]
    return {int(mode[0]): int(mode[2]) for mode in modes}, [(job[0], after) for job in jobs for after in job[3:]]


@pytest.fixture(scope="module")
def oracle(cases):
    with (cases / "schedule/psplib/psplib_cpm_oracle.tsv").open(encoding="utf-8", newline="") as handle:
        return {row["instance"]: row for row in csv.DictReader(handle, delimiter="\t")}


def test_every_instance_has_its_length_and_its_critical_jobs(cases, oracle):
    files = sorted((cases / "schedule/psplib").rglob("*.sm"))
    assert files
    for file in files:
        durations, pairs = instance(file.read_text(encoding="utf-8"))
        network = project(
            [activity(str(job), length, calendar="every day") for job, length in durations.items()],
            [link(str(job), str(after)) for job, after in pairs],
            calendars={"every day": EVERY_DAY}, default_calendar="every day",
        )  # fmt: skip
        found = schedule(network)
        frame = found.frame()
        row = oracle[file.name]
        length = (frame["early_finish"].max() - network.data_date).days + 1
        assert (file.name, length, len(pairs)) == (file.name, int(row["mpm_time_header"]), int(row["links_incl_dummy"]))
        assert (frame["total_float_s"] == 0).sum() == int(row["n_zero_float_incl_dummies"])
        assert frame["total_float_s"].sum() % WORKDAY == 0
