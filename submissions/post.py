"""What a worker's processes know of themselves before any job: who they are, and that they die with their parent."""

import ctypes
import os
import signal
from dataclasses import dataclass

from verifier.core.process import Sandbox

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Post:
    """Who this process is and which sandbox it works in; set once by the worker command before RQ forks."""

    worker: str
    sandbox: Sandbox


_posts: list[Post] = []


def post_take(post: Post) -> None:
    """Say who this process and its children are."""
    _posts[:] = [post]


def post_taken() -> Post:
    """Who this process is."""
    return _posts[0]


def die_with_parent() -> None:
    """Have the kernel kill this process when the worker that forked it dies, however it dies."""
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent == 1 or os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
