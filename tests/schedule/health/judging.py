"""Short ways to judge a small project."""

from datetime import datetime

from tests.schedule.projects import activity, workday
from turnup.schedule.health.assess import assess
from turnup.schedule.health.settings import HealthSettings
from turnup.schedule.passes import schedule


def judge(project, **settings):
    """A project judged on the dates computed for it."""
    return assess(project, schedule(project), HealthSettings(**settings))


def check(project, number, **settings):
    return judge(project, **settings).check(number)


def counts(found):
    """Verdict, numerator and denominator of a check."""
    return found.verdict, found.numerator, found.denominator


def codes(found):
    """Codes of the offending activities."""
    return found.offenders["code"].to_list()


def seen(project, name, **settings):
    """What is told beside the checks: its value and the codes or pairs of codes listed."""
    found = judge(project, **settings).observation(name)
    listed = found.listed
    rows = listed.select("pred_code", "succ_code").rows() if "pred_code" in listed.columns else listed["code"].to_list()
    return found.value, rows


def done(code, first, last, **more):
    """An activity completed between two working days counted from MONDAY."""
    dates = {"actual_start": workday(first, 8), "actual_finish": workday(last)}
    return activity(code, last - first + 1, **({"status": "completed", "remaining_s": 0} | dates | more))


def begun(code, days, first, remaining, **more):
    """An activity in progress."""
    left = round(remaining * 8 * 3600)
    return activity(
        code, days, **({"status": "in_progress", "remaining_s": left, "actual_start": workday(first, 8)} | more)
    )


def on(day, hour=17):
    """A baseline finish at the end of a working day."""
    return {"baseline_start": workday(1, 8), "baseline_finish": workday(day, hour)}


LONG_AGO = datetime(2020, 1, 1)
