"""`make demo`: set the site up, send sample submissions through its forms, print the board, serve until Ctrl-C."""

import io
import json
import os
import signal
import sys
import time
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from demo_client import Visitor
from demo_shows import Show, best_show
from demo_site import ROOT, data_dir, manage, refusal, running, settings

sys.path.insert(0, str(ROOT))
from verifier.core.verdict import Confirmation, Verdict
from verifier.packs import load_pack

PASSWORD = "demo-of-selen"
CHECK_SECONDS = 1200
STILL_SECONDS = 20  # after this without a new verdict the workers are asked why
NARROWEST = 118  # characters that the board's table wants where no terminal says otherwise
console = Console(width=None if sys.stdout.isatty() else NARROWEST)


@dataclass(frozen=True)
class Sample:
    """One upload of the demo: what it answers, who sends it, for which system, and the verdicts it must get."""

    pack: str
    email: str
    system: str
    file_name: str
    data: bytes
    expected: dict[tuple[str, int], str]
    public: bool = True  # whether everybody may read the proofs; the host keeps its ground truths


def main() -> int:
    """The whole demo; exit code 1 when a verdict is not the expected one."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell started this in the background
    env = settings()
    show = best_show(env)
    prepare(env, show)
    console.print(f"Starting Redis, web server, two workers, reader and keeper; logs in {data_dir() / 'log'}")
    with running(env) as address:
        wrong = show_all(address, show)
        print_board(address, show)
        if wrong:
            console.print(
                f"[bold red]{wrong} verdict{' is' if wrong == 1 else 's are'} not as expected, as told above."
            )
        if os.environ.get("SELEN_DEMO_ONCE"):
            return 1 if wrong else 0
        serve(address, show)
    return 0


def prepare(env: dict[str, str], show: Show) -> None:
    """Database, static files, benchmark, environment, people."""
    console.print("Preparing database and pages")
    manage(env, "migrate", "--verbosity", "0")
    manage(env, "collectstatic", "--noinput", "--verbosity", "0", quiet=True)
    manage(env, "packs", "sync", show.pack, quiet=True)
    console.print(f"Building the environment of {show.pack}, {show.lemmas} lemmas tried one by one ({show.wait})")
    manage(env, "packs", "build", show.pack, "--if-needed", quiet=True)
    manage(env, "demo_people", show.people, "--password", PASSWORD)


def samples(show: Show) -> list[Sample]:
    """The systems' proofs as shipped with the pack, and the ground truth as a reference."""
    sent = [shipped(show.pack, *system) for system in show.systems]
    return [*sent, reference(show.pack, *show.reference)]


def shipped(pack: str, email: str, system: str, name: str) -> Sample:
    """A sample of the pack, zipped as a team would."""
    folder = ROOT / "packs" / pack / "samples" / name
    table = tomllib.loads((folder / "expected.toml").read_text())
    expected = {(name, int(attempt)): verdict for name, row in table.items() for attempt, verdict in row.items()}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("proofs.jsonl", (folder / "proofs.jsonl").read_bytes())
    return Sample(pack, email, system, f"{name}.zip", archive.getvalue(), expected)


def reference(slug: str, email: str, system: str) -> Sample:
    """The proof that the theories give for every problem of the set, as attempt 0."""
    pack = load_pack(slug, ROOT / "packs")
    members = {name for name, _ in pack.sets[-1].members}
    problems = [problem for problem in pack.problems if problem.id in members]
    lines = [json.dumps({"problem": p.id, "attempt": 0, "proof": p.ground_truth}) for p in problems]
    expected = {(problem.id, 0): str(Verdict.PROVED) for problem in problems}
    return Sample(slug, email, system, "ground-truth.jsonl", "\n".join(lines).encode(), expected, public=False)


@dataclass(frozen=True)
class Sent:
    """A sample on its way: the session that sent it and the page of its submission."""

    sample: Sample
    visitor: Visitor
    page: str


def show_all(address: str, show: Show) -> int:
    """Upload, confirm, watch and publish every sample; those of an earlier demo are kept. Number of wrong verdicts."""
    sent = [send(sample, address) for sample in samples(show)]
    verdicts = watch(sent)
    return sum(publish(one, results) for one, results in zip(sent, verdicts, strict=True))


def send(sample: Sample, address: str) -> Sent:
    """Log in, upload and confirm through the site's forms, unless an earlier demo did."""
    visitor = Visitor(address)
    visitor.send("/accounts/login/", "login", login=sample.email, password=PASSWORD)
    page = earlier(visitor, sample.system)
    if page is None:
        report = visitor.send(
            f"/b/{sample.pack}/submit/",
            "file",
            choose={"system": sample.system},
            upload=(sample.file_name, sample.data),
        )
        page = visitor.send(str(report.url), "confirm").url.path
    return Sent(sample, visitor, page)


def publish(one: Sent, results: list[dict[str, Any]]) -> int:
    """Publish; say which verdicts are not the expected ones and how many."""
    if one.visitor.offers(one.page, "publish"):
        one.visitor.send(one.page, "publish", **({"proofs_public": "on"} if one.sample.public else {}))
    got = {(row["problem"], row["attempt"]): row["verdict"] for row in results}
    wrong = {key: (want, got.get(key)) for key, want in one.sample.expected.items() if got.get(key) != want}
    for (problem, attempt), (want, was) in list(wrong.items())[:10]:
        console.print(f"  {one.sample.system}: {problem}, attempt {attempt}: expected {want}, got {was}")
    if wrong:
        console.print(
            f"  curl {one.visitor.http.base_url.join(one.page)}results.csv tells every verdict and its reason"
        )
    return len(wrong)


def earlier(visitor: Visitor, system: str) -> str | None:
    """The page of this system's submission, if an earlier demo made one."""
    board = visitor.get("/submissions/").text
    for chunk in board.split("<tr")[1:]:
        if f">{system}<" in chunk and 'href="/submissions/' in chunk:
            return "/submissions/" + chunk.split('href="/submissions/')[1].split('"')[0]
    return None


def watch(sent: list[Sent]) -> list[list[dict[str, Any]]]:
    """A progress bar for each sample until every proof has a verdict and every proved one was looked at again."""
    moved = time.monotonic()
    deadline = moved + CHECK_SECONDS
    seen = 0.0
    columns = (TextColumn("{task.description:<20}"), BarColumn(), TextColumn("{task.completed:.0f}/{task.total:.0f}"))
    done: dict[int, list[dict[str, Any]]] = {}
    with Progress(*columns, TextColumn("{task.fields[note]}"), TimeElapsedColumn(), console=console) as progress:
        tasks = [progress.add_task(one.sample.system, total=len(one.sample.expected), note="") for one in sent]
        while time.monotonic() < deadline:
            for task in (task for task in tasks if task not in done):
                results, state, note = look(sent[task])
                progress.update(task, completed=len(results), note=note)
                if state in {"done", "cancelled"}:
                    done[task] = results
                    progress.stop_task(task)
            if len(done) == len(sent):
                return [done[task] for task in tasks]
            if seen != (seen := sum(task.completed for task in progress.tasks)):
                moved = time.monotonic()
            if time.monotonic() > moved + STILL_SECONDS and (why := refusal()):
                raise SystemExit(f"No worker judges. {why}")
            time.sleep(1)
    late = ", ".join(one.sample.system for at, one in enumerate(sent) if at not in done)
    raise SystemExit(f"Not checked within {CHECK_SECONDS} s: {late}. {data_dir() / 'log'} tells why.")


def look(one: Sent) -> tuple[list[dict[str, Any]], str, str]:
    """Results of a submission so far, the state of its run, and both counts in words."""
    data = one.visitor.get(f"{one.page}results.json").json()
    results = [row for row in data["results"] if row["verdict"] in set(Verdict)]
    confirmed = sum(row["confirmation"] == Confirmation.CONFIRMED for row in results)
    proved = sum(row["verdict"] == Verdict.PROVED for row in results)
    return results, data["state"], f"{proved} proved, {confirmed} confirmed"


def print_board(address: str, show: Show) -> None:
    """The leaderboard as anybody sees it."""
    board = Visitor(address).get(f"/b/{show.pack}/leaderboard.json").json()
    table = Table(title=f"{board['benchmark']}, {board['set']}, in per cent")
    categories = list(board["problems"])
    table.add_column("#", justify="right")
    for name in ("System", "Team"):
        table.add_column(name)
    for name in ("ACC#1", "95 % interval", *categories, "ACC#5", "confirmed"):
        table.add_column(name, justify="right")
    for row in board["rows"]:
        table.add_row(*cells(row, categories))
    console.print(table)


def cells(row: dict[str, Any], categories: list[str]) -> list[str]:
    """One line of the table; a dash where nothing was uploaded, no rank for a reference."""

    def rate(name: str) -> str:
        solved = row[f"{name}_solved"]
        return "–" if solved is None else f"{100 * solved / row[f'{name}_total']:.1f}"

    low, high = row["acc1_all_low"], row["acc1_all_high"]
    interval = "–" if low is None else f"{100 * low:.1f} to {100 * high:.1f}"
    scores = [rate("acc1_all"), interval, *(rate(f"acc1_{name}") for name in categories), rate("acc5_all")]
    return [str(row["rank"] or "–"), row["system"], row["team"], *scores, f"{row['confirmed']}/{row['proved']}"]


def serve(address: str, show: Show) -> None:
    """Say where to look and wait for Ctrl-C."""
    console.print(f"\nOpen [bold]{address}/b/{show.pack}/leaderboard/[/]")
    console.print("Log in as ada@example.org, ben@example.org, cleo@example.org or host@example.org (organiser),")
    console.print(f"password {PASSWORD}")
    console.print(
        f"Mails are not sent but written to {data_dir() / 'log'}: invitations in web.log, ends of runs in keeper.log"
    )
    console.print("Ctrl-C stops everything.")
    try:
        signal.pause()
    except KeyboardInterrupt:
        console.print("Stopping")


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
