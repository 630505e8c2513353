"""nvidia-smi: the same figures from XML, text and CSV and from any driver; what is unknown stays unknown."""

from __future__ import annotations

import pytest

from expectations.contract import load_contracts
from turnup.formats import FileRejected

CONTRACTS = load_contracts()
GPU = """<gpu id="00000000:{bus}:00.0"><product_name>NVIDIA H100</product_name><serial>{serial}</serial>
<uuid>GPU-{bus}</uuid><minor_number>{minor}</minor_number><vbios_version>96.00</vbios_version>
<fb_memory_usage><total>81559 MiB</total><used>0 MiB</used></fb_memory_usage>
<utilization><gpu_util>7 %</gpu_util><memory_util>{memory}</memory_util></utilization>
<ecc_errors><volatile><sram_uncorrectable>{ecc}</sram_uncorrectable><dram_uncorrectable>0</dram_uncorrectable></volatile>
<aggregate><dram_uncorrectable>9</dram_uncorrectable></aggregate></ecc_errors>
<remapped_rows><remapped_row_corr>0</remapped_row_corr><remapped_row_unc>{remapped}</remapped_row_unc>
<remapped_row_pending>No</remapped_row_pending><remapped_row_failure>{failure}</remapped_row_failure></remapped_rows>
<temperature><gpu_temp>{temperature}</gpu_temp></temperature>
{power}<mig_devices><mig_device><fb_memory_usage><total>1 MiB</total></fb_memory_usage></mig_device></mig_devices>
</gpu>"""
OLD_POWER = "<power_readings><power_draw>67.03 W</power_draw></power_readings>"
NEW_POWER = "<gpu_power_readings><power_draw>67.03 W</power_draw></gpu_power_readings>"


def xml(*gpus: str, attached: int | None = None, doctype: str = '<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi.dtd">') -> str:
    count = len(gpus) if attached is None else attached
    return (
        f'<?xml version="1.0" ?>\n{doctype}\n<nvidia_smi_log>\n<timestamp>Fri Aug  4 11:44:30 2023</timestamp>\n'
        f"<driver_version>535.54.03</driver_version>\n<cuda_version>12.2</cuda_version>\n"
        f"<attached_gpus>{count}</attached_gpus>\n" + "\n".join(gpus) + "\n</nvidia_smi_log>\n"
    )


def gpu(bus="01", serial="S1", minor="0", memory="N/A", ecc="0", remapped="0", failure="No", temperature="27 C",
        power=NEW_POWER) -> str:  # fmt: skip
    return GPU.format(bus=bus, serial=serial, minor=minor, memory=memory, ecc=ecc, remapped=remapped, failure=failure,
                      temperature=temperature, power=power)  # fmt: skip


def read_report(read, text, dataset, name="gpu001.nvidia-smi.xml", **settings):
    table = read(text, contract=CONTRACTS[dataset], name=name, format="auto", **settings)
    assert table.ledger.balanced
    assert table.frame.height == table.ledger.data
    return table


def counters(table, at=None) -> dict[str, str]:
    frame = table.frame if at is None else table.frame.filter(table.frame["observed_at"] == at)
    return dict(frame.select("counter", "value").rows())


def test_gpus_are_assets_of_their_host(read):
    table = read_report(read, xml(gpu(), gpu("02", "N/A", "1")), "installs")
    columns = ("asset_id", "manufacturer", "part_number", "serial", "parent_asset", "position", "status")
    assert table.frame.select(columns).rows() == [
        ("gpu001/GPU 00000000:01:00.0", "NVIDIA", "NVIDIA H100", "S1", "gpu001", "00000000:01:00.0", "active"),
        ("gpu001/GPU 00000000:02:00.0", "NVIDIA", "NVIDIA H100", None, "gpu001", "00000000:02:00.0", "active"),
    ]
    assert [finding.code for finding in table.findings] == ["serial_not_captured"]


def test_b12_a_renamed_power_tag_gives_one_metric(read):
    old = counters(read_report(read, xml(gpu(power=OLD_POWER)), "utilization"))
    new = counters(read_report(read, xml(gpu(power=NEW_POWER)), "utilization"))
    both = counters(read_report(read, xml(gpu(power=OLD_POWER.replace("67.03 W", "[N/A]") + NEW_POWER)), "utilization"))
    assert old == new == both
    assert old["power_w"] == "67.03"
    # Newer drivers name the statistic.
    average = NEW_POWER.replace("power_draw", "average_power_draw")
    assert counters(read_report(read, xml(gpu(power=average)), "utilization"))["power_w"] == "67.03"


def test_b12_unknown_is_not_zero_and_an_unknown_error_is_a_fault(read):
    text = xml(gpu(memory="[Not Supported]", temperature="[Unknown Error]"))
    found = counters(read_report(read, text, "utilization"))
    assert found["gpu_utilization_percent"] == "7"
    assert found["memory_used_mib"] == "0"  # a measured zero stays
    assert not {"memory_utilization_percent", "temperature_c"} & found.keys()
    faults = read_report(read, text, "failures")
    assert faults.frame.select("failure_id", "node", "serial", "kind", "opened").rows() == [
        ("gpu001/S1/unknown error", "gpu001", "S1", "unknown error", "2023-08-04")
    ]
    assert {finding.code for finding in faults.findings} == {"value_unreadable"}
    assert {fact.name: fact.value for fact in faults.facts}["counters_unknown"] == 1


def test_the_number_of_gpus_must_be_the_number_attached(read):
    table = read_report(read, xml(gpu(), attached=4), "installs")
    assert [(finding.code, finding.severity, finding.value) for finding in table.findings] == [
        ("count_mismatch", "error", "4")
    ]


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, []),
        ({"ecc": "N/A"}, []),
        ({"ecc": "3"}, ["ECC uncorrectable"]),
        ({"remapped": "2"}, ["row remap"]),
        ({"remapped": "600", "failure": "Yes"}, ["row remap failure"]),
        ({"remapped": "[N/A]", "failure": "[N/A]"}, []),
    ],
)
def test_a9_faults_are_those_that_the_report_shows(read, changes, kinds):
    assert read_report(read, xml(gpu(**changes)), "failures").frame["kind"].to_list() == kinds


def test_versions_come_from_the_report(read):
    table = read_report(read, xml(gpu()), "versions")
    assert table.frame.select("node", "component", "version", "observed_at").rows() == [
        ("gpu001", "nvidia-driver", "535.54.03", "2023-08-04T11:44:30"),
        ("gpu001", "cuda", "12.2", "2023-08-04T11:44:30"),
        ("gpu001", "vbios 00000000:01:00.0", "96.00", "2023-08-04T11:44:30"),
    ]


def test_entities_and_cut_documents_are_refused(read):
    bomb = xml(gpu(), doctype='<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>')
    with pytest.raises(FileRejected, match="defines entities"):
        read_report(read, bomb, "installs")
    outside = xml(gpu("&a;"), doctype='<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>')
    with pytest.raises(FileRejected, match="defines entities"):
        read_report(read, outside, "installs")
    with pytest.raises(FileRejected, match="not whole XML") as refused:
        read_report(read, xml(gpu())[:-40], "installs")
    assert refused.value.row is not None


TEXT = """
==============NVSMI LOG==============

Timestamp                                 : Thu Mar 14 20:46:07 2024
Driver Version                            : 535.86.10
CUDA Version                              : 12.2

Attached GPUs                             : 1
GPU 00000000:01:00.0
    Product Name                          : NVIDIA H100
    Serial Number                         : S1
    GPU UUID                              : GPU-01
    Minor Number                          : 0
    MIG Mode
        Current                           : Disabled
    FB Memory Usage
        Total                             : 81559 MiB
        Used                              : 0 MiB
    Utilization
        Gpu                               : 7 %
        Memory                            : N/A
    ECC Errors
        Volatile
            SRAM Uncorrectable            : 2
    Retired Pages
        Single Bit ECC                    : 60
        Double Bit ECC                    : 0
        Pending Page Blacklist            : No
    Temperature
        GPU Current Temp                  : 27 C
    GPU Power Readings
        Power Draw                        : 67.03 W
    Processes                             : None
"""


def test_the_text_gives_the_figures_of_the_xml(read):
    text = counters(read_report(read, TEXT, "utilization", "gpu001_nvidia-smi.txt"))
    assert text == counters(read_report(read, xml(gpu()), "utilization"))
    installs = read_report(read, TEXT, "installs", "gpu001_nvidia-smi.txt")
    assert installs.frame.select("serial", "part_number", "position").rows() == [
        ("S1", "NVIDIA H100", "00000000:01:00.0")
    ]
    faults = read_report(read, TEXT, "failures", "gpu001_nvidia-smi.txt").frame
    assert faults["kind"].to_list() == ["page retirement", "ECC uncorrectable"]
    assert set(faults["opened"]) == {"2024-03-14"}


CSV = """timestamp, name, pci.bus_id, driver_version, serial, temperature.gpu, utilization.gpu [%], utilization.memory [%],\
 memory.total [MiB], memory.used [MiB], power.draw [W], index
2024/03/14 20:46:07.123, NVIDIA H100, 00000000:01:00.0, 535.54.03, S1, 27, 7 %, [N/A], 81559 MiB, 0 MiB, 67.03 W, 0
2024/03/14 20:46:17.123, NVIDIA H100, 00000000:01:00.0, 535.54.03, S1, 28, 8 %, [Not Supported], 81559 MiB, 0 MiB, 70 W, 0
"""  # noqa: E501


def test_a_csv_query_gives_a_sample_a_row_and_each_gpu_once(read):
    table = read_report(read, CSV, "utilization", "nvidia-smi_gpu001.csv")
    assert counters(table, "2024-03-14T20:46:07.123") == counters(read_report(read, xml(gpu()), "utilization"))
    assert table.frame.height == 10
    assert read_report(read, CSV, "installs", "nvidia-smi_gpu001.csv").frame.height == 1
    nounits = CSV.replace(" %,", ",").replace(" MiB,", ",").replace(" W,", ",")
    again = read_report(read, nounits, "utilization", "nvidia-smi_gpu001.csv")
    assert again.frame["value"].to_list() == table.frame["value"].to_list()
    assert read_report(read, CSV, "versions", "nvidia-smi_gpu001.csv").frame["component"].to_list() == ["nvidia-driver"]


def test_values_in_another_unit_are_refused_and_cut_rows_refuse_the_file(read):
    table = read_report(read, CSV.replace("0 MiB", "0 GiB"), "utilization", "nvidia-smi_gpu001.csv")
    assert [(row.rule, row.value) for row in table.rejected] == [("unit", "0 GiB")] * 2
    with pytest.raises(FileRejected, match="row 3 has 2 fields"):
        read_report(read, "\n".join([*CSV.split("\n")[:2], "2024/03/14, NVIDIA"]), "utilization")
