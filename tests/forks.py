"""Processes that begin with the bot's modules loaded: loading them takes longer than most that is done then.

One process loads them, once, and is forked for each that a test starts.
"""

from __future__ import annotations

import asyncio
import atexit
import faulthandler
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
LOADED = ("host.start", "host.operate", "host.practice")
"""The modules that are loaded once, with all that they load."""
ORDER = b"."
FILES = 5
"""The files of an order: what to run, its input, output and errors, and a pipe for its exit code."""


class Forker:
    """The process that is forked, and a line to it."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forks", str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()

    def fork(self, program: str, env: Mapping[str, str], output: int, errors: int) -> tuple[int, int]:
        """Fork for a program. Return its number and its exit code's pipe."""
        told, telling = os.pipe()
        with tempfile.TemporaryFile() as order, open(os.devnull, "rb") as nothing:
            order.write(json.dumps([program, dict(env)]).encode())
            order.flush()
            socket.send_fds(self._line, [ORDER], [order.fileno(), nothing.fileno(), output, errors, telling])
            pid = int(self._line.recv(20))
        os.close(telling)
        return pid, told

    def close(self) -> None:
        self._line.close()
        self._process.wait()


@cache
def forker() -> Forker:
    started = Forker()
    atexit.register(started.close)
    return started


def run_forked(program: str, env: Mapping[str, str], timeout: float = 60) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        pid, told = forker().fork(program, env, output.fileno(), errors.fileno())
        try:
            if not select.select([told], [], [], timeout)[0]:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(program, timeout)
            code = int(os.read(told, 20))
        finally:
            os.close(told)
        return subprocess.CompletedProcess(program, code, _text(output), _text(errors))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


class ForkedProcess:
    """A fork that runs beside the test, with what `asyncio.subprocess.Process` has."""

    def __init__(self, pid: int, told: asyncio.StreamReader) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdout, self.stderr = asyncio.StreamReader(), asyncio.StreamReader()
        self._transports: list[asyncio.BaseTransport] = []
        self._ending = asyncio.create_task(self._end(told))

    @classmethod
    async def start(cls, program: str, env: Mapping[str, str]) -> ForkedProcess:
        """Start a program; it leads a session of its own."""
        (out, output), (err, errors) = os.pipe(), os.pipe()
        pid, told = forker().fork(program, env, output, errors)
        os.close(output)
        os.close(errors)
        end = asyncio.StreamReader()
        forked = cls(pid, end)
        for reader, file in ((forked.stdout, out), (forked.stderr, err), (end, told)):
            forked._transports.append(await _connect(reader, file))
        return forked

    async def _end(self, told: asyncio.StreamReader) -> int:
        self.returncode = int(await told.read())
        return self.returncode

    async def wait(self) -> int:
        return await asyncio.shield(self._ending)

    async def communicate(self) -> tuple[bytes, bytes]:
        out, err = await asyncio.gather(self.stdout.read(), self.stderr.read())
        await self.wait()
        return out, err

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        for transport in self._transports:
            transport.close()


async def _connect(reader: asyncio.StreamReader, file: int) -> asyncio.BaseTransport:
    def protocol() -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(reader)

    transport, _ = await asyncio.get_running_loop().connect_read_pipe(protocol, os.fdopen(file, "rb", 0))
    return transport


def serve(line: socket.socket) -> str | None:
    """Fork for each order until the line is closed.

    Return None then, and in a fork the program that it shall run.
    """
    ends: dict[int, int] = {}
    waking, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken)
    while True:
        ready, _, _ = select.select([line.fileno(), waking], [], [])
        if waking in ready:
            os.read(waking, 1000)
            _tell_ends(ends)
        if line.fileno() in ready:
            said, files, _, _ = socket.recv_fds(line, len(ORDER), FILES)
            if not said:
                return None
            pid = os.fork()
            if not pid:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for file in (waking, woken, line.detach(), *ends.values()):
                    os.close(file)
                return _become(files)
            ends[pid] = files.pop()
            for file in files:
                os.close(file)
            line.sendall(str(pid).encode())


def _tell_ends(ends: dict[int, int]) -> None:
    """Tell of each fork that has ended what its exit code is."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            file = ends.pop(ended[0])
            with suppress(BrokenPipeError):
                os.write(file, str(os.waitstatus_to_exitcode(ended[1])).encode())
            os.close(file)


def _become(files: list[int]) -> str:
    """Take on the files and surroundings of an order. Return its program."""
    order, *standard, telling = files
    os.close(telling)
    os.setsid()
    for number, file in enumerate(standard):
        os.dup2(file, number)
        os.close(file)
    with os.fdopen(order, "rb") as written:
        written.seek(0)
        program, environment = json.load(written)
    os.environ.clear()
    os.environ.update(environment)
    if environment.get("PYTHONFAULTHANDLER"):
        faulthandler.enable()
    return str(program)


def main() -> None:
    for name in LOADED:
        __import__(name)
    gc.collect()
    gc.freeze()
    program = serve(socket.socket(fileno=int(sys.argv[1])))
    if program is not None:
        sys.argv = ["-c"]
        sys.modules["__main__"] = shown = ModuleType("__main__")
        exec(compile(program, "<string>", "exec"), vars(shown))  # noqa: S102  a test wrote it


if __name__ == "__main__":
    main()
