"""The sandbox: bubblewrap, control groups where this host lets us, and a supervisor. Fails closed."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.process import Command, Outcome, Reply, Session, SessionDied
from verifier.sandbox import cgroup, ownership, seccomp, walls
from verifier.sandbox.supervise import Capture, Supervised
from verifier.sandbox.walls import Wall

_SPARE_TASKS: Final = 8  # bubblewrap's own processes and the threads that the kernel counts with them
_INSTALL: Final = "Install it with: sudo apt-get install bubblewrap"


class Bubblewrap:
    """Starts commands behind walls. Started as root it drops to `uid`, which no other worker slot may share."""

    def __init__(self, uid: int | None = None, *, without: frozenset[Wall] = frozenset()) -> None:
        if os.geteuid() == 0 and uid in {None, 0}:
            raise PlatformFault("As root the sandbox needs an unprivileged uid of its own; set SELEN_SANDBOX_UID.")
        self._uid = uid if os.geteuid() == 0 else None
        self._without = without

    def run(self, command: Command) -> Outcome:
        """Run to its end or a limit; raises PlatformFault when the walls cannot be put up."""
        with ownership.handed_over(command.writable, self._uid):
            return self._run(command)

    def _run(self, command: Command) -> Outcome:
        process = self._start(command)
        deadline = process.started + command.wall_seconds
        try:
            process.send(command.stdin)
            while process.step(deadline) is not None and process.limit is None:
                process.end_of_input()
        except BaseException:
            process.stop(None)
            process.finish()
            raise
        return _checked(process.finish())

    def open(self, command: Command) -> Session:
        """Start a dialogue; raises PlatformFault when the walls cannot be put up."""
        return Dialogue(self._start(command))

    def _start(self, command: Command) -> Supervised:
        bwrap = shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin")
        if bwrap is None:
            raise PlatformFault(f"bubblewrap (bwrap) is not installed. {_INSTALL}")
        for program in (walls.PRLIMIT, *((walls.SETPRIV,) if self._uid is not None else ())):
            if not os.access(program, os.X_OK):
                raise PlatformFault(f"{program} is missing. Install it with: sudo apt-get install util-linux")
        capped = not {Wall.MEMORY, Wall.PROCESSES} & self._without
        group = cgroup.make(command.memory_bytes, command.processes + _SPARE_TASKS) if capped else None
        try:
            with _descriptors(command, self._without) as (args_fd, fds):
                argv = walls.outer(
                    command, bwrap, args_fd, uid=self._uid, procs=group.procs if group else (), without=self._without
                )
                env = dict(os.environ) if Wall.ENVIRONMENT in self._without else {}
                return Supervised(
                    argv,
                    command,
                    fds=fds,
                    group=group,
                    env=env,
                    watch_memory=Wall.MEMORY not in self._without,
                    keep_tree=Wall.TREE in self._without,
                )
        except OSError as error:
            if group is not None:
                group.remove()
            raise PlatformFault(f"The sandbox could not be started: {error}.") from error


@contextmanager
def _descriptors(command: Command, without: frozenset[Wall]) -> Iterator[tuple[int, list[int]]]:
    """Descriptors that bubblewrap inherits: its arguments, the filter, one for each small file."""
    opened: list[int] = []

    def memory_file(data: bytes) -> int:
        descriptor = os.memfd_create("selen", 0)
        opened.append(descriptor)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    try:
        sockets = command.needs_proc or Wall.NETWORK in without
        filter_fd = memory_file(seccomp.filter_bytes(allow_sockets=sockets))
        data = [(memory_file(content), path) for path, content in command.files.items()]
        args = walls.inner(command, data=data, seccomp_fd=filter_fd, without=without)
        args_fd = memory_file(b"".join(arg.encode() + b"\0" for arg in args))
        yield args_fd, [args_fd, filter_fd, *(descriptor for descriptor, _ in data)]
    finally:
        for descriptor in opened:
            os.close(descriptor)


def _checked(outcome: Outcome) -> Outcome:
    """The outcome of a command that ran; PlatformFault when bubblewrap itself refused."""
    text = outcome.stderr.decode(errors="replace")
    if outcome.exit_code == walls.JOIN_FAILED:
        raise PlatformFault(f"The process could not join its control group: {text.strip()[:300]}")
    if outcome.exit_code == 0 or not text.startswith(("bwrap: ", "prlimit: ", "setpriv: ")):
        return outcome
    raise PlatformFault(f"The sandbox could not be put up: {text.strip()[:300]} {_hint(text)}".rstrip())


def _hint(text: str) -> str:
    """Which setting of the host to change, for refusals that are known."""
    if "user namespace" in text or "namespace failed" in text or "setting up uid map" in text:
        return (
            "This host forbids unprivileged user namespaces. With sysctl set kernel.unprivileged_userns_clone=1 on "
            "Debian, kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu; start a container with a seccomp "
            "profile that allows unshare and mount."
        )
    if "disable-userns" in text:
        return "bubblewrap 0.8 or newer is needed."
    if "No such file or directory" in text or "Permission denied" in text:
        return "Every path shown to the prover must be readable for the sandbox's own uid."
    return ""


class Dialogue:
    """A live process that answers requests, one at a time."""

    def __init__(self, process: Supervised) -> None:
        self._process = process

    def ask(self, request: bytes, until: bytes, wall_seconds: float) -> Reply:
        """Write `request`, read until `until` stands in either stream; SessionDied on death or limit."""
        started = time.monotonic()
        deadline = started + wall_seconds
        process = self._process
        said = {"stdout": bytearray(), "stderr": bytearray()}
        looked = dict.fromkeys(said, 0)
        process.send(request)
        cap = process.command.output_bytes
        for stream in process.streams.values():
            stream.total = 0
        while True:
            news = process.step(deadline)
            if news is None or process.limit is not None:
                process.stop(None)
                raise SessionDied(_checked(process.finish()))
            for name, data in news.items():
                said[name] += data
            for name in news:
                found = said[name].find(until, max(0, looked[name] - len(until)))
                looked[name] = len(said[name])
                if found >= 0:
                    for other, rest in process.drain().items():
                        said[other] += rest
                    wall_ms = round((time.monotonic() - started) * 1000)
                    return Reply(_kept(said["stdout"], cap), _kept(said["stderr"], cap), wall_ms)

    def cpu_ms(self) -> int:
        """CPU time of the whole tree so far, in milliseconds."""
        return self._process.cpu_ms()

    def close(self) -> Outcome:
        """Kill whatever is left and reap it; safe to call twice."""
        self._process.stop(None)
        return self._process.finish()


def _kept(data: bytearray, cap: int) -> bytes:
    """Head and tail of an answer; the tail is what carries the terminator."""
    capture = Capture(cap)
    capture.add(data)
    return capture.kept()
