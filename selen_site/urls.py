"""Addresses of the whole site; each app owns its own list."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("", include("submissions.urls")),
    path("", include("leaderboard.urls")),
]
