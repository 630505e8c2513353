"""What schedulers say of their nodes: Kubernetes and Slurm, in the shapes in which their own tools print it."""

from turnup.formats.model import Format
from turnup.formats.profiles import Profile
from turnup.formats.scheduler.kubernetes import is_nodes, parse_nodes
from turnup.formats.scheduler.slurm_json import is_slurm_json, parse_slurm_json
from turnup.formats.scheduler.slurm_text import is_scontrol, parse_scontrol

FORMATS: tuple[Format, ...] = (
    Format("kubernetes_nodes", is_nodes, parse_nodes, feeds=("scheduler_nodes",), adds_up=True),
    Format("slurm_json", is_slurm_json, parse_slurm_json, feeds=("scheduler_nodes",), family="slurm", adds_up=True),
    Format("slurm_text", is_scontrol, parse_scontrol, feeds=("scheduler_nodes",), family="slurm", adds_up=True),
)
PROFILES: tuple[Profile, ...] = ()
