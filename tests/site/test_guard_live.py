"""Large bodies against the real web server, over a raw socket: refused while nothing of them reaches a disk."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.processes import ROOT, environment, manage

MEMBER = """
from importlib import import_module
from django.conf import settings
from submissions.models import User
user = User.objects.create_user("member@example.org")
store = import_module(settings.SESSION_ENGINE).SessionStore()
store.update({"_auth_user_id": user.pk, "_auth_user_backend": settings.AUTHENTICATION_BACKENDS[0]})
store["_auth_user_hash"] = user.get_session_auth_hash()
store.create()
print("session", store.session_key)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[tuple[int, Path, str]]:
    """Port, folder of temporary files, and the session of somebody who is logged in."""
    data = tmp_path_factory.mktemp("site")
    (data / "tmp").mkdir()
    env = {**environment(data), "TMPDIR": str(data / "tmp"), "SELEN_MODE": "development"}
    manage(env, "migrate", "--verbosity", "0")
    manage(env, "collectstatic", "--noinput", "--verbosity", "0")
    argv = [sys.executable, "manage.py", "shell", "-v", "0", "-c", MEMBER]
    told = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout
    argv = [str(Path(env["SELEN_BIN"]) / "gunicorn"), "selen_site.wsgi", "--bind", env["SELEN_BIND"], "--threads", "4"]
    web = subprocess.Popen([*argv, "--no-control-socket", "--log-level", "warning"], cwd=ROOT, env=env)
    try:
        port = int(env["SELEN_BIND"].rpartition(":")[2])
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port, data / "tmp", told.split()[-1]
    finally:
        web.terminate()
        web.wait(30)


def size_of(folder: Path) -> int:
    """Bytes in temporary files of the folder, also of those that have no name any more."""
    named = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    held = 0
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if str(folder) in str(link.readlink()):
                held += link.stat().st_size
        except OSError:
            continue
    return max(named, held)


def send(server: tuple[int, Path, str], head: str, chunk: bytes, times: int) -> tuple[str, int]:
    """The answer to a request that is sent until the server hangs up, and the most that lay on disk meanwhile."""
    port, folder, _ = server
    most = 0
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(f"{head}\r\nHost: 127.0.0.1\r\n\r\n".encode())
        try:
            for number in range(times):
                line.sendall(chunk)
                if number % 50 == 0:
                    most = max(most, size_of(folder))
        except OSError:
            pass
        answer = b""
        try:
            while b"</html>" not in answer and (part := line.recv(65536)):
                answer += part
        except OSError:
            pass
    return answer.decode(errors="replace"), max(most, size_of(folder))


POST = "POST {} HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n"


@pytest.mark.integration
@pytest.mark.parametrize("target", ["/accounts/login/", "/b/some-pack/submit/"])
def test_300_megabytes_from_nobody_are_refused_and_never_on_disk(server, target):
    answer, most = send(server, POST.format(target) + "Content-Length: 300000000", b"x" * 100_000, 3000)
    assert answer.startswith("HTTP/1.1 413 ")
    assert "300.0 MB; 1 MB are the limit here" in answer
    assert most == 0


@pytest.mark.integration
def test_300_megabytes_from_a_member_are_refused_with_a_page_and_never_on_disk(server):
    head = POST.format("/b/some-pack/submit/") + f"Cookie: sessionid={server[2]}\r\nContent-Length: 300000000"
    answer, most = send(server, head, b"x" * 100_000, 3000)
    assert answer.startswith("HTTP/1.1 413 ")
    assert "50 MB are the limit" in answer
    assert most == 0


@pytest.mark.integration
def test_a_body_in_chunks_is_refused_and_never_on_disk(server):
    chunk = b"186a0\r\n" + b"x" * 100_000 + b"\r\n"
    answer, most = send(server, POST.format("/accounts/login/") + "Transfer-Encoding: chunked", chunk, 1000)
    assert answer.startswith("HTTP/1.1 411 ")
    assert most == 0
