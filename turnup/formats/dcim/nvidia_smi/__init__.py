"""nvidia-smi in its three forms (``-q -x``, ``-q``, ``--query-gpu`` as CSV): GPUs, versions, use and faults."""

from turnup.formats.dcim.nvidia_smi.rows import FEEDS, parse_nvidia_smi
from turnup.formats.dcim.nvidia_smi.variants import is_csv, is_text, is_xml
from turnup.formats.model import Format

FORMATS: tuple[Format, ...] = tuple(
    Format(name, claims, parse_nvidia_smi, feeds=FEEDS, family="nvidia_smi", adds_up=True)
    for name, claims in (("nvidia_smi_xml", is_xml), ("nvidia_smi_text", is_text), ("nvidia_smi_csv", is_csv))
)
