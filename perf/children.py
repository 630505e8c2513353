"""What ``perf.processes.child`` runs: ``python -m perf.children NAME FOLDER``. Each prints one JSON document last.

Belongs here: the bodies of measurements that need a process of their own. Does not: starting them, or comparing.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

Steps = dict[str, list[float]]


def refresh(folder: Path, hours: str = "0") -> Steps:
    """The refresh of the week and its reports, without Dagster; wall, CPU seconds and memory so far of each step."""
    from perf.programme import LABEL, NOW
    from turnup.programme import Home
    from turnup.refresh import Refresh
    from turnup.warehouse.connection import connect

    spent: Steps = {}
    home = Home(folder)
    run = Refresh(home, LABEL, NOW + timedelta(hours=int(hours)))
    _step(spent, "land", run.land)
    _step(spent, "ingest", run.ingest_all)
    plan = _step(spent, "plan", run.plan)
    if plan.unchanged and plan.standing is not None:
        _step(spent, "restore", run.restore)
        return spent
    candidate = run.candidate()
    _step(spent, "stage", lambda: run.stage(plan, candidate))
    _step(spent, "expect", lambda: run.expect(plan, candidate))
    _step(spent, "judge", lambda: run.judge(plan, candidate))
    manifest = _step(spent, "commit", lambda: run.commit(plan, candidate))
    _step(spent, "publish", lambda: run.publish(manifest, candidate))

    def reports() -> None:
        from reports.index import render_index
        from reports.issue import issue_week

        with connect(run.restore(manifest), read_only=True) as con:
            issue_week(home, manifest, con, run.programme.audiences, rewrite=False)
        render_index(home.out)

    _step(spent, "reports", reports)
    return spent


def floor(folder: Path) -> Steps:
    """Every file into a table of text by DuckDB, nothing checked; workbooks by fastexcel."""
    import duckdb
    import fastexcel

    with duckdb.connect(str(folder / "floor.duckdb")) as con:
        for number, file in enumerate(sorted((folder / "inbox").glob("*/*"))):
            if file.suffix == ".csv":
                con.execute(f"CREATE TABLE t{number} AS FROM read_csv($1, all_varchar = true)", [str(file)])
            else:
                frame = fastexcel.read_excel(str(file)).load_sheet(0, dtypes="string").to_polars()
                con.register("frame", frame)
                con.execute(f"CREATE TABLE t{number} AS FROM frame")
                con.unregister("frame")
    (folder / "floor.duckdb").unlink()
    return {}


def validation(folder: Path) -> Steps:
    """Row rules beside one aggregate."""
    from perf.validation import compare

    return compare(folder)


def sensor(folder: Path) -> Steps:
    """Ticks of the sensor that watches the inbox, and runs that it asks for: nothing new, then a file touched only."""
    from dagster import build_sensor_context

    from perf.programme import NOW
    from pipelines.sensors import inbox_sensor
    from turnup.programme import Home

    home, cursor, minutes = Home(folder), "", 0
    spent: Steps = {}
    watch = inbox_sensor(home, "refresh", lambda: NOW + timedelta(hours=1, minutes=minutes))

    def tick() -> int:
        nonlocal cursor
        found: Any = watch(build_sensor_context(cursor=cursor))
        cursor = found.cursor or ""
        return len(found.run_requests or ())

    asked = [_step(spent, "nothing new", tick)]
    min(home.inbox.glob("*/*")).touch()
    _step(spent, "touched", tick)
    minutes = 5
    asked.append(_step(spent, "touched, later", tick))
    return spent | {"runs": [float(each) for each in asked]}


def imports(_: Path) -> Steps:
    """The fixed cost of an orchestrated refresh: importing Dagster with the job, and Great Expectations."""
    spent: Steps = {}

    def dagster() -> None:
        import pipelines.definitions

        assert pipelines.definitions

    def expectations() -> None:
        import great_expectations

        assert great_expectations

    _step(spent, "dagster", dagster)
    _step(spent, "great_expectations", expectations)
    return spent


def _step(spent: Steps, name: str, run: Callable[[], Any]) -> Any:
    wall, used = time.perf_counter(), _cpu()
    result = run()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    spent[name] = [round(time.perf_counter() - wall, 2), round(_cpu() - used, 2), memory]
    print(name, *spent[name], file=sys.stderr, flush=True)
    return result


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


_BODIES: dict[str, Callable[..., Steps]] = {
    "refresh": refresh,
    "floor": floor,
    "imports": imports,
    "sensor": sensor,
    "validation": validation,
}

if __name__ == "__main__":
    print(json.dumps(_BODIES[sys.argv[1]](Path(sys.argv[2]).resolve(), *sys.argv[3:])))
