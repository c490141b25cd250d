"""Fields and their checks; rules on what may be stored live in services."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from submissions.models import Membership, System, Team
from submissions.spelling import line_fault, text_fault
from verifier.core.augmentation import AUGMENTATION_WORDS, Augmentation
from verifier.models import Pack, ProblemSet

WEB = URLValidator(schemes=["http", "https"], message="Write a web address that starts with https:// or http://.")
AUGMENTS = {
    Augmentation.SIMILAR: "shows proofs of similar lemmas",
    Augmentation.DEPENDENCY: "shows the definitions and facts that the lemma needs",
    Augmentation.FIXING: "sends error messages back to the model",
    Augmentation.TRYAGAIN: "asks again after a failure, without the message",
}


def plain_line(value: str) -> None:
    """Refuse what cannot be seen, more than one line, and words of mixed scripts."""
    if fault := line_fault(value):
        raise ValidationError(fault)


def plain_text(value: str) -> None:
    """Refuse what cannot be seen; lines may stay."""
    if fault := text_fault(value):
        raise ValidationError(fault)


def _name(label: str, length: int, help_text: str) -> forms.CharField:
    return forms.CharField(label=label, max_length=length, help_text=help_text, validators=[plain_line])


def _web(label: str, help_text: str) -> forms.CharField:
    return forms.CharField(label=label, max_length=200, required=False, help_text=help_text, validators=[WEB])


class ProfileForm(forms.Form):
    """One's own name."""

    name = forms.CharField(
        label="Name", max_length=100, required=False, help_text="Shown to your team mates.", validators=[plain_line]
    )


class TeamForm(forms.Form):
    """Name and homepage of a team."""

    name = _name("Team name", 80, "Stands on leaderboards beside every system of the team.")
    homepage = _web("Homepage", "A web address that says who you are.")


class InvitationForm(forms.Form):
    """An address and what its owner will be."""

    email = forms.EmailField(label="E-mail address", help_text="The link works only for this address.")
    role = forms.ChoiceField(
        label="Role",
        choices=[
            (Membership.Role.MEMBER, "member: uploads and reads everything"),
            (Membership.Role.OWNER, "owner: also publishes and invites"),
        ],
    )


class RoleForm(forms.Form):
    """The new role of a member."""

    role = forms.ChoiceField(choices=Membership.Role.choices)


class SystemForm(forms.Form):
    """What a system is."""

    name = _name("System name", 80, "As it will stand on the leaderboard, for example Model A, fixing.")
    model = forms.CharField(
        label="Model",
        max_length=120,
        required=False,
        help_text="Name and version of the language model, or of whatever writes the proofs.",
        validators=[plain_line],
    )
    augmentations = forms.MultipleChoiceField(
        label="Augmentations",
        required=False,
        choices=[(word, f"{AUGMENTATION_WORDS.get(word, word)}: {AUGMENTS[word]}") for word in Augmentation],
        widget=forms.CheckboxSelectMultiple,
        help_text="What the system is given beyond the statement.",
    )
    open_source = forms.BooleanField(label="The code of this system is open source", required=False)
    link = _web("Link", "Paper, repository or report.")
    description = forms.CharField(
        label="Description",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Plain text, at most 2,000 characters.",
        validators=[plain_text],
    )

    @staticmethod
    def facts(system: System) -> dict[str, Any]:
        """Initial values for editing."""
        return {name: getattr(system, name) for name in SystemForm.base_fields}


class UploadForm(forms.Form):
    """A file for a system and a problem set of one benchmark."""

    system = forms.ModelChoiceField(
        queryset=System.objects.none(), to_field_name="public_id", empty_label=None, label="System"
    )
    problem_set = forms.ModelChoiceField(
        queryset=ProblemSet.objects.none(), to_field_name="name", empty_label=None, label="Problem set"
    )
    file = forms.FileField(
        label="File",
        allow_empty_file=True,  # an empty file gets the same report as any other that cannot be used
        max_length=200,
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,.jsonl"}),
    )

    def __init__(self, *args: Any, pack: Pack, teams: list[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        systems = System.objects.filter(team__in=teams).select_related("team").order_by("team__name", "name")
        choices = self.fields["system"]
        choices.queryset = systems  # type: ignore[attr-defined]
        if len(teams) > 1:
            choices.label_from_instance = lambda system: f"{system.team.name}: {system.name}"  # type: ignore[attr-defined]
        sets = self.fields["problem_set"]
        sets.queryset = pack.sets.filter(current=True)  # type: ignore[attr-defined]
        sets.label_from_instance = lambda row: f"{row.name}: {row.title}"  # type: ignore[attr-defined]


class PublishForm(forms.Form):
    """Whether proofs become readable for everybody, where the pack leaves it to the team."""

    proofs_public = forms.BooleanField(required=False)
