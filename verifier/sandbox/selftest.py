"""Does every wall stand on this host? Probes that try to pass them, run behind them, told what is true outside.

A value of `holds` means that the probe was stopped; anything else says what got through. A worker refuses to judge
unless all values are `holds`.
"""

import os
import secrets
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.process import Command, LimitHit, Sandbox
from verifier.sandbox.walls import Wall

HOLDS: Final = "holds"
_PERL: Final = "/usr/bin/perl"
_MIB: Final = 2**20
_NETWORK: Final = """
use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0) or do { print "stopped"; exit 0 };
print connect($s, sockaddr_in($ARGV[0], inet_aton("127.0.0.1"))) ? "connected" : "stopped";
"""
_FILES: Final = """
my @seen = grep { -e $_ } @ARGV; opendir(my $d, "/"); my @top = grep { !/^\\.\\.?$/ } readdir $d;
my %known = map { $_ => 1 } qw(usr bin lib lib64 dev tmp box); push @seen, map { "/$_" } grep { !$known{$_} } @top;
print @seen ? "sees @seen" : "stopped";
"""
_ENVIRONMENT: Final = """
my $proc = ""; if (open(my $f, "<", "/proc/1/environ")) { local $/; $proc = <$f>; }
my @extra = grep { !/^(PROBE|PWD)$/ } sort keys %ENV;
print index($proc, "selen_secret") >= 0 ? "parent's environment in /proc" : @extra ? "has @extra" : "stopped";
"""
_WRITES: Final = """
my @through; my $block = "x" x 1048576;
for my $place ("/tmp/f", "/box/f") {
  my $n = 0; open(my $f, ">", $place) or next;
  while ($n < 48) { defined(syswrite($f, $block)) or last; $n++ } push @through, $place if $n >= 48;
}
for my $place ("/f", "/dev/f", "/usr/f") { push @through, $place if open(my $f, ">", $place); }
print @through ? "wrote @through" : "stopped";
"""
_MEMORY: Final = """
my @kept; for (1 .. 96) { push @kept, "x" x (4 * 1048576); select(undef, undef, undef, 0.01); } print "allocated";
"""
_PROCESSES: Final = """
my $n = 0; for (1 .. 40) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 3; exit 0 } $n++ }
print $n >= 40 ? "started $n" : "stopped";
"""
_TREE: Final = """
use POSIX; $SIG{TERM} = "IGNORE"; $| = 1;
if (!fork) { POSIX::setsid(); if (!fork) { $SIG{HUP} = "IGNORE"; close STDIN; close STDOUT; close STDERR;
    sleep 20; exit 0 }
  exit 0 }
sleep 20;
"""


def selftest(sandbox: Sandbox) -> dict[str, str]:
    """What became of every probe, by the name of the wall that should stop it."""
    if not os.access(_PERL, os.X_OK):
        raise PlatformFault(f"The sandbox's self-test needs {_PERL}. Install it with: sudo apt-get install perl-base")
    tests: dict[Wall, Callable[[Sandbox], str]] = {
        Wall.NETWORK: _network,
        Wall.FILES: _files,
        Wall.ENVIRONMENT: _environment,
        Wall.WRITES: lambda walls: _said(walls, _probe(_WRITES)),
        Wall.MEMORY: _memory,
        Wall.PROCESSES: lambda walls: _said(walls, _probe(_PROCESSES)),
        Wall.TREE: _tree,
    }
    return {str(wall): test(sandbox) for wall, test in tests.items()}


def _probe(script: str, *arguments: str) -> Command:
    return Command(
        argv=(_PERL, "-e", script, *arguments),
        readonly={"/usr": "/usr"},
        env={"PROBE": "1"},
        cwd="/tmp",  # noqa: S108
        wall_seconds=15.0,
        memory_bytes=192 * _MIB,
        address_space=256 * _MIB,
        scratch_bytes=16 * _MIB,
        file_bytes=64 * _MIB,
        processes=8,
    )


def _said(sandbox: Sandbox, command: Command) -> str:
    outcome = sandbox.run(command)
    answer = outcome.stdout.decode(errors="replace").strip()
    if answer == "stopped":
        return HOLDS
    detail = outcome.stderr.decode(errors="replace").strip()[:200]
    return answer or f"the probe did not run: exit {outcome.exit_code}, limit {outcome.limit}. {detail}".strip()


def _network(sandbox: Sandbox) -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        return _said(sandbox, _probe(_NETWORK, str(listener.getsockname()[1])))


def _files(sandbox: Sandbox) -> str:
    with tempfile.NamedTemporaryFile(dir="/var/tmp", prefix="selen-marker-") as marker:
        Path(marker.name).chmod(0o644)
        return _said(sandbox, _probe(_FILES, marker.name, "/etc/shadow", "/etc/passwd", "/root", "/home"))


def _environment(sandbox: Sandbox) -> str:
    os.environ["SELEN_SELF_TEST"] = "selen_secret"
    try:
        return _said(sandbox, replace(_probe(_ENVIRONMENT), needs_proc=True))
    finally:
        del os.environ["SELEN_SELF_TEST"]


def _memory(sandbox: Sandbox) -> str:
    plain = _probe(_MEMORY)
    for command in (plain, replace(plain, address_space=None)):  # once by address space, once by what watches the tree
        outcome = sandbox.run(command)
        if outcome.exit_code == 0 and b"allocated" in outcome.stdout:
            return "allocated twice the limit"
        if outcome.limit not in {None, LimitHit.MEMORY}:
            return f"the probe ended by the limit on {outcome.limit}"
    return HOLDS


def _tree(sandbox: Sandbox) -> str:
    mark = secrets.token_hex(8)
    try:
        outcome = sandbox.run(replace(_probe(_TREE, mark), wall_seconds=1.0))
    except PlatformFault as fault:
        return str(fault)
    time.sleep(0.1)
    left = _marked(mark)
    for pid in left:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    if outcome.limit is not LimitHit.WALL:
        return f"the probe did not run: exit {outcome.exit_code}. {outcome.stderr.decode(errors='replace')[:200]}"
    return HOLDS if not left else f"{len(left)} processes outlived their session"


def _marked(mark: str) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if mark.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
    return found
