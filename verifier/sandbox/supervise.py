"""One started process under watch: its pipes read without deadlock, its limits kept, its whole tree ended.

Time is the supervisor's own monotonic clock. What the process says about itself decides nothing here.
"""

import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from verifier.core.errors import PlatformFault
from verifier.core.process import Command, LimitHit, Outcome
from verifier.sandbox import tree
from verifier.sandbox.cgroup import Group

_CHUNK: Final = 65_536
_LOOK_SECONDS: Final = 0.1
_GONE_SECONDS: Final = 30.0  # in which a busy kernel takes away what was killed
_EOF_SECONDS: Final = 0.2  # an ended tree closes its streams long before
_FLOOD: Final = 8  # a stream may say this many times the cap before the process is ended; the middle is dropped


class Capture:
    """The head and the tail of a stream, `cap` bytes together, and how much it said in all."""

    def __init__(self, cap: int) -> None:
        self._most_head = cap // 2
        self._most_tail = cap - cap // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, data: bytes | bytearray) -> None:
        """Take what was read."""
        self.total += len(data)
        room = self._most_head - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._most_tail:
            del self._tail[: len(self._tail) - self._most_tail]

    def kept(self) -> bytes:
        """What is kept, with a line in place of the middle that was dropped."""
        tail = self._tail[max(0, len(self._tail) - self._most_tail) :]
        dropped = self.total - len(self._head) - len(tail)
        gap = b"" if dropped == 0 else b"\n[%d bytes left out]\n" % dropped
        return bytes(self._head) + gap + bytes(tail)


class Supervised:
    """A started process tree. `keep_tree` is for tests that show what happens when only the parent is ended."""

    def __init__(
        self,
        argv: Sequence[str],
        command: Command,
        *,
        fds: Sequence[int],
        group: Group | None,
        env: dict[str, str],
        watch_memory: bool,
        keep_tree: bool,
    ) -> None:
        self.command = command
        self.limit: LimitHit | None = None
        self._group = group
        self._watch_memory = watch_memory
        self._keep_tree = keep_tree
        self._peak = 0
        self._cpu = 0
        self._seen: set[int] = set()
        self._next_look = 0.0
        self._outcome: Outcome | None = None
        self.started = time.monotonic()
        self._process = subprocess.Popen(
            argv,
            env=env,
            cwd="/",
            pass_fds=fds,
            start_new_session=True,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._pidfd = os.pidfd_open(self._process.pid)
        self._selector = selectors.DefaultSelector()
        self.streams: dict[str, Capture] = {}
        for name, pipe in (("stdout", self._process.stdout), ("stderr", self._process.stderr)):
            self._register(pipe, selectors.EVENT_READ, name)
            self.streams[name] = Capture(command.output_bytes)
        self._to_send = b""

    def _register(self, pipe: IO[bytes] | None, events: int, name: str) -> None:
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        self._selector.register(pipe, events, name)

    def send(self, data: bytes) -> None:
        """Queue bytes for the process; they leave while its answers are read."""
        if data and not self._to_send and self._process.stdin is not None and not self._process.stdin.closed:
            self._register(self._process.stdin, selectors.EVENT_WRITE, "stdin")
        self._to_send += data

    def end_of_input(self) -> None:
        """Close the process's input once everything queued has left."""
        if not self._to_send and self._process.stdin is not None:
            self._process.stdin.close()

    def step(self, deadline: float) -> dict[str, bytes] | None:
        """Move bytes once. New output by stream (perhaps none); None once both streams have ended.

        Sets `limit` and ends the tree when a limit is passed.
        """
        if not any(key.data != "stdin" for key in self._selector.get_map().values()):
            return None
        now = time.monotonic()
        self._look(now, deadline)
        news: dict[str, bytes] = {}
        ready = self._selector.select(max(0.0, min(_LOOK_SECONDS, deadline - now)))
        if not ready and self._ended(0.0):
            return None  # whoever still holds the streams was left behind by a killed parent and says nothing
        for key, _ in ready:
            if key.data == "stdin":
                self._write(key.fileobj)  # type: ignore[arg-type]
                continue
            data = b""
            with suppress(OSError):
                data = os.read(key.fd, _CHUNK)
            if not data:
                self._selector.unregister(key.fileobj)
                continue
            self.streams[key.data].add(data)
            news[key.data] = data
        return news

    def drain(self) -> dict[str, bytes]:
        """What both streams hold right now, without waiting: the other stream may have been written before."""
        news: dict[str, bytes] = {}
        for key, _ in self._selector.select(0):
            if key.data != "stdin":
                with suppress(OSError):
                    news[key.data] = os.read(key.fd, 16 * _CHUNK)
        return news

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            self._to_send = self._to_send[os.write(pipe.fileno(), self._to_send[:_CHUNK]) :]
        except OSError:
            self._to_send = b""
        if not self._to_send:
            self._selector.unregister(pipe)

    def _look(self, now: float, deadline: float) -> None:
        if self.limit is not None:
            return
        if now >= deadline:
            self.stop(LimitHit.WALL)
        elif any(stream.total > _FLOOD * self.command.output_bytes for stream in self.streams.values()):
            self.stop(LimitHit.OUTPUT)
        elif now >= self._next_look:
            self._next_look = now + _LOOK_SECONDS
            self._sample()
            if self._watch_memory and self._peak > self.command.memory_bytes:
                self.stop(LimitHit.MEMORY)

    def _sample(self) -> None:
        self._seen.update(tree.pids(self._process.pid))
        self._peak = max(self._peak, tree.memory_bytes(self._process.pid))
        self._cpu = max(self._cpu, tree.cpu_ms(self._process.pid))

    def cpu_ms(self) -> int:
        """CPU time of the tree so far, in milliseconds."""
        self._cpu = max(self._cpu, tree.cpu_ms(self._process.pid))
        return self._cpu

    def stop(self, limit: LimitHit | None) -> None:
        """End the tree now; `limit` says why, None when nothing was passed."""
        self.limit = self.limit or limit
        self._sample()
        if not self._keep_tree:
            self._end_session()
        members = set() if self._group is None or self._keep_tree else set(self._group.members())
        for pid in (self._process.pid, *members):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def finish(self) -> Outcome:
        """Reap the process, make sure that nothing of it is left, and say how it ended. Safe to call twice."""
        if self._outcome is not None:
            return self._outcome
        if not self._ended(0.0):
            self._sample()
        code = self._wait()
        if not self._keep_tree:
            self._end_left_behind()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        if not self._keep_tree:
            self._make_sure()
        limit = self.limit or self._limit_of(code)
        if self._group is not None:
            self._group.remove()
        self._outcome = Outcome(
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            limit=limit,
            stdout=self.streams["stdout"].kept(),
            stderr=self.streams["stderr"].kept(),
            wall_ms=round((time.monotonic() - self.started) * 1000),
            cpu_ms=self._cpu,
            peak_bytes=self._peak,
        )
        return self._outcome

    def _ended(self, seconds: float) -> bool:
        """Whether the process ends within this time; it is not reaped, so that its number stays its own."""
        return self._readable(self._pidfd, seconds)

    def _wait(self) -> int:
        if not self._ended(2.0):
            self.stop(None)
        elif not self._keep_tree:
            self._end_session()
        os.close(self._pidfd)
        try:
            return self._process.wait(timeout=10.0)
        except subprocess.TimeoutExpired:
            message = "An ended session does not go away within 10 s; the host may be stuck on a disk."
            raise PlatformFault(f"{message} The worker must be restarted.") from None

    def _end_session(self) -> None:
        """Kill what bubblewrap had forked, but not yet tied to its own life, when it was itself killed."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _end_left_behind(self) -> None:
        """The same for what has left that session since: whoever still holds a stream of an ended process."""
        until = time.monotonic() + _EOF_SECONDS
        for key in [key for key in self._selector.get_map().values() if key.data != "stdin"]:
            while time.monotonic() < until and self._readable(key.fd, until - time.monotonic()):
                with suppress(OSError):
                    if not os.read(key.fd, _CHUNK):
                        break
            else:
                for pid in tree.holders(Path(f"/proc/self/fd/{key.fd}").readlink()):
                    self._seen.add(pid)
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)

    def _readable(self, descriptor: int, seconds: float) -> bool:
        watch = select.poll()
        watch.register(descriptor, select.POLLIN)
        return bool(watch.poll(max(0.0, seconds) * 1000))

    def _make_sure(self) -> None:
        members = [] if self._group is None else self._group.members()
        until = time.monotonic() + _GONE_SECONDS
        while time.monotonic() < until:
            left = [pid for pid in {*self._seen, *members} - {self._process.pid} if tree.alive(pid)]
            if not left and (self._group is None or not self._group.members()):
                return
            for pid in self._group.members() if self._group is not None else left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        raise PlatformFault(f"Processes of an ended session are still there: {left}. The worker must be restarted.")

    def _limit_of(self, code: int) -> LimitHit | None:
        """A limit that the kernel kept by itself; bubblewrap passes a child's signal on as 128 + signal."""
        number = -code if code < 0 else code - 128
        if self._group is not None and self._group.memory_hit():
            return LimitHit.MEMORY
        if number in {signal.SIGXCPU, signal.SIGKILL} and self._cpu >= 950 * self.command.cpu_seconds:
            return LimitHit.CPU
        if number == signal.SIGXFSZ:
            return LimitHit.DISK
        if self._group is not None and code != 0 and self._group.pids_hit():
            return LimitHit.PROCESSES
        return None
