"""From a file to a confirmed draft: upload, preflight report, confirm or discard."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRefresh

from submissions.forms import UploadForm
from submissions.models import Draft
from submissions.opening import opening
from submissions.selectors.people import teams_joined
from submissions.selectors.queue import runs_ahead
from submissions.selectors.reports import report_page
from submissions.selectors.submissions import drafts_open, drafts_visible_to
from submissions.services.drafts import draft_create, draft_discard
from submissions.services.quota import quota_left
from submissions.services.refusal import Refusal, Why
from submissions.services.submissions import draft_confirm
from submissions.views.answers import PersonalRequest, attempt, personal, words_of
from submissions.views.drawings import percent
from verifier.models import Pack
from verifier.selectors import environment_current


@require_http_methods(["GET", "HEAD", "POST"])
@personal
def submit(request: PersonalRequest, slug: str) -> HttpResponse:
    """Upload a file for a system; leads to its preflight report."""
    pack = get_object_or_404(Pack, slug=slug)
    if pack.manifest.get("reported_only"):
        raise Http404(f"{slug} holds reported figures alone and takes no proofs.")
    teams = list(teams_joined(request.user))
    form = UploadForm(request.POST or None, request.FILES or None, pack=pack, teams=teams)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            read = draft_create(
                actor=request.user, system=data["system"], problem_set=data["problem_set"], upload=data["file"]
            )
        except Refusal as fault:
            if fault.why is Why.TOO_LARGE:
                return render(request, "413.html", {"fault": fault, "pack": pack}, status=413)
            form.add_error(None, words_of(fault))
        else:
            if read.draft is not None:
                return redirect("draft", read.draft.public_id)
            return _refused(request, pack, data["file"].name, read.report)
    return render(request, "submissions/submit.html", _submit_context(request, pack, teams, form))


def _submit_context(request: PersonalRequest, pack: Pack, teams: list[Any], form: UploadForm) -> dict[str, Any]:
    now = timezone.now()
    left = [(team, quota_left(team=team, pack=pack, now=now)) for team in teams]
    return {
        "pack": pack,
        "form": form,
        "teams": teams,
        "opening": opening(pack, now),
        "ready": environment_current(pack) is not None,
        "drafts": [draft for draft in drafts_open(request.user) if draft.problem_set.pack_id == pack.pk],
        "left": left,
        "used_up": bool(left) and not any(number for _, number in left),
        "upload_bytes": settings.MAX_UPLOAD_BYTES,
        "inflated_bytes": settings.MAX_INFLATED_BYTES,
        "members": settings.MAX_MEMBERS,
        "limits": pack.manifest.get("limits", {}),
    }


def _refused(request: HttpRequest, pack: Pack, name: str, report: dict[str, Any]) -> HttpResponse:
    context = {"pack": pack, "file_name": name, "page": report_page(report)}
    return render(request, "submissions/refused.html", context, status=422)


@require_GET
@personal
def draft(request: PersonalRequest, draft_id: str) -> HttpResponse:
    """The preflight report of a draft, or why there is none."""
    row = get_object_or_404(drafts_visible_to(request.user), public_id=draft_id)
    if row.state == Draft.State.CONFIRMED:
        return redirect("submission", row.submission.public_id)
    pack = row.problem_set.pack
    if row.state == Draft.State.REFUSED:
        return _refused(request, pack, row.file_name, row.report)
    if row.state == Draft.State.DISCARDED or row.expires <= timezone.now():
        return render(request, "submissions/draft_gone.html", {"pack": pack, "draft": row}, status=410)
    if row.state == Draft.State.READING:
        return render(request, "submissions/reading.html", {**_reading(row), "pack": pack})
    return _report(request, row)


def _report(request: HttpRequest, row: Draft, fault: Refusal | None = None) -> HttpResponse:
    pack = row.problem_set.pack
    context = {
        "draft": row,
        "pack": pack,
        "page": report_page(row.report),
        "environment": environment_current(pack),
        "ahead": runs_ahead(pack),
        "fault": fault,
        "before": fault is not None and fault.why is Why.UPLOADED_BEFORE,
    }
    return render(request, "submissions/draft.html", context, status=409 if fault else 200)


@require_GET
@personal
def draft_progress(request: PersonalRequest, draft_id: str) -> HttpResponse:
    """How far a large upload is read."""
    row = get_object_or_404(drafts_visible_to(request.user), public_id=draft_id)
    if row.state != Draft.State.READING:
        return HttpResponseClientRefresh()
    return render(request, "submissions/_reading.html", _reading(row))


def _reading(row: Draft) -> dict[str, Any]:
    return {"draft": row, "done": percent(row.progress, row.total)}


@require_GET
@personal
def draft_report(request: PersonalRequest, draft_id: str) -> HttpResponse:
    """The report as JSON."""
    row = get_object_or_404(drafts_visible_to(request.user), public_id=draft_id)
    return JsonResponse(row.report, json_dumps_params={"indent": 1})


@require_POST
@personal
def draft_confirm_view(request: PersonalRequest, draft_id: str) -> HttpResponse:
    """Turn the draft into a submission; a second click leads to the same one."""
    row = get_object_or_404(drafts_visible_to(request.user), public_id=draft_id)
    try:
        submission = draft_confirm(draft=row, actor=request.user, again=request.POST.get("again") == "1")
    except Refusal as fault:
        if fault.why is Why.DRAFT_GONE or row.state != Draft.State.OPEN:
            messages.error(request, words_of(fault))
            return redirect("draft", row.public_id)
        return _report(request, row, fault)
    return redirect("submission", submission.public_id)


@require_POST
@personal
def draft_discard_view(request: PersonalRequest, draft_id: str) -> HttpResponse:
    """Throw the draft away."""
    row = get_object_or_404(drafts_visible_to(request.user), public_id=draft_id)
    attempt(request, lambda: draft_discard(draft=row, actor=request.user), "The draft is gone; nothing was counted.")
    return redirect("submit", row.problem_set.pack.slug)
