"""Small MSPDI documents: an office week of eight hours, and the tasks that a test asks for."""

SHIFTS = (("08:00:00", "12:00:00"), ("13:00:00", "17:00:00"))


def el(name, *values):
    """An element; a dict is one of elements, a list several, anything else its text."""
    return f"<{name}>{''.join(_body(value) for value in values)}</{name}>"


def _body(value):
    if isinstance(value, dict):
        return "".join(
            "".join(el(name, each) for each in held) if isinstance(held, list) else el(name, held)
            for name, held in value.items()
        )
    return str(value)


def times(shifts=SHIFTS):
    return {"WorkingTimes": {"WorkingTime": [{"FromTime": start, "ToTime": end} for start, end in shifts]}}


def week_day(number, shifts):
    """A day of the week, 1 is Sunday."""
    return {"DayType": number, "DayWorking": int(bool(shifts))} | (times(shifts) if shifts else {})


def office(uid=1, **more):
    days = [week_day(number, SHIFTS if 2 <= number <= 6 else ()) for number in range(1, 8)]
    return {"UID": uid, "Name": "Office", "BaseCalendarUID": -1, "WeekDays": {"WeekDay": days}} | more


def exception(first, last, shifts=(), **more):
    period = {"FromDate": f"{first}T00:00:00", "ToDate": f"{last}T23:59:00"}
    return {"TimePeriod": period, "DayWorking": int(bool(shifts))} | (times(shifts) if shifts else {}) | more


def task(uid, hours=8, preds=(), **more):
    """A task of some working hours; ``preds`` are (uid, type number, lag, lag format)."""
    links = [{"PredecessorUID": p, "Type": t, "LinkLag": lag, "LagFormat": form} for p, t, lag, form in preds]
    held = {"UID": uid, "ID": uid, "Name": f"T{uid}", "OutlineLevel": 1, "Duration": f"PT{hours}H0M0S",
            "DurationFormat": 7}  # fmt: skip
    return held | ({"PredecessorLink": links} if links else {}) | more


def document(*tasks, calendars=None, resources=(), assignments=(), **more):
    head = {"Title": "Plan", "StartDate": "2026-09-07T08:00:00", "CalendarUID": 1, "MinutesPerDay": 480,
            "MinutesPerWeek": 2400, "DaysPerMonth": 20, "DurationFormat": 7}  # fmt: skip
    body = head | more | {
        "Calendars": {"Calendar": calendars or [office()]},
        "Tasks": {"Task": list(tasks)},
        "Resources": {"Resource": list(resources)},
        "Assignments": {"Assignment": list(assignments)},
    }  # fmt: skip
    inside = _body(body)
    return f'<?xml version="1.0"?><Project xmlns="http://schemas.microsoft.com/project">{inside}</Project>'.encode()
