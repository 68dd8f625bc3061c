"""A PgBouncer of a test's own, in front of the tests' server."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from db.connection.opening import database_url

PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
SETTINGS = """
[databases]
* = host={host} port={server_port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
auth_type = trust
auth_file = {folder}/users.txt
pool_mode = {mode}
unix_socket_dir =
"""
PATIENCE = 10.0
"""Seconds that it may take to start."""


@contextmanager
def run_pooler(address: str, mode: str) -> Iterator[str]:
    """Run a pooler in that mode; yield the database's address through it.

    The pooler's other settings are the defaults.
    """
    assert PROGRAM is not None
    url = database_url(address)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # the pooler refuses to run as root
        host, server_port = url.query.get("host") or url.host, url.port or 5432
        text = SETTINGS.format(host=host, server_port=server_port, port=port, folder=folder, mode=mode)
        (folder / "pooler.ini").write_text(text)
        (folder / "users.txt").write_text(f'"{url.username}" ""\n')
        as_other = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        with subprocess.Popen(
            [*as_other, PROGRAM, "-q", str(folder / "pooler.ini")], stderr=subprocess.DEVNULL
        ) as pooler:
            try:
                _wait_for(port)
                through = url.difference_update_query(["host"]).set(host="127.0.0.1", port=port)
                yield through.render_as_string(hide_password=False)
            finally:
                pooler.terminate()


def _wait_for(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return
