"""Systems of a team."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from submissions.forms import SystemForm
from submissions.selectors.people import systems_visible_to, teams_visible_to
from submissions.selectors.submissions import submission_lines, submissions_visible_to
from submissions.services import systems
from submissions.services.standing import member_required
from submissions.standing import standing_in
from submissions.views.answers import PersonalRequest, personal, uncached, words_of
from verifier.core.errors import InputFault

GET_OR_POST = require_http_methods(["GET", "HEAD", "POST"])


@require_GET
@uncached
def system(request: HttpRequest, system_id: str) -> HttpResponse:
    """A system and what was submitted for it."""
    row = get_object_or_404(systems_visible_to(request.user), public_id=system_id)
    lines = submission_lines(list(submissions_visible_to(request.user).filter(system=row)[:50]))
    context = {"system": row, "lines": lines, "may_change": standing_in(request.user, row.team_id).inside}
    return render(request, "people/system.html", context)


@GET_OR_POST
@personal
def system_new(request: PersonalRequest, team_id: str) -> HttpResponse:
    """Describe a new system of a team."""
    team = get_object_or_404(teams_visible_to(request.user), public_id=team_id)
    member_required(actor=request.user, team=team)
    form = SystemForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            row = systems.system_create(team=team, actor=request.user, **form.cleaned_data)
        except InputFault as fault:
            form.add_error("name", words_of(fault))
        else:
            messages.success(request, f"{row} is described. You can upload proofs for it now.")
            return redirect("system", row.public_id)
    return render(request, "people/system_form.html", {"form": form, "team": team})


@GET_OR_POST
@personal
def system_edit(request: PersonalRequest, system_id: str) -> HttpResponse:
    """Change what is said about a system."""
    row = get_object_or_404(systems_visible_to(request.user), public_id=system_id)
    member_required(actor=request.user, team=row.team)
    form = SystemForm(request.POST or None, initial=SystemForm.facts(row))
    if request.method == "POST" and form.is_valid():
        try:
            systems.system_edit(system=row, actor=request.user, **form.cleaned_data)
        except InputFault as fault:
            form.add_error("name", words_of(fault))
        else:
            messages.success(request, "The change is stored.")
            return redirect("system", row.public_id)
    return render(request, "people/system_form.html", {"form": form, "team": row.team, "system": row})
