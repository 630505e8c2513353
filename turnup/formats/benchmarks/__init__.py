"""Logs and documents of acceptance tests."""

from turnup.formats.benchmarks.nccl_json import is_nccl_json, parse_nccl_json
from turnup.formats.benchmarks.nccl_text import is_nccl_text, parse_nccl_text
from turnup.formats.model import Format
from turnup.formats.profiles import Profile

FORMATS: tuple[Format, ...] = (
    Format(
        "nccl",
        lambda content: is_nccl_text(content.data) and not content.looks_like_object,
        parse_nccl_text,
        feeds=("benchmarks",),
        family="nccl",
    ),
    Format(
        "nccl-json",
        lambda content: is_nccl_json(content.json),
        parse_nccl_json,
        feeds=("benchmarks",),
        family="nccl",
    ),
)
PROFILES: tuple[Profile, ...] = ()
