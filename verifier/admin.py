"""What organisers see of packs in the admin: mirrors, so only dates and the quota can be changed here."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest

from verifier.models import Environment, Image, Pack, Problem, ProblemSet
from verifier.services import stamp_bump


def _never(*_: Any, **__: Any) -> bool:
    return False


class MirrorAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # no generics at run time
    """Rows that a command writes: to be read, neither added nor changed nor deleted."""

    has_add_permission = _never
    has_change_permission = _never
    has_delete_permission = _never


@admin.register(Pack)
class PackAdmin(MirrorAdmin):
    """A benchmark. What is set here stays until `pack.toml` says something new (docs/packs.md)."""

    list_display = ("slug", "title", "prover", "opens", "closes", "daily_quota")
    fields = ("slug", "title", "summary", "prover", "proofs", "digest", "opens", "closes", "daily_quota")
    readonly_fields = ("slug", "title", "summary", "prover", "proofs", "digest")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Organisers with the right to change packs."""
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Pack, form: "ModelForm[Pack]", change: bool) -> None:  # noqa: ARG002
        """Write what was changed and nothing else: the stamp may have moved while the form was open."""
        obj.save(update_fields=form.changed_data)
        stamp_bump(pack=obj)


@admin.register(Problem)
class ProblemAdmin(MirrorAdmin):
    """One revision of a problem."""

    list_display = ("ident", "revision", "pack", "category", "unit", "status", "split")
    list_filter = ("pack", "category", "status", "split")
    search_fields = ("ident", "statement")


@admin.register(ProblemSet)
class ProblemSetAdmin(MirrorAdmin):
    """A frozen set."""

    list_display = ("name", "pack", "title", "current", "digest")
    list_filter = ("pack",)


@admin.register(Environment)
class EnvironmentAdmin(MirrorAdmin):
    """What proofs are checked in."""

    list_display = ("__str__", "pack", "prover", "version", "current", "created")
    list_filter = ("pack", "current")


@admin.register(Image)
class ImageAdmin(MirrorAdmin):
    """A host's copy of an environment."""

    list_display = ("environment", "host", "seconds", "built")
