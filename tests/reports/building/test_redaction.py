"""What a profile hides is in no file: unique secrets in every hidden column, every written file searched for them."""

import pytest

from reports.build.redaction import COLUMNS, hidden
from reports.build.reports import build_issue
from reports.build.standing import Standing
from reports.build.vendor import build_vendor_report
from reports.render import render
from reports.sheets import write_vendor_report
from tests.reports.pages import Page
from tests.reports.sample_warehouse import build_sample
from turnup.audiences import Audiences
from turnup.yaml_source import ConfigurationError

MONEY = ("8675309", "86,753", "8.68M", "8.67M", "410k", "4711")


def secrets(tables):
    """Money that is found by its digits, persons and vendors of unheard-of names, all also inside sentences."""
    for row in [row for rows in tables.values() for row in rows]:
        for name in row:
            if name in COLUMNS["persons"] and row[name]:
                row[name] = "Secretperson2"
            if name in COLUMNS["vendors"] and row[name] and row[name] != "Lumenar Optics":
                row[name] = "Secretvendor4"
            if name in COLUMNS["money"] and row[name]:
                row[name] = 8675309.0
    for row in tables["mart.blockers"]:
        row["message"] = "Secretvendor4 told Secretperson2: pay USD 4711 or EUR 4,711.50, else £4711k"
    for row in tables["mart.shipments_late"]:
        row["part_number"] = "OSFP secretVENDOR4, € 4711"
    tables["mart.shipments_late"].append(
        {**tables["mart.shipments_late"][0], "vendor": "Secretvendor4", "shipment": "SV-4"}
    )
    tables["mart.vendor_scorecards"] = [
        {"vendor": name, "lines": 9, "due_lines": 9, "otif_lines": 5, "late_lines": 4, "short_lines": 0,
         "promises_kept": 1, "promises_due": 3, "pushed_lines": 2}
        for name in ("Lumenar Optics", "Secretvendor5")
    ]  # fmt: skip
    for row in tables["meta.quarantine"]:
        row.update(column_name="unit_cost", value="4711.77", message="unit_cost says 4711.77: a number was expected")


def written(folder):
    return {file: file.read_text(encoding="utf-8") for file in folder.rglob("*") if file.is_file()}


def test_without_redaction_every_secret_is_there(tmp_path):
    render(build_sample(secrets), tmp_path)
    text = "".join(written(tmp_path).values())
    for secret in ("Secretperson", "Secretvendor", "4711", "8675309"):
        assert secret in text


def test_money_is_in_no_file_of_a_profile_that_hides_it(tmp_path):
    render(
        build_sample(secrets),
        tmp_path,
        standing=Standing(audiences=Audiences(leadership=("money",), working=("money",))),
    )
    for file, text in written(tmp_path).items():
        assert not [secret for secret in MONEY if secret in text], file
        assert file.suffix != ".html" or "Cost so far" not in Page(text).text
    assert "[amount]" in (tmp_path / "governance.html").read_text(encoding="utf-8")


def test_the_default_hides_money_from_the_working_report_only(tmp_path):
    render(build_sample(secrets), tmp_path, standing=Standing(audiences=Audiences()))
    files = written(tmp_path)
    assert "8675309" in files[tmp_path / "executive.json"]
    for file, text in files.items():
        if file.stem != "executive":
            assert not [secret for secret in MONEY if secret in text], file


def test_persons_and_vendors_are_in_no_file_where_hidden(tmp_path):
    hide = ("persons", "vendors", "money")
    render(build_sample(secrets), tmp_path, standing=Standing(audiences=Audiences(leadership=hide, working=hide)))
    for file, text in written(tmp_path).items():
        assert "secretperson" not in text.casefold(), file
        assert "secretvendor" not in text.casefold(), file
        assert "lumenar" not in text.casefold(), file


def test_a_vendor_sees_its_own_lines_and_no_secret(tmp_path):
    report = build_vendor_report(build_sample(secrets), "lumenar optics", Standing(audiences=Audiences()))
    html, model = write_vendor_report(report, tmp_path)
    shown = Page(html.read_text(encoding="utf-8")).text
    assert "Lumenar Optics" in shown
    assert "SH-88213" in shown
    assert "5 of 9 due" in shown
    for text in (shown, html.read_text(encoding="utf-8"), model.read_text(encoding="utf-8")):
        assert not [s for s in (*MONEY, "secretperson", "secretvendor", "sv-4", "halcyon") if s in text.casefold()]


def test_a_vendor_that_no_file_names_is_refused():
    with pytest.raises(ConfigurationError, match="vendors are: Halcyon Systems and Lumenar Optics"):
        build_vendor_report(build_sample(), "Nobody Ltd")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rent, USD 410k; wait", "rent, [amount]; wait"),
        ("€1.200,50 a month", "[amount] a month"),
        ("4,500 EUR or 3 m GBP", "[amount] or [amount]"),
        ("64 GPUs at 400 GB/s, rack R15", "64 GPUs at 400 GB/s, rack R15"),
        ("2 MW by 4 Nov", "2 MW by 4 Nov"),
    ],
)
def test_amounts_inside_sentences(text, shown):
    assert hidden(build_sample(), ("money",)).text(text) == shown


def test_hiding_takes_no_row_of_a_figure_away():
    hide = ("persons", "money")
    seen = build_issue(build_sample(), Standing(audiences=Audiences(leadership=hide, working=hide))).executive
    plain = build_issue(build_sample()).executive
    assert [line.schedulable for line in seen.how_much.classes] == [line.schedulable for line in plain.how_much.classes]
    assert [line.id for line in seen.decisions.lines] == [line.id for line in plain.decisions.lines]
