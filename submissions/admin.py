"""What organisers see and do in the admin. Rows of runs are read there and changed by services alone."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from submissions.models import Membership, Run, Submission, System, Team, User, WorkerRow
from submissions.services.publishing import run_apply
from submissions.services.refusal import Refusal
from submissions.services.runs import run_rejudge

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:  # the library's classes take no parameters when they run
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline


class ReadOnlyAdmin(ModelAdmin):
    """Shows rows that only services may write."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002
        """Nobody."""
        return False


@admin.register(User)
class UserAdmin(ModelAdmin):
    """People; passwords are set by their owners."""

    list_display = ("email", "name", "is_staff", "is_active", "date_joined")
    search_fields = ("email", "name")
    fields = ("email", "name", "is_active", "is_staff", "is_superuser", "groups")


class MembershipInline(TabularInline):
    """Members of a team."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Team)
class TeamAdmin(ModelAdmin):
    """Teams with their members."""

    list_display = ("name", "public_id", "created")
    search_fields = ("name", "public_id")
    inlines = (MembershipInline,)


@admin.register(System)
class SystemAdmin(ModelAdmin):
    """Systems; `reference` is set here by an organiser, and no form of a team has it."""

    list_display = ("name", "team", "model", "open_source", "reference")
    list_filter = ("reference", "open_source")
    search_fields = ("name", "team__name")


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    """Submissions; organisers may have them judged again and let the board count the new run."""

    list_display = ("public_id", "team", "system", "problem_set", "visibility", "created")
    list_filter = ("problem_set", "visibility")
    search_fields = ("public_id", "team__name", "system__name")
    actions = ("judge_again", "count_newest_run")

    def has_judge_permission(self, request: HttpRequest) -> bool:
        """Who may see rows may not yet start work: the right to change submissions is asked for."""
        return request.user.has_perm("submissions.change_submission")

    @admin.action(description="Judge again", permissions=["judge"])
    def judge_again(self, request: HttpRequest, rows: QuerySet[Submission]) -> None:
        """A new run for each, behind everything that teams wait for."""
        for submission in rows:
            try:
                run = run_rejudge(submission=submission)
            except Refusal as refusal:
                messages.warning(request, f"{submission.public_id}: {refusal.message} {refusal.remedy}")
            else:
                messages.success(request, f"{submission.public_id} is judged again in run {run.public_id}.")

    @admin.action(description="Let the board count the newest run", permissions=["judge"])
    def count_newest_run(self, request: HttpRequest, rows: QuerySet[Submission]) -> None:
        """Where a published submission was judged again."""
        for submission in rows:
            run_apply(submission=submission)
        messages.success(request, "The board counts the newest checked run of each that is published.")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Runs as they stand."""

    list_display = ("public_id", "submission", "kind", "state", "total", "created", "finished")
    list_filter = ("state", "kind")
    search_fields = ("public_id", "submission__public_id")


@admin.register(WorkerRow)
class WorkerAdmin(ReadOnlyAdmin):
    """Workers and what their self-tests saw."""

    list_display = ("name", "host", "judging", "why", "heartbeat", "dead")
