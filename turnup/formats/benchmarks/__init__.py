"""Logs and documents of acceptance tests. A format is one module and one line here."""

from turnup.formats.benchmarks.lines import is_debris, refuse_debris
from turnup.formats.benchmarks.nccl_json import is_nccl_json, parse_nccl_json
from turnup.formats.benchmarks.nccl_text import is_nccl_text, parse_nccl_text
from turnup.formats.model import Format
from turnup.formats.profiles import Profile

_BENCHMARKS = ("benchmarks",)

FORMATS: tuple[Format, ...] = (
    Format("debris", is_debris, refuse_debris, _BENCHMARKS),
    Format("nccl", is_nccl_text, parse_nccl_text, _BENCHMARKS, family="nccl"),
    Format("nccl-json", is_nccl_json, parse_nccl_json, _BENCHMARKS, family="nccl"),
)
PROFILES: tuple[Profile, ...] = ()
