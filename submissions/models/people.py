"""Users, teams and systems."""

import secrets
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def public_id() -> str:
    """Twelve random characters (59 bits) that reveal no order; used in every address."""
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


class UserManager(BaseUserManager["User"]):
    """Users are known by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A user with a normalised address; without a password nobody can log in."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """An organiser with every right."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """A person. Organisers are staff."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=100, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.name or self.email


class Team(models.Model):
    """Who submits. Members see everything of the team, owners publish and invite."""

    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    name = models.CharField(max_length=80, unique=True)
    homepage = models.URLField(blank=True)
    created = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(User, through="Membership", related_name="teams")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A user's place in a team."""

    class Role(models.TextChoices):
        OWNER = "owner"
        MEMBER = "member"

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    joined = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="member_of_team_once")]


class Invitation(models.Model):
    """An open place in a team for whoever holds the token and the address it was sent to."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Membership.Role.choices, default=Membership.Role.MEMBER)
    token = models.CharField(max_length=43, unique=True, default=secrets.token_urlsafe, editable=False)
    sent_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    accepted = models.DateTimeField(null=True, blank=True)
    mailed = models.DateTimeField(null=True, blank=True)  # when a mail server took the mail
    mail_tries = models.PositiveSmallIntegerField(default=0)
    mail_after = models.DateTimeField(null=True, blank=True)  # not to be tried before

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "email"], name="one_invitation_per_address")]


class System(models.Model):
    """A method: model and augmentations. References (ground truth, baselines of the host) are never ranked."""

    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=80)
    model = models.CharField(max_length=120, blank=True)
    augmentations = models.JSONField(default=list, blank=True)  # out of similar, dependency, fixing, tryagain
    open_source = models.BooleanField(default=False)
    link = models.URLField(blank=True)
    description = models.TextField(blank=True)
    reference = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["team", "name"], name="system_name_once_per_team")]

    def __str__(self) -> str:
        return self.name
