"""Kernels of another package that are kept on disk: until a file changes from which they took something in."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNEL = """from made.sizes import SIZE
from turnup.schedule.compiled import kernel

@kernel()
def sized(value):
    return SIZE * value

print(sized(3))
"""


def told(folder: Path, size: int) -> str:
    """Return what a kernel of package ``made`` says in a process of its own, its neighbour rewritten before."""
    (folder / "made" / "sizes.py").write_text(f"SIZE = {size}\n", encoding="utf-8")
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": f"{folder}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    done = subprocess.run(
        (sys.executable, "-c", "import made.kernels"), env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_kernels_of_another_package_are_compiled_again_when_one_of_its_files_changes(tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "made" / "kernels.py").write_text(KERNEL, encoding="utf-8")
    assert [told(tmp_path, size) for size in (1, 2)] == ["3", "6"]
