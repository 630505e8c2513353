"""The command line's contract for people and machines."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from turnup.programme import Home

ROOT = Path(__file__).parents[2]


def turnup(*arguments, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "pipelines", *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def document(*arguments, code=0):
    return json.loads(turnup(*arguments, "--json", code=code).stdout)


def test_init_makes_a_programme_that_loads(tmp_path):
    made = document("init", tmp_path / "aurora")
    assert Path(made["configuration"]).exists()
    assert sorted(file.name for file in (tmp_path / "aurora").iterdir()) == [
        "dagster", "inbox", "out", "playbooks", "programme.yaml", "store",
    ]  # fmt: skip
    assert (tmp_path / "aurora" / "playbooks" / "gpu_cluster.yaml").exists()
    again = document("init", tmp_path / "aurora", code=2)
    assert "exists already" in again["error"]["message"]


def test_a_configuration_error_is_exit_two_and_names_the_line(tmp_path):
    (tmp_path / "programme.yaml").write_text("name: x\ntime_zone: Mars\n")
    done = turnup("status", "--home", tmp_path, code=2)
    assert "programme.yaml, line 2, key 'time_zone'" in done.stderr
    assert done.stdout == ""
    assert document("status", "--home", tmp_path, code=2)["error"]["kind"] == "configuration"


@pytest.mark.parametrize(
    "arguments", [("status", "--no-such-option"), ("no-such-command",), ("refresh", "--week", "x")]
)
def test_wrong_usage_is_exit_two(arguments, tmp_path):
    turnup(*arguments, code=2)


def test_inspect_says_what_a_file_is(tmp_path):
    file = tmp_path / "BOM[1].csv"
    file.write_text("Vendor release,,\nSystem,MPN,Qty\nGPU-1,920-9B210,4\nGPU-1,,2\n# checked,,\n")
    found = document("inspect", file)
    assert found["file"] == "BOM[1].csv"
    assert len(found["sha256"]) == 64
    assert found["format"] == "csv"
    assert found["dataset"] == "bom"
    assert {"lines": 5, "data": 2, "comment": 1, "header": 1, "title": 1}.items() <= found["rows"].items()
    assert {column["name"]: column["maps_to"] for column in found["columns"]} == {
        "System": "system_id", "MPN": "part_number", "Qty": "quantity",
    }  # fmt: skip


def test_the_source_that_inspect_proposes_can_be_pasted(tmp_path):
    file = tmp_path / "Fjord BOM revB.csv"
    file.write_text("Vendor release,,,\n#,System,MPN,Qty,Lead time: weeks\n1,GPU-1,0012,4,9\n")
    shown = turnup("inspect", file).stdout
    pasted = yaml.safe_load(shown[shown.index("  fjord-bom-revb:") :])
    assert pasted == {"fjord-bom-revb": document("inspect", file)["source"]}
    made = Home(tmp_path / "aurora")
    document("init", made.root)
    text = made.configuration.read_text()
    made.configuration.write_text(text.replace("sources: {}", yaml.safe_dump({"sources": pasted})))
    assert made.load().sources["fjord-bom-revb"].dataset == "bom"


def test_inspect_saves_the_source_it_proposes(tmp_path):
    file = tmp_path / "fjord_bom_2026-08-14.csv"
    file.write_text("#,System,MPN,Qty\n1,GPU-1,0012,4\n")
    made = Home(tmp_path / "aurora")
    document("init", made.root)
    saved = document("inspect", file, "--write", "--home", made.root)
    assert saved["written_to"] == str(made.configuration)
    source = made.load().sources["fjord-bom"]
    assert (source.dataset, source.files) == ("bom", "fjord_bom_*.csv")
    again = document("inspect", file, "--write", "--home", made.root, code=2)
    assert "'fjord-bom' exists already" in again["error"]["message"]
    document("inspect", file, "--write", "--name", "fjord-2", "--home", made.root)
    assert set(made.load().sources) == {"fjord-bom", "fjord-2"}


def test_inspect_says_which_source_takes_the_file_already(tmp_path):
    file = tmp_path / "fjord_bom_2026-08-14.csv"
    file.write_text("#,System,MPN,Qty\n1,GPU-1,0012,4\n")
    made = Home(tmp_path / "aurora")
    document("init", made.root)
    text = made.configuration.read_text()
    taking = {"vendor": {"dataset": "bom", "files": "*bom*.csv", "owner": "Ana"}}
    made.configuration.write_text(text.replace("sources: {}", yaml.safe_dump({"sources": taking})))
    before = made.configuration.read_bytes()
    assert document("inspect", file, "--home", made.root)["taken_by"] == ["vendor"]
    refused = document("inspect", file, "--write", "--home", made.root, code=2)["error"]["message"]
    assert "a source for files of this name already (vendor)" in refused
    assert made.configuration.read_bytes() == before


def test_inspect_saves_no_source_that_cannot_be_read_unless_the_dataset_is_named(tmp_path):
    file = tmp_path / "parts.csv"
    file.write_text("Part Number,Antall,Quantity,Kommentar\nP-1,x,4,y\n")
    made = Home(tmp_path / "aurora")
    document("init", made.root)
    before = made.configuration.read_bytes()
    told = document("inspect", file, "--write", "--dataset", "bom", "--name", "parts", "--home", made.root, code=1)
    assert told["dataset"] == "bom"
    assert {item["column"] for item in told["findings"] if item["code"] == "missing_column"} == {"system_id"}
    source = made.load().sources["parts"]
    assert not {"Antall", "Kommentar"} & set(source.ignore)  # one of them may be what is missing
    made.configuration.write_bytes(before)
    told = document("inspect", file, "--write", "--home", made.root, code=2)
    assert "nothing saved" in told["error"]["message"]
    assert made.configuration.read_bytes() == before


def test_inspect_names_the_nearest_datasets_where_none_fits(tmp_path):
    file = tmp_path / "liste.csv"
    file.write_text("Teilenr,serial,Hylle,Etasje,Rom,Merke\nA,S1,1,2,3,x\nB,S2,1,2,3,y\n")
    [found] = [f for f in document("inspect", file, code=1)["findings"] if f["code"] == "unknown_dataset"]
    assert "--dataset" in found["message"]
    assert "nearest: " in found["message"]
    assert "missing: " in found["message"]


def test_inspect_of_a_folder_has_each_file_and_its_exit_code_is_that_of_the_worst(tmp_path):
    folder = tmp_path / "files"
    (folder / "week 40").mkdir(parents=True)
    good = "PO Number,Line,Part Number,Qty,Vendor,Status\n4500,10,GPU-8,4,Acme,open\n4500,20,NIC,8,Acme,open\n"
    (folder / "week 40" / "orders.csv").write_text(good)
    (folder / ".hidden.csv").write_text("a,b\n1,2\n")
    found = document("inspect", folder)
    assert [(item["file"], item["dataset"], item["rows"]["accepted"]) for item in found["files"]] == [
        ("week 40/orders.csv", "purchase_orders", 2)
    ]
    (folder / "empty.csv").write_text("")
    (folder / "link.csv").symlink_to(folder / "empty.csv")
    found = document("inspect", folder, code=1)
    assert [item["file"] for item in found["files"]] == ["empty.csv", "week 40/orders.csv"]
    assert [finding["code"] for finding in found["files"][0]["findings"]] == ["empty_file"]
    assert [item["path"] for item in found["not_looked_at"]] == ["link.csv"]
    told = turnup("inspect", folder, code=1).stdout
    [line] = [line for line in told.splitlines() if "orders.csv" in line]
    assert [cell.strip() for cell in line.split("│")][:4] == ["week 40/orders.csv", "csv", "purchase_orders", "2"]
    assert "link.csv was not looked at: it is a link" in told


def test_inspect_of_an_empty_folder_or_an_unknown_dataset_says_what_it_wants(tmp_path):
    assert "no file in it" in document("inspect", tmp_path, code=2)["error"]["message"]
    file = tmp_path / "a.csv"
    file.write_text("a,b\n1,2\n")
    told = document("inspect", file, "--dataset", "boms", code=2)["error"]["message"]
    assert "--dataset 'boms': no such dataset; there are " in told
    assert "bom, " in told


def test_inspect_of_a_missing_file_is_exit_two(tmp_path):
    assert "no such file" in document("inspect", tmp_path / "none.csv", code=2)["error"]["message"]


def test_status_lists_every_system(first_weeks):
    found = document("status", "--home", first_weeks.home.root)
    assert found["week"] == "2026-W35"
    assert len(found["systems"]) == 12
    assert all(item["system_id"] and item["contracted"] is not None for item in found["systems"])


def test_status_says_why_rows_were_refused(first_weeks):
    found = document("status", "--home", first_weeks.home.root)
    assert found["refused"]
    assert found["not_read"] == []
    shown = turnup("status", "--home", first_weeks.home.root).stdout
    assert all(item["what"] in shown for item in found["refused"])
    assert all(item["system_id"] in shown for item in found["systems"])


def test_explain_gives_definition_value_and_rows(first_weeks):
    systems = document("status", "--home", first_weeks.home.root)["systems"]
    system = next(item for item in systems if item["schedulable"])
    found = document("explain", "schedulable", system["system_id"], "--home", first_weeks.home.root)
    assert found["metric"] == "schedulable"
    assert found["value"] == system["schedulable"]
    assert found["definition"]
    assert found["rows"]
    assert all(row["file"] for row in found["rows"])
    shown = turnup("explain", "schedulable", system["system_id"], "--home", first_weeks.home.root).stdout
    assert "definition" in shown


def test_an_unknown_metric_is_exit_two_and_names_the_known_ones(first_weeks):
    message = document("explain", "readyness", "x", "--home", first_weeks.home.root, code=2)["error"]["message"]
    assert "schedulable" in message


def test_commands_that_do_not_refresh_import_no_orchestrator():
    script = (
        "import sys, pipelines.cli\n"
        "from pipelines.commands import status, explain, inspect, init\n"
        "heavy = {'dagster', 'great_expectations', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)
