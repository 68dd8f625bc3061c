"""`make audit` fails unless it has audited every requirement."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PINNED = "aiohttp==3.14.5 \\\n    --hash=sha256:0133\n"
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make isn't installed")


def audit(folder: Path, lock: str, auditor: str) -> subprocess.CompletedProcess[str]:
    """Run the target on a lock file, with a script in the auditor's place."""
    shutil.copyfile(ROOT / "Makefile", folder / "Makefile")
    (folder / "requirements.lock").write_text(lock)
    script = folder / ".venv" / "supply" / "bin" / "pip-audit"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!/bin/sh\n{auditor}\n")
    script.chmod(0o755)
    return subprocess.run(
        [shutil.which("make") or "make", "audit"], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("lock", ["", "# nothing\n", "    --hash=sha256:0133\n"])
def test_a_lock_file_without_requirements_fails(lock: str, tmp_path: Path) -> None:
    done = audit(tmp_path, lock, "exit 0")

    assert done.returncode
    assert "requirements.lock names nothing to audit" in done.stderr


def test_a_requirement_that_cannot_be_audited_fails(tmp_path: Path) -> None:
    done = audit(tmp_path, PINNED, 'case "$*" in *--strict*) exit 1;; esac')

    assert done.returncode


def test_an_audit_without_findings_succeeds(tmp_path: Path) -> None:
    assert audit(tmp_path, PINNED, "exit 0").returncode == 0
