"""The admin shows mirrors and lets organisers change dates and quota, nothing else."""

import pytest
from django.urls import reverse

from tests.packs.good_pack import GoodPack
from verifier.models import Pack
from verifier.services import pack_sync

pytestmark = pytest.mark.django_db


@pytest.fixture
def pack(tmp_path):
    pack_sync(pack=GoodPack(tmp_path).load())
    return Pack.objects.get()


@pytest.fixture
def organiser(admin_user, client):
    client.force_login(admin_user)
    return client


def test_an_organiser_changes_dates_and_quota_and_nothing_else(organiser, pack):
    form = {
        "opens_0": "2026-02-03", "opens_1": "04:05:06", "closes_0": "", "closes_1": "", "daily_quota": "7",
        "title": "Hijacked", "digest": "0" * 64,
    }  # fmt: skip
    answer = organiser.post(reverse("admin:verifier_pack_change", args=[pack.pk]), form)
    assert answer.status_code == 302
    stamp = pack.stamp
    pack.refresh_from_db()
    assert (pack.opens.isoformat(), pack.closes, pack.daily_quota) == ("2026-02-03T04:05:06+00:00", None, 7)
    assert (pack.title, pack.stamp) == ("Small counters", stamp + 1)


@pytest.mark.parametrize("model", ["pack", "problem", "problemset", "environment", "image"])
def test_mirrors_are_listed_and_cannot_be_added_or_deleted(organiser, pack, model):
    assert organiser.get(reverse(f"admin:verifier_{model}_changelist")).status_code == 200
    assert organiser.get(reverse(f"admin:verifier_{model}_add")).status_code == 403
    assert organiser.post(reverse("admin:verifier_pack_delete", args=[pack.pk]), {"post": "yes"}).status_code == 403
    assert Pack.objects.count() == 1


def test_a_problem_can_be_read_and_not_changed(organiser, pack):
    problem = pack.problems.first()
    address = reverse("admin:verifier_problem_change", args=[problem.pk])
    assert organiser.get(address).status_code == 200
    assert organiser.post(address, {"statement": "x"}).status_code == 403
