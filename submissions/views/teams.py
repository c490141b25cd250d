"""Teams and the people in them."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from submissions.forms import InvitationForm, ProfileForm, RoleForm, TeamForm
from submissions.models import Invitation, Team
from submissions.selectors.people import team_lines, team_page, teams_visible_to
from submissions.selectors.submissions import submission_lines, submissions_of_team
from submissions.services import people, teams
from submissions.services.standing import owner_required
from submissions.views.answers import PersonalRequest, attempt, personal, uncached, words_of
from verifier.core.errors import InputFault

GET_OR_POST = require_http_methods(["GET", "HEAD", "POST"])


def owned_team(request: PersonalRequest, public_id: str) -> Team:
    """A team that the reader owns or organises: hidden ones are not found, visible ones of others are forbidden."""
    team = get_object_or_404(teams_visible_to(request.user), public_id=public_id)
    owner_required(actor=request.user, team=team)
    return team


@GET_OR_POST
@personal
def account(request: PersonalRequest) -> HttpResponse:
    """The reader's own name, addresses and teams."""
    form = ProfileForm(request.POST or None, initial={"name": request.user.name})
    if request.method == "POST" and form.is_valid():
        people.user_rename(user=request.user, name=form.cleaned_data["name"])
        messages.success(request, "Your name is stored.")
        return redirect("account")
    return render(request, "people/account.html", {"form": form, "teams": team_lines(request.user)})


@require_GET
@personal
def team_list(request: PersonalRequest) -> HttpResponse:
    """Teams of the reader."""
    return render(request, "people/teams.html", {"lines": team_lines(request.user)})


@GET_OR_POST
@personal
def team_new(request: PersonalRequest) -> HttpResponse:
    """Create a team."""
    form = TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            team = teams.team_create(actor=request.user, **form.cleaned_data)
        except InputFault as fault:
            form.add_error("name", words_of(fault))
        else:
            messages.success(request, f"{team} exists and you own it. Describe a system next.")
            return redirect("team", team.public_id)
    return render(request, "people/team_form.html", {"form": form})


@GET_OR_POST
@personal
def team_edit(request: PersonalRequest, team_id: str) -> HttpResponse:
    """Change name and homepage of a team."""
    team = owned_team(request, team_id)
    form = TeamForm(request.POST or None, initial={"name": team.name, "homepage": team.homepage})
    if request.method == "POST" and form.is_valid():
        try:
            teams.team_edit(team=team, actor=request.user, **form.cleaned_data)
        except InputFault as fault:
            form.add_error("name", words_of(fault))
        else:
            messages.success(request, "The change is stored.")
            return redirect("team", team.public_id)
    return render(request, "people/team_form.html", {"form": form, "team": team})


@require_GET
@uncached
def team(request: HttpRequest, team_id: str) -> HttpResponse:
    """A team, as much of it as the reader may see."""
    row = get_object_or_404(teams_visible_to(request.user), public_id=team_id)
    page = team_page(request.user, row)
    lines = submission_lines(list(submissions_of_team(request.user, row)[:50]))
    context = {"page": page, "team": row, "lines": lines, "invitation_form": InvitationForm()}
    return render(request, "people/team.html", context)


@require_POST
@personal
def invite(request: PersonalRequest, team_id: str) -> HttpResponse:
    """Send an invitation; owners alone."""
    row = owned_team(request, team_id)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        messages.error(request, "The invitation needs a correct e-mail address and a role.")
        return redirect("team", row.public_id)
    try:
        sent = teams.invitation_send(team=row, actor=request.user, **form.cleaned_data)
    except InputFault as fault:
        messages.error(request, words_of(fault))
        return redirect("team", row.public_id)
    sent.refresh_from_db()
    if sent.mailed:
        messages.success(request, f"An invitation is on its way to {sent.email}.")
    else:
        text = f"The mail to {sent.email} could not be sent yet. The invitation is kept and its mail is tried again."
        messages.warning(request, text)
    return redirect("team", row.public_id)


@require_POST
@personal
def invitation_withdraw(request: PersonalRequest, team_id: str, number: int) -> HttpResponse:
    """Take an open invitation back; owners alone."""
    row = owned_team(request, team_id)
    invitation = get_object_or_404(row.invitations, pk=number)
    teams.invitation_withdraw(invitation=invitation, actor=request.user)
    messages.success(request, f"The invitation to {invitation.email} is taken back.")
    return redirect("team", row.public_id)


@GET_OR_POST
@personal
def invitation(request: PersonalRequest, token: str) -> HttpResponse:
    """Accept an invitation; it must be for the reader's address."""
    row = get_object_or_404(Invitation.objects.select_related("team", "sent_by"), token=token)
    mine = row.email.lower() == request.user.email.lower()
    if request.method == "POST" and attempt(
        request, lambda: teams.invitation_accept(invitation=row, actor=request.user), f"You are in {row.team}."
    ):
        return redirect("team", row.team.public_id)
    status = 200 if mine and row.accepted is None else 403
    return render(request, "people/invitation.html", {"invitation": row, "mine": mine}, status=status)


@require_POST
@personal
def member_role(request: PersonalRequest, team_id: str, user_id: str) -> HttpResponse:
    """Make a member an owner or back; owners alone."""
    row = owned_team(request, team_id)
    membership = get_object_or_404(row.memberships.select_related("user"), user__public_id=user_id)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "No role was chosen. Choose owner or member.")
        return redirect("team", row.public_id)
    role = form.cleaned_data["role"]
    change = partial(teams.member_change_role, membership=membership, actor=request.user, role=role)
    attempt(request, change, f"{membership.user} is {role} now.")
    return redirect("team", row.public_id)


@require_POST
@personal
def member_remove(request: PersonalRequest, team_id: str, user_id: str) -> HttpResponse:
    """End a membership; owners alone."""
    row = owned_team(request, team_id)
    membership = get_object_or_404(row.memberships.select_related("user"), user__public_id=user_id)
    attempt(
        request,
        lambda: teams.member_remove(membership=membership, actor=request.user),
        f"{membership.user} is no longer in {row}.",
    )
    return redirect("team", row.public_id)


@require_POST
@personal
def team_leave(request: PersonalRequest, team_id: str) -> HttpResponse:
    """Leave a team."""
    row = get_object_or_404(teams_visible_to(request.user), public_id=team_id)
    membership = get_object_or_404(row.memberships, user=request.user)
    leave = partial(teams.member_remove, membership=membership, actor=request.user)
    if attempt(request, leave, f"You have left {row}."):
        return redirect("teams")
    return redirect("team", row.public_id)
