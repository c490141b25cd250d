"""Addresses of this app. Names of people's things are opaque ids that reveal no order."""

from django.urls import path, register_converter

from submissions.addresses import Number, ProblemId
from submissions.views import logs, runs, site, systems, teams, uploads

register_converter(ProblemId, "problem")
register_converter(Number, "number")

urlpatterns = [
    path("", site.home, name="home"),
    path("status/", site.status, name="status"),
    path("help/", site.help_page, name="help"),
    path("privacy/", site.privacy, name="privacy"),
    path("account/", teams.account, name="account"),
    path("teams/", teams.team_list, name="teams"),
    path("teams/new/", teams.team_new, name="team_new"),
    path("teams/<slug:team_id>/", teams.team, name="team"),
    path("teams/<slug:team_id>/edit/", teams.team_edit, name="team_edit"),
    path("teams/<slug:team_id>/invite/", teams.invite, name="invite"),
    path("teams/<slug:team_id>/leave/", teams.team_leave, name="team_leave"),
    path(
        "teams/<slug:team_id>/invitations/<number:number>/withdraw/",
        teams.invitation_withdraw,
        name="invitation_withdraw",
    ),
    path("teams/<slug:team_id>/members/<slug:user_id>/role/", teams.member_role, name="member_role"),
    path("teams/<slug:team_id>/members/<slug:user_id>/remove/", teams.member_remove, name="member_remove"),
    path("teams/<slug:team_id>/systems/new/", systems.system_new, name="system_new"),
    path("invitations/<slug:token>/", teams.invitation, name="invitation"),
    path("systems/<slug:system_id>/", systems.system, name="system"),
    path("systems/<slug:system_id>/edit/", systems.system_edit, name="system_edit"),
    path("b/<slug:slug>/submit/", uploads.submit, name="submit"),
    path("drafts/<slug:draft_id>/", uploads.draft, name="draft"),
    path("drafts/<slug:draft_id>/progress/", uploads.draft_progress, name="draft_progress"),
    path("drafts/<slug:draft_id>/report.json", uploads.draft_report, name="draft_report"),
    path("drafts/<slug:draft_id>/confirm/", uploads.draft_confirm_view, name="draft_confirm"),
    path("drafts/<slug:draft_id>/discard/", uploads.draft_discard_view, name="draft_discard"),
    path("submissions/", runs.submission_list, name="submissions"),
    path("submissions/<slug:submission_id>/", runs.submission, name="submission"),
    path("submissions/<slug:submission_id>/progress/", runs.progress, name="submission_progress"),
    path("submissions/<slug:submission_id>/cancel/", runs.cancel, name="submission_cancel"),
    path("submissions/<slug:submission_id>/publish/", runs.publish, name="submission_publish"),
    path("submissions/<slug:submission_id>/withdraw/", runs.withdraw, name="submission_withdraw"),
    path("submissions/<slug:submission_id>/results.csv", runs.results_csv, name="submission_csv"),
    path("submissions/<slug:submission_id>/results.json", runs.results_json, name="submission_json"),
    path("submissions/<slug:submission_id>/archive/", runs.archive, name="submission_archive"),
    path("submissions/<slug:submission_id>/<problem:problem>/<number:attempt>/", logs.log, name="log"),
    path("submissions/<slug:submission_id>/<problem:problem>/<number:attempt>/proof.txt", logs.raw, name="proof_text"),
]
