"""What a person is to a team. Below services and selectors, because the ones refuse by it and the others show by it."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from submissions.models import Membership, User

Reader = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class Standing:
    """`role` is `owner`, `member` or empty. Organisers may do what owners may."""

    role: str
    organiser: bool

    @property
    def inside(self) -> bool:
        """Whether the person acts for the team and sees what it keeps to itself."""
        return self.organiser or bool(self.role)

    @property
    def owner(self) -> bool:
        """Whether the person publishes for the team and decides who is in it."""
        return self.organiser or self.role == Membership.Role.OWNER


def standing_in(user: Reader, team_id: int) -> Standing:
    """The standing of a reader, logged in or not."""
    if not user.is_authenticated:
        return Standing("", organiser=False)
    role = Membership.objects.filter(team=team_id, user=user).values_list("role", flat=True).first()
    return Standing(role or "", organiser=user.is_staff)
