"""All settings. Whatever differs between hosts comes from the environment; docs/settings.md lists every variable."""

from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

from selen_site import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.path("SELEN_DATA_DIR", BASE_DIR / "var")
PACKS_DIR = env.path("SELEN_PACKS_DIR", BASE_DIR / "packs")

# Production is the default, so that forgetting a variable can only be too strict (selen_site.production).
PRODUCTION = env.text("SELEN_MODE", "production") != "development"
DEBUG = env.flag("SELEN_DEBUG", False)
DEFAULT_SECRET = "not-a-secret-for-development-alone"  # noqa: S105 (production refuses to start with it)
SECRET_KEY = env.text("SELEN_SECRET_KEY", DEFAULT_SECRET)
ALLOWED_HOSTS = env.words("SELEN_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("SELEN_CSRF_ORIGINS")
BASE_URL = env.text("SELEN_BASE_URL", "http://127.0.0.1:8000")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "django_rq",
    "verifier",
    "submissions",
    "leaderboard",
]
MIDDLEWARE = [
    "selen_site.guard.StorableAddress",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "selen_site.guard.BodyLimit",  # before whatever reads a form, and that is the check against forged requests
    "django.middleware.csrf.CsrfViewMiddleware",
    "selen_site.guard.StorableForm",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "selen_site.ready.DatabaseReady",
]
ROOT_URLCONF = "selen_site.urls"
WSGI_APPLICATION = "selen_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# SQLite: WAL, immediate transactions and a busy timeout, so that workers and web can write at the same time.
DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'selen.sqlite3'}")
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis is a bell and a cache, never the truth. Sockets have short paths: 107 bytes at most.
REDIS_URL = env.text("REDIS_URL", f"unix://{DATA_DIR / 'run' / 'redis.sock'}?db=0")
RQ_QUEUES = {"default": {"URL": REDIS_URL, "DEFAULT_TIMEOUT": 3600, "SERIALIZER": "rq.serializers.JSONSerializer"}}
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "cache",
        "OPTIONS": {"MAX_ENTRIES": 5000},
    }
}

AUTH_USER_MODEL = "submissions.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_FORMS = {
    "login": "submissions.account_forms.Login",
    "signup": "submissions.account_forms.Signup",
    "add_email": "submissions.account_forms.AddEmail",
    "change_password": "submissions.account_forms.ChangePassword",
    "reset_password": "submissions.account_forms.ResetPassword",
    "reset_password_from_key": "submissions.account_forms.ResetPasswordKey",
    "reauthenticate": "submissions.account_forms.Reauthenticate",
}
ACCOUNT_EMAIL_VERIFICATION = env.text("SELEN_EMAIL_VERIFICATION", "mandatory")
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if BASE_URL.startswith("https") else "http"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
EMAIL_BACKEND = env.text("SELEN_EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_HOST = env.text("SELEN_EMAIL_HOST", "localhost")
DEFAULT_FROM_EMAIL = env.text("SELEN_EMAIL_FROM", "Selen <noreply@localhost>")

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = DATA_DIR / "media"  # uploads are handed out by views alone, never by address
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
FILE_UPLOAD_PERMISSIONS = 0o600

# No inline script, no inline style, nothing from another host.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
_SECURE = BASE_URL.startswith("https")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("SELEN_BEHIND_PROXY", False) else None
SECURE_HSTS_SECONDS = 31_536_000 if _SECURE else 0

# Uploads: an archive is refused above these (design, sections 3 and 6).
MAX_UPLOAD_BYTES = env.integer("SELEN_MAX_UPLOAD_MB", 50) * 1_000_000
MAX_INFLATED_BYTES = env.integer("SELEN_MAX_INFLATED_MB", 100) * 1_000_000
MAX_MEMBERS = env.integer("SELEN_MAX_MEMBERS", 20_000)
MAX_FORM_BYTES = DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # of a form without its file; it stays in memory
DRAFT_MINUTES = env.integer("SELEN_DRAFT_MINUTES", 60)

# Queue and judge.
SLICE_PROOFS = env.integer("SELEN_SLICE_PROOFS", 60)
LEASE_SECONDS = env.integer("SELEN_LEASE_SECONDS", 60)
KEEPER_SECONDS = env.integer("SELEN_KEEPER_SECONDS", 5)
AUDIT_PERCENT = env.integer("SELEN_AUDIT_PERCENT", 2)  # of the proved proofs of sets with over 100 problems
SANDBOX_UID = env.integer("SELEN_SANDBOX_UID", 61000)  # first of one uid per worker slot, when started as root
COMMAND_UID = SANDBOX_UID - 1  # of commands and trials, which may run beside every worker

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env.text("SELEN_LOG_LEVEL", "INFO")},
}
