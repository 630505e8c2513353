"""``python -m perf --scale 1 10 100``: everything measured in one run, told as ratios, and kept in a file.

At each scale a programme is laid (``perf.programme``); the floor, the refresh and the peer take turns over the same
files, each in a process of its own; then come refreshes of nothing new and one of a changed file, and validation. Once
come cold starts, schedules, reports, a second refresh and closed weeks. Belongs here: the order. Does not: any
measurement itself, nor the words (``perf.told``).
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from perf import cold, environment, targets, told
from perf.checks import checks, refused, refused_by_peer
from perf.processes import Measured, child, measured
from perf.programme import LABEL, NOW, Laid, change, lay
from perf.targets import Figures
from turnup.programme import Home
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.publish import published_file

_PARTS = ("peer", "again", "cold", "schedule", "reports", "second", "weeks")
_SYSTEMS_OF_REPORTS = 2_000
_SYSTEMS_OF_SECOND = 200


def main() -> None:
    """Measure what was asked for and print it; with ``--results`` it is written to a file too."""
    parser = argparse.ArgumentParser(prog="perf", description=__doc__)
    parser.add_argument("--scale", type=int, nargs="*", default=[1, 10], help="1: 20 systems; 100: 2,000 systems")
    parser.add_argument("--results", type=Path, help="write all of it here, such as perf/RESULTS.md")
    parser.add_argument("--date", default=dt.datetime.now(dt.UTC).date().isoformat(), help="date to print")
    parser.add_argument("--folder", type=Path, help="where the programmes are laid and left")
    parser.add_argument("--without", nargs="*", default=(), choices=_PARTS)
    options = parser.parse_args()
    figures, lines = Figures(), list[str]()
    with tempfile.TemporaryDirectory() as temporary:
        for part in _parts(options, figures, options.folder or Path(temporary)):
            print("\n".join([*part, ""]), flush=True)
            lines += [*part, ""]
    asked = ["## What was asked for", "", *targets.lines(figures), ""]
    print("\n".join(asked))
    if options.results:
        head = [f"# Results of `python -m perf`, {options.date}", ""]
        options.results.write_text("\n".join([*head, *asked, *lines]).rstrip() + "\n", encoding="utf-8")


def _parts(options: argparse.Namespace, figures: Figures, folder: Path) -> Iterator[list[str]]:
    peer, missing = (None, "left out") if "peer" in options.without else environment.peer_python()
    yield [environment.machine(), "", environment.peer_versions(peer) if peer else f"The peer: {missing}."]
    homes = {scale: Home(folder / f"scale-{scale}") for scale in sorted(options.scale)}
    for scale, home in homes.items():
        yield _at_scale(figures, home, scale, peer, "again" not in options.without)
    yield told.growth(figures)
    if "cold" not in options.without:
        yield _cold(figures, folder, next(iter(homes.values()), None))
    if "schedule" not in options.without:
        others = ("--peer", str(peer)) if peer else ()
        yield _ran("Schedules", ("critical_path",), ("monte_carlo", "--times", "3", *others))
    if "reports" not in options.without and homes:
        yield _reports(list(homes.values())[-1])
    if "second" not in options.without:
        yield _ran("A second refresh, one row in a hundred of a file changed",
                   ("refresh", "--systems", str(_SYSTEMS_OF_SECOND), "--change", "inventory", "shipments"))  # fmt: skip
    if "weeks" not in options.without:
        yield _weeks(figures)


def _at_scale(figures: Figures, home: Home, scale: int, peer: Path | None, again: bool) -> list[str]:
    shutil.rmtree(home.root, ignore_errors=True)
    folder, laid = str(home.root), lay(home, scale)
    (home.root / "checks.json").write_text(json.dumps(checks(home)), encoding="utf-8")
    found = {"floor": child("floor", folder), "refresh": child("refresh", folder)}
    if peer is not None:
        found["peer"] = measured((str(peer), "-m", "perf.peer.pipeline", folder))
    figures.wholes[scale] = found
    lines = told.whole(laid, scale, found, environment.load())
    lines += told.bad_rows(laid, refused(home, LABEL), refused_by_peer(home) if "peer" in found else None)
    if again and not found["refresh"].failed:
        lines += _again(figures, home, scale, laid)
    return [*lines, *_validation(figures, scale, folder, peer)]


def _again(figures: Figures, home: Home, scale: int, laid: Laid) -> list[str]:
    folder, found = str(home.root), figures.wholes[scale]
    when = (NOW + dt.timedelta(hours=1)).isoformat()
    asked = ("refresh", "--home", folder, "--week", LABEL, "--now", when, "--json")
    found["nothing new"] = child("refresh", folder, "1")
    found["nothing new, by command"] = measured((sys.executable, "-m", "pipelines", *asked))
    found["sensor"] = child("sensor", folder)
    changed = change(home, laid.rows)
    found["changed"] = child("refresh", folder, "2")
    figures.rows[scale] = laid.rows, changed
    return told.again(found, changed, laid.rows)


def _validation(figures: Figures, scale: int, folder: str, peer: Path | None) -> list[str]:
    ran = {"validation": child("validation", folder)}
    if peer is not None:
        ran["validation by the peer's libraries"] = measured((str(peer), "-m", "perf.peer.validation", folder))
    figures.validation[scale] = {name: spent for one in ran.values() for name, spent in one.told.items()}
    lines = [] if ran["validation"].failed else told.validation(figures.validation[scale])
    return lines + told.failures(ran)


def _cold(figures: Figures, folder: Path, home: Home | None) -> list[str]:
    refreshed = home if home is not None and ManifestStore(home.store).latest(LABEL) else None
    figures.cold = dict(cold.starts(folder, refreshed.root if refreshed else None))
    loaded = child("imports", str(folder))
    figures.fixed = loaded.told
    costs = [f"importing {name} {wall:.1f} s wall, {cpu:.1f} s CPU" for name, (wall, cpu, _) in loaded.told.items()]
    fixed = f"The fixed cost of a refresh run by Dagster: {', '.join(costs)}." if costs else ""
    return [*cold.lines(figures.cold), "", fixed, *told.failures({"imports": loaded})]


def _reports(home: Home) -> list[str]:
    manifest = ManifestStore(home.store).latest(LABEL)
    systems = str(_SYSTEMS_OF_REPORTS)
    grown = (("reports", str(published_file(home, manifest)), systems),) if manifest else ()
    return _ran("Reports of 2,000 systems", *grown, ("report_formats", "--systems", systems))


def _weeks(figures: Figures) -> list[str]:
    figures.weeks = measured((sys.executable, "-m", "perf.history"))
    return ["## Closed weeks", "", *figures.weeks.said.splitlines()[:-1], *told.failures({"weeks": figures.weeks})]


def _ran(title: str, *commands: tuple[str, ...]) -> list[str]:
    ran: dict[str, Measured] = {}
    for name, *arguments in commands:
        ran[name] = measured((sys.executable, "-m", f"perf.{name}", *arguments))
    return told.quoted(title, ran)


if __name__ == "__main__":
    main()
