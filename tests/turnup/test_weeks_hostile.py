"""Weeks are committed once, closed weeks stay as issued, and what is lost is made again as it was."""

import importlib.util
import os
import shutil
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.isolation.troubled import troubled_reader
from turnup import refresh as module
from turnup.durable import StoreDamaged
from turnup.refresh import Blocked, Overtaken, Refresh, refresh
from turnup.warehouse.manifest import ManifestStore
from turnup.yaml_source import ConfigurationError

_SPEC = importlib.util.spec_from_file_location("small_programme", Path(__file__).with_name("small_programme.py"))
small = sys.modules.setdefault("small_programme", importlib.util.module_from_spec(_SPEC))
_SPEC.loader.exec_module(small)
CLOSED, ask, drop, receipt, tables = small.CLOSED, small.ask, small.drop, small.receipt, small.tables

W40, W41, W42 = "2026-W40", "2026-W41", "2026-W42"


@pytest.fixture
def home(tmp_path):
    return small.made(tmp_path / "home")


@pytest.fixture(params=["one result", pytest.param("all results", marks=pytest.mark.slow)])
def quick(request, monkeypatch):
    """Without the expectations, which are not asked about here; but for the campaigns a week has one result only."""
    monkeypatch.setattr(module, "check_again", lambda *_: [])
    if request.param == "one result":
        monkeypatch.setattr("turnup.readiness.build.build", one_result)


def one_result(con, programme, *_):
    """What a week says of its sites, instead of everything that ``build`` makes."""
    con.execute("CREATE SCHEMA mart")
    con.execute("CREATE TABLE mart.sites AS SELECT $1 AS programme, site_id, name FROM stg.sites", [programme.name])


_undisturbed = {}


@pytest.fixture
def undisturbed(request, quick, tmp_path):
    """The tables of a first week that nothing disturbed; made once for all tests with the same results."""
    results = request.node.callspec.params["quick"]
    if results not in _undisturbed:
        _undisturbed[results] = tables(made(small.made(tmp_path / "calm"), W40).database)
    return _undisturbed[results]


def made(home, week, *, now=None, **options):
    return refresh(home, week, now or CLOSED[week], **options)


def shown(home):
    return ask(home.warehouse, "SELECT week, ordinal, state FROM meta.week")[0]


@pytest.mark.usefixtures("quick")
class TestWhatTheWeekKnows:
    def test_an_open_week_is_kept_then_made_again_then_closed(self, home):
        early = CLOSED[W40] - timedelta(days=2)
        first = made(home, W40, now=early)
        assert (first.manifest.name, first.manifest.state, first.changed) == ("2026-W40.1", "open", True)
        assert not made(home, W40, now=early).changed
        drop(home, "2026-09-29/grn1.csv", receipt(1))
        assert made(home, W40, now=early).manifest.name == "2026-W40.2"
        closed = made(home, W40)
        assert (closed.manifest.name, closed.manifest.state) == ("2026-W40.3", "closed")
        assert not made(home, W40).changed
        assert shown(home) == (W40, 3, "closed")

    def test_a_refused_file_is_told_though_it_changes_no_row(self, home):
        early = CLOSED[W40] - timedelta(days=2)
        made(home, W40, now=early)
        drop(home, "2026-09-29/sites.csv", "nothing like the sites\n1\n")
        again = made(home, W40, now=early)
        assert again.changed
        assert ask(again.database, "SELECT newer_rejected FROM meta.sources WHERE source = 'sites'") == [(True,)]

    def test_a_file_that_no_source_takes_is_told(self, home):
        early = CLOSED[W40] - timedelta(days=2)
        made(home, W40, now=early)
        drop(home, "2026-09-29/minutes of meeting.csv", "a\n1\n")
        again = made(home, W40, now=early)
        query = "SELECT file FROM meta.file_findings WHERE code = 'unclaimed_file'"
        assert ask(again.database, query) == [("2026-09-29/minutes of meeting.csv",)]

    def test_files_without_rows_never_stop_a_week(self, home):
        for number, content in enumerate(["", "x", small.SITES.splitlines()[0] + "\n", "\n\n\n", "\x00\x01\x02"]):
            drop(home, f"2026-09-29/sites {number}.csv", content)
        result = made(home, W40)
        assert all(row == (True,) for row in ask(result.database, "SELECT balanced FROM meta.ledger"))

    def test_a_file_that_a_reader_stumbles_over_is_refused_and_the_others_count(self, home, monkeypatch):
        from turnup import ingest

        with troubled_reader() as reader:
            monkeypatch.setattr(ingest, "shared_reader", lambda: reader)
            for number, trouble in enumerate(("stumble", "die", "eat"), start=1):
                drop(home, f"2026-09-29/grn{number} {trouble}.csv", receipt(number))
            drop(home, "2026-09-29/grn4.csv", receipt(4))
            result = made(home, W40)
        assert ask(result.database, "SELECT receipt FROM stg.receipts") == [("R4",)]
        query = "SELECT file, rule FROM meta.quarantine ORDER BY ALL"
        assert ask(result.database, query) == [
            ("2026-09-29/grn1 stumble.csv", "reader_failed"),
            ("2026-09-29/grn2 die.csv", "reader_died"),
            ("2026-09-29/grn3 eat.csv", "too_much_memory"),
        ]
        assert ask(result.database, "SELECT count(*) FROM meta.ledger WHERE NOT balanced") == [(0,)]

    def test_two_corrections_in_one_dated_folder_count_in_order(self, home):
        for quantity in (3, 8, 5):
            drop(home, "2026-09-29/grn1.csv", receipt(1, quantity))
            made(home, W40, now=CLOSED[W40] - timedelta(days=2))
        assert ask(home.warehouse, "SELECT qty_good::INT FROM stg.receipts") == [(5,)]

    def test_one_file_taken_by_two_sources_counts_once_and_is_told_twice(self, home):
        text = home.configuration.read_text(encoding="utf-8")
        home.configuration.write_text(text + '  again: {dataset: sites, files: "sites*.csv", owner: Bo Lind}\n')
        result = made(home, W40)
        assert ask(result.database, "SELECT count(*) FROM stg.sites") == [(1,)]
        query = "SELECT source, owner FROM meta.ledger WHERE dataset = 'sites' ORDER BY 1"
        assert ask(result.database, query) == [("again", "Bo Lind"), ("sites", "Ana Ruiz")]

    @pytest.mark.parametrize(
        ("week", "words"), [("2026-W39", "first_week"), ("2026-W50", "has not begun"), ("2026-W00", "ISO week")]
    )
    def test_a_week_that_cannot_have_a_result_is_refused(self, home, week, words):
        with pytest.raises(ConfigurationError, match=words):
            refresh(home, week, CLOSED[W40])

    def test_without_playbooks_nothing_is_judged(self, home):
        shutil.rmtree(home.playbooks)
        with pytest.raises(ConfigurationError, match="playbooks"):
            made(home, W40)
        home.playbooks.mkdir()
        (home.playbooks / "gpu.yaml").write_text("playbook: gpu\nkind: {\n", encoding="utf-8")
        with pytest.raises(ConfigurationError, match=r"gpu\.yaml, line 3"):
            made(home, W40)


@pytest.mark.usefixtures("quick")
class TestClosedWeeks:
    def test_a_late_file_counts_only_when_asked(self, home):
        made(home, W40)
        made(home, W41)
        drop(home, "2026-09-29/grn1.csv", receipt(1))
        again = made(home, W40, now=CLOSED[W41])
        assert (again.changed, again.late, again.manifest.name) == (False, 1, "2026-W40.1")
        restated = made(home, W40, now=CLOSED[W41], restate=True, reason="late receipt")
        assert (restated.manifest.name, restated.manifest.state) == ("2026-W40.2", "restated")
        assert ask(restated.database, "SELECT count(*) FROM stg.receipts") == [(1,)]
        assert shown(home) == (W41, 1, "closed")
        # The week after was closed against the earlier result and stays as issued, also when it is asked for.
        after = made(home, W41)
        assert (after.changed, after.manifest.previous) == (False, "2026-W40.1")
        assert not made(home, W40, now=CLOSED[W41], restate=True).changed
        assert made(home, W42).manifest.history == ("2026-W40.2", "2026-W41.1")
        assert shown(home) == (W42, 1, "closed")

    def test_a_closed_week_stands_when_everything_else_changed(self, home):
        result = made(home, W40)
        text = home.configuration.read_text(encoding="utf-8")
        home.configuration.write_text(
            text.replace("  sites:", "  places:").replace("max_age_days: 8", "max_age_days: 1")
        )
        (home.playbooks / "storage.yaml").unlink()
        again = made(home, W40, now=CLOSED[W41])
        assert (again.changed, again.late, again.manifest) == (False, 0, result.manifest)
        assert made(home, W41).changed

    @pytest.mark.parametrize("name", ["grn1.csv", "sites.csv", "minutes.txt"])
    def test_every_file_that_came_too_late_is_counted_also_one_that_is_refused_or_not_wanted(self, home, name):
        made(home, W40)
        drop(home, f"2026-09-29/{name}", "a\n1\n")
        again = made(home, W40, now=CLOSED[W41])
        assert (again.changed, again.late) == (False, 1)

    def test_a_clock_set_back_opens_no_closed_week(self, home):
        made(home, W40)
        again = made(home, W40, now=CLOSED[W40] - timedelta(days=3), restate=True)
        assert (again.changed, again.manifest.state) == (False, "closed")

    @pytest.mark.slow
    def test_what_is_lost_is_made_again_as_it_was_issued(self, home):
        made(home, W40)
        issued = made(home, W41)
        before = tables(issued.database)
        drop(home, "2026-09-29/grn1.csv", receipt(1))
        made(home, W40, now=CLOSED[W41], restate=True)
        drop(home, "2026-10-05/grn2.csv", receipt(2))
        text = home.configuration.read_text(encoding="utf-8")
        home.configuration.write_text(
            text.replace("  sites:", "  places:").replace("max_age_days: 8", "max_age_days: 1")
        )
        (home.playbooks / "storage.yaml").unlink()
        shutil.rmtree(home.published)
        shutil.rmtree(home.store / "checks")
        home.warehouse.unlink()
        again = made(home, W41)
        assert not again.changed
        after = tables(again.database)
        assert after.keys() == before.keys()
        assert [name for name in before if before[name] != after[name]] == []
        assert shown(home) == (W41, 1, "closed")

    def test_lost_results_are_named_and_made_again_with_their_week(self, home):
        made(home, W40)
        shutil.rmtree(home.store / "results")
        with pytest.raises(StoreDamaged, match=r"refresh week 2026-W40"):
            made(home, W41)
        assert not made(home, W40, now=CLOSED[W41]).changed
        assert made(home, W41).changed


@pytest.mark.usefixtures("quick")
class TestKilled:
    @pytest.mark.slow
    @pytest.mark.parametrize("step", ["stage", "expect", "judge", "commit", "publish"])
    @pytest.mark.parametrize("moment", ["before", "after"])
    def test_a_refresh_that_ends_at_any_step_leaves_nothing_that_matters(
        self, home, undisturbed, monkeypatch, step, moment
    ):
        whole = getattr(Refresh, step)

        def killed(*arguments):
            if moment == "after":
                whole(*arguments)
            raise KeyboardInterrupt

        monkeypatch.setattr(Refresh, step, killed)
        with pytest.raises(KeyboardInterrupt):
            made(home, W40)
        monkeypatch.setattr(Refresh, step, whole)
        result = made(home, W40)
        assert result.manifest.name == "2026-W40.1"
        assert tables(result.database) == undisturbed
        assert shown(home) == (W40, 1, "closed")
        assert list((home.store / "build").iterdir()) == []

    @pytest.mark.slow
    @pytest.mark.parametrize("fails", range(0, 80, 8))
    def test_a_disk_that_fills_up_at_any_write_leaves_nothing_half_done(self, home, monkeypatch, fails):
        from turnup import durable

        flush, count = durable._flush, iter(range(1000))

        def full(path):
            if next(count) == fails:
                raise OSError(28, "No space left on device", str(path))
            flush(path)

        monkeypatch.setattr(durable, "_flush", full)
        try:
            made(home, W40)
        except OSError as error:
            assert "No space left" in str(error)
        monkeypatch.setattr(durable, "_flush", flush)
        assert not list(home.root.rglob("*.tmp"))
        result = made(home, W40)
        assert result.manifest.name == "2026-W40.1"
        assert ask(result.database, "SELECT count(*) FROM stg.sites") == [(1,)]

    def test_candidates_that_were_left_are_swept_after_a_day(self, home):
        made(home, W40)
        left = home.store / "build" / "2026-W40.0.duckdb"
        beside = [left, left.with_name(f"{left.name}.wal"), left.with_name("2026-W40.1.duckdb.tmp")]
        left.touch()
        beside[1].touch()
        (beside[2] / "spilled").mkdir(parents=True)
        for file in beside:
            os.utime(file, (0, 0))
        made(home, W40)
        assert not any(file.exists() for file in beside)


@pytest.mark.usefixtures("quick")
class TestDamage:
    @pytest.mark.parametrize("place", ["weeks/2026-W40.1.json", "batches/sites/*.json"])
    def test_a_damaged_record_is_named(self, home, place):
        made(home, W40)
        (file,) = home.store.glob(place)
        for damage in ("", "{", "[]", "{}", '{"in_force": 1}', "\xff"):
            file.unlink()
            file.write_text(damage, encoding="latin-1")
            with pytest.raises(StoreDamaged, match=file.name.replace(".", r"\.")):
                made(home, W41)

    def test_damaged_check_results_are_computed_again(self, home):
        early = CLOSED[W40] - timedelta(days=2)
        made(home, W40, now=early)
        (file,) = (home.store / "checks").iterdir()
        file.write_text("{")
        shutil.rmtree(home.published)
        assert made(home, W40, now=early).database.exists()


@pytest.mark.usefixtures("quick")
class TestWhereTheHomeIs:
    @pytest.mark.parametrize("name", ["we[ir]d *", "100% #1 ; it's", "ünï  código"])
    def test_any_folder_name_will_do(self, tmp_path, name):
        home = small.made(tmp_path / name)
        made(home, W40)
        made(home, W41)
        assert shown(home) == (W41, 1, "closed")

    def test_a_folder_name_that_the_database_cannot_take_is_refused(self, home, tmp_path):
        moved = type(home)(tmp_path / "what?")
        home.root.rename(moved.root)
        with pytest.raises(ConfigurationError, match=r"what\?.*rename"):
            made(moved, W40)

    def test_a_home_that_was_moved_or_is_reached_through_a_link_goes_on(self, home, tmp_path):
        made(home, W40)
        moved = type(home)(tmp_path / "moved")
        home.root.rename(moved.root)
        assert shown(moved) == (W40, 1, "closed")
        assert not made(moved, W40).changed
        link = tmp_path / "link"
        link.symlink_to(moved.root, target_is_directory=True)
        assert made(type(home)(link), W41).changed
        assert shown(moved) == (W41, 1, "closed")


@pytest.mark.usefixtures("quick")
class TestTogether:
    def test_who_has_the_warehouse_open_keeps_the_week_and_sees_the_next_on_opening_again(self, home):
        import duckdb

        made(home, W40)
        with duckdb.connect(str(home.warehouse), read_only=True) as reader:
            made(home, W41)
            assert reader.sql("SELECT week FROM meta.week").fetchall() == [(W40,)]
        assert shown(home)[0] == W41

    def test_of_two_plans_with_other_inputs_the_second_is_planned_again(self, home, monkeypatch):
        early = CLOSED[W40] - timedelta(days=2)
        whole = Refresh.judge

        def overtaken(self, plan, candidate):
            monkeypatch.setattr(Refresh, "judge", whole)
            drop(home, "2026-09-29/grn1.csv", receipt(1))
            made(home, W40, now=early)
            whole(self, plan, candidate)

        monkeypatch.setattr(Refresh, "judge", overtaken)
        result = made(home, W40, now=early)
        assert result.manifest.name == "2026-W40.1"
        assert ask(result.database, "SELECT count(*) FROM stg.receipts") == [(1,)]

    def test_without_end_overtaken_is_an_error(self, home, monkeypatch):
        monkeypatch.setattr(ManifestStore, "create", lambda *_: False)
        with pytest.raises(Overtaken):
            made(home, W40)

    def test_an_older_week_never_hides_a_newer_one(self, home, monkeypatch):
        from turnup.warehouse import publish as publishing

        whole = publishing._swap

        def slow(place, target):
            monkeypatch.setattr(publishing, "_swap", whole)
            made(home, W41)  # commits and publishes between the other's look and its swap
            whole(place, target)

        monkeypatch.setattr(publishing, "_swap", slow)
        made(home, W40)
        assert shown(home)[0] == W41

    def test_a_plan_is_made_once(self, home):
        run = Refresh(home, W40, CLOSED[W40])
        run.land()
        run.ingest_all()
        plan = run.plan()
        drop(home, "2026-09-29/grn1.csv", receipt(1))
        made(home, W41)  # somebody else lands and reads a file meanwhile
        assert run.plan() is plan


def test_keys_of_core_datasets_that_two_sources_share_block_and_name_the_rows(home):
    made(home, W40)
    text = home.configuration.read_text(encoding="utf-8")
    home.configuration.write_text(text + '  partner: {dataset: systems, files: "partner*.csv", owner: Bo Lind}\n')
    drop(home, "2026-10-05/partner systems.csv", small.FILES["systems.csv"].replace("One", "Other"))
    with pytest.raises(Blocked) as caught:
        made(home, W41)
    (finding,) = caught.value.findings
    for words in ("systems", "GPU-1", "partner systems.csv row 2", "systems.csv row 2"):
        assert words.casefold() in finding.casefold()
    assert shown(home) == (W40, 1, "closed")
    assert list((home.store / "build").iterdir()) == []
    (home.inbox / "2026-10-05" / "partner systems.csv").write_text(
        small.FILES["systems.csv"].replace("GPU-1", "GPU-2"), encoding="utf-8"
    )
    assert made(home, W41).changed
