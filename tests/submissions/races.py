"""Many threads on one PostgreSQL, each with a connection of its own. Run by test_postgres; not collected by itself."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from submissions.models import Draft, Proof, QuotaUse, Result, Run, Slice, Submission, User
from submissions.services.judging import slice_judge
from submissions.services.keeper import bells_ring, leases_reap
from submissions.services.leases import slice_claim
from submissions.services.refusal import Refusal, Why
from submissions.services.runs import run_advance, run_cancel
from submissions.services.submissions import draft_confirm
from submissions.services.systems import system_create
from tests.submissions.world import TextJudge, all_proofs, world_make
from verifier.core.errors import InputFault

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 6
SECONDS = 240  # an idle machine needs a tenth; a busy one is not to fail by its clock


class Together:
    """Threads that begin at one moment; whatever one of them raises fails the test."""

    def __init__(self) -> None:
        self.faults: list[Exception] = []
        self.begin = threading.Event()
        self.over = threading.Event()
        self.threads: list[threading.Thread] = []

    def add(self, work: Callable[[], object]) -> None:
        def run() -> None:
            self.begin.wait()
            try:
                work()
            except Exception as fault:  # noqa: BLE001 (told by run)
                self.faults.append(fault)
            finally:
                connection.close()

        self.threads.append(threading.Thread(target=run))

    def repeat(self, work: Callable[[], object]) -> None:
        def turn() -> None:
            while not self.over.is_set():
                work()

        self.add(turn)

    def run(self, until: Callable[[], bool] = lambda: True) -> None:
        for thread in self.threads:
            thread.start()
        self.begin.set()
        end = time.monotonic() + SECONDS
        while not until() and not self.faults and time.monotonic() < end:
            time.sleep(0.05)
        self.over.set()
        for thread in self.threads:
            thread.join(SECONDS)
        assert self.faults == []


def refusal_of(work: Callable[[], object]) -> Why | None:
    try:
        work()
    except Refusal as refusal:
        return refusal.why
    return None


def deadlocks() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_stat_clear_snapshot(), deadlocks FROM pg_stat_database WHERE datname = current_database()"
        )
        return int(cursor.fetchone()[1])


@pytest.fixture
def world(bells, monkeypatch):
    assert connection.vendor == "postgresql"
    monkeypatch.setattr("submissions.services.keeper.RING_AFTER", timedelta())
    return world_make()


def test_claims_advances_cancels_and_reaps_at_once_neither_deadlock_nor_lose_a_result(world, settings):
    settings.SLICE_PROOFS = 2
    world.pack.daily_quota = 100
    world.pack.save()
    runs = [
        draft_confirm(draft=world.draft(all_proofs(world, f"prove {number}")), actor=world.owner).runs.get()
        for number in range(10)
    ]
    ids = [run.pk for run in runs]
    doomed = ids[::3]
    before = deadlocks()
    together = Together()
    for number in range(WORKERS):
        together.repeat(lambda number=number: work(world, f"w{number}"))
    together.repeat(lambda: run_advance(run_id=random.choice(ids)))
    together.repeat(lambda: run_advance(run_id=random.choice(ids)))
    together.repeat(lose_a_lease)
    together.repeat(lambda: leases_reap(now=timezone.now()))
    together.repeat(lambda: leases_reap(now=timezone.now()))
    together.repeat(lambda: bells_ring(now=timezone.now()))
    together.add(lambda: cancel_slowly(doomed, world.member))
    ended = {Run.State.DONE, Run.State.CANCELLED}
    together.run(until=lambda: set(Run.objects.values_list("state", flat=True)) <= ended)
    assert deadlocks() == before
    states = dict(Run.objects.values_list("pk", "state"))
    assert all(states[pk] == Run.State.DONE for pk in ids if pk not in doomed)
    assert not Slice.objects.filter(state__in=[Slice.State.WAITING, Slice.State.LEASED]).exists()
    for pk in ids:
        seen = Counter(Result.objects.filter(run=pk).values_list("proof", flat=True))
        assert set(seen.values()) <= {1}
        if states[pk] == Run.State.DONE:
            assert set(seen) == set(Proof.objects.filter(submission__runs=pk).values_list("pk", flat=True))
            # A lease that was taken away by force may cost a verdict, never a second one.
            verdicts = set(Result.objects.filter(run=pk).values_list("verdict", "reason"))
            assert verdicts <= {("proved", ""), ("internal", "worker_lost")}


def work(world, name: str) -> None:
    lease = slice_claim(environment_id=world.environment.pk, worker=name)
    if lease is None:
        time.sleep(0.01)
    else:
        judge = TextJudge(before=lambda _task: time.sleep(random.random() / 500))
        slice_judge(claim=lease, judge=judge, stopped=lambda: False)


def lose_a_lease() -> None:
    """Some worker stops renewing, seen from the database."""
    time.sleep(0.03)
    leased = list(Slice.objects.filter(state=Slice.State.LEASED).values_list("pk", flat=True))
    if leased:
        past = timezone.now() - timedelta(seconds=1)
        Slice.objects.filter(pk=random.choice(leased), state=Slice.State.LEASED).update(expires=past)


def cancel_slowly(doomed: list[int], actor: User) -> None:
    for pk in doomed:
        time.sleep(0.2)
        assert refusal_of(lambda pk=pk: run_cancel(run=Run.objects.get(pk=pk), actor=actor)) in {None, Why.WRONG_STATE}


def test_confirms_at_once_never_exceed_the_quota(world):
    world.pack.daily_quota = 3
    world.pack.save()
    drafts = [world.draft({("lemma_0", 1): f"prove {number}"}) for number in range(8)]
    answers: list[Why | None] = []
    together = Together()
    for draft in drafts:
        fresh = Draft.objects.get(pk=draft.pk)
        together.add(
            lambda fresh=fresh: answers.append(refusal_of(lambda: draft_confirm(draft=fresh, actor=world.owner)))
        )
    together.run()
    assert (Submission.objects.count(), QuotaUse.objects.get().used) == (3, 3)
    assert Counter(answers) == {None: 3, Why.QUOTA: 5}
    assert Draft.objects.filter(state=Draft.State.OPEN).count() == 5


def test_clicks_at_once_on_one_draft_make_one_submission(world):
    draft = world.draft(all_proofs(world))
    together = Together()
    got: list[int] = []
    for _ in range(6):
        together.add(lambda: got.append(draft_confirm(draft=Draft.objects.get(pk=draft.pk), actor=world.owner).pk))
    together.run()
    assert (Submission.objects.count(), QuotaUse.objects.get().used, len(set(got)), len(got)) == (1, 1, 1, 6)


def test_the_same_file_twice_at_one_moment_is_taken_once(world):
    twins = [world.draft({("lemma_0", 1): "prove x"}, sha256="a" * 64) for _ in range(5)]
    answers: list[Why | None] = []
    together = Together()
    for twin in twins:
        fresh = Draft.objects.get(pk=twin.pk)
        together.add(
            lambda fresh=fresh: answers.append(refusal_of(lambda: draft_confirm(draft=fresh, actor=world.owner)))
        )
    together.run()
    assert Submission.objects.count() == 1
    assert Counter(answers) == {None: 1, Why.UPLOADED_BEFORE: 4}


def test_a_name_that_a_team_gives_to_several_systems_at_once_goes_to_one(world):
    answers: list[str] = []

    def create(name: str) -> None:
        try:
            system_create(team=world.team, actor=world.owner, name=name)
            answers.append("made")
        except InputFault as fault:
            answers.append(fault.findings[0].message)

    together = Together()
    for name in ("ACE", "ace", "АСЕ", "ACE"):  # the third is Cyrillic
        together.add(lambda name=name: create(name))
    together.run()
    assert answers.count("made") == 1
    assert world.team.systems.exclude(pk=world.system.pk).count() == 1


def test_a_benchmark_that_closes_while_teams_confirm_takes_nothing_afterwards(world):
    world.pack.daily_quota = 100
    world.pack.save()
    drafts = [Draft.objects.get(pk=world.draft({("lemma_0", 1): f"prove {n}"}).pk) for n in range(8)]
    closed: list = []
    late: list[Draft] = drafts[4:]
    for draft in drafts:
        assert draft.problem_set.pack.closes is None  # as the page knew it

    def close() -> None:
        moment = timezone.now()
        type(world.pack).objects.filter(pk=world.pack.pk).update(closes=moment)
        closed.append(moment)

    def confirm(draft: Draft) -> None:
        while draft in late and not closed:
            time.sleep(0.001)
        assert refusal_of(lambda: draft_confirm(draft=draft, actor=world.owner)) in {None, Why.CLOSED}

    together = Together()
    for draft in drafts:
        together.add(lambda draft=draft: confirm(draft))
    together.add(close)
    together.run()
    assert not Submission.objects.filter(draft__in=late).exists()
