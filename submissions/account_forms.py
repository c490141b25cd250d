"""Fields of the account pages in the words of this site; what they do is the account library's, which has no types."""

from typing import Any, ClassVar, Final

from allauth.account import forms as library
from django import forms
from django.contrib.auth.password_validation import get_default_password_validators

LABELS: Final = {
    "login": "E-mail address",
    "email": "E-mail address",
    "password": "Password",
    "remember": "Stay logged in on this computer",
    "oldpassword": "Present password",
    "password1": "New password",
    "password2": "New password again",
}


class _InOurWords(forms.Form):
    """One label a field: nothing is said twice, neither inside the box nor by a second link."""

    words: ClassVar[dict[str, str]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = self.words.get(name) or LABELS.get(name) or field.label
            field.help_text = password_rule() if name == "password1" else ""
            field.widget.attrs.pop("placeholder", None)


def password_rule() -> str:
    """What a password must be, with the least length that the settings ask for."""
    least = max((getattr(each, "min_length", 0) for each in get_default_password_validators()), default=0)
    return f"At least {least} characters; no password that many people use, and nothing like your address."


class Login(_InOurWords, library.LoginForm):  # type: ignore[misc]
    """Log in."""


class Signup(_InOurWords, library.SignupForm):  # type: ignore[misc]
    """Sign up; the password has no older one to tell it from."""

    words: ClassVar[dict[str, str]] = {"password1": "Password", "password2": "Password again"}


class AddEmail(_InOurWords, library.AddEmailForm):  # type: ignore[misc]
    """A further address."""

    words: ClassVar[dict[str, str]] = {"email": "New address"}


class ChangePassword(_InOurWords, library.ChangePasswordForm):  # type: ignore[misc]
    """From the present password to a new one."""


class ResetPassword(_InOurWords, library.ResetPasswordForm):  # type: ignore[misc]
    """Ask for a link that sets a new password."""


class ResetPasswordKey(_InOurWords, library.ResetPasswordKeyForm):  # type: ignore[misc]
    """Set a new password by such a link."""


class Reauthenticate(_InOurWords, library.ReauthenticateForm):  # type: ignore[misc]
    """The password once more."""
