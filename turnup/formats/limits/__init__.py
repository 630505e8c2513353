"""Files that say what hardware should achieve: they feed no dataset, ``turnup baseline import`` takes them over."""

from turnup.formats.limits import azure_nhc, machine_manifest, superbench_rules
from turnup.formats.limits.described import refuse
from turnup.formats.model import Format
from turnup.formats.profiles import Profile

FORMATS: tuple[Format, ...] = (
    Format("azure-nhc", azure_nhc.is_conf, refuse, look=azure_nhc.look_at_conf),
    Format("azure-nhc-table", azure_nhc.is_table, refuse, look=azure_nhc.look_at_table),
    Format("superbench-rules", superbench_rules.is_rules, refuse, look=superbench_rules.look_at_rules),
    Format("superbench-baseline", superbench_rules.is_baseline, refuse, look=superbench_rules.look_at_baseline),
    Format("superbench-diagnosis", superbench_rules.is_diagnosis, refuse, look=superbench_rules.look_at_diagnosis),
    Format("machine-manifest", machine_manifest.is_manifest, refuse, look=machine_manifest.look_at_manifest),
)
PROFILES: tuple[Profile, ...] = ()
