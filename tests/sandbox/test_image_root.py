"""An image's file system as the sandbox's root brings its own libraries; the host's are not shown beside them."""

import shutil
from pathlib import Path

from verifier.core.process import Command
from verifier.sandbox.walls import inner


def shown(command: Command) -> set[str]:
    args = inner(command, data=(), seccomp_fd=3, without=frozenset())
    return {inside for kind, inside in zip(args, args[2:], strict=False) if kind == "--ro-bind"}


def test_a_program_in_an_image_gets_the_libraries_of_the_image_alone(tmp_path: Path) -> None:
    (tmp_path / "usr" / "bin").mkdir(parents=True)
    (tmp_path / "lib64").symlink_to("usr/lib64")
    program = shutil.copy("/bin/true", tmp_path / "usr" / "bin" / "prover")
    own = Command(("/usr/bin/prover",), readonly={str(program): "/opt/prover"}, root=tmp_path)
    assert shown(own) == {"/usr", "/opt/prover"}
    bare = Command(("/opt/prover",), readonly={str(program): "/opt/prover"})
    assert any("ld-linux" in path for path in shown(bare))
