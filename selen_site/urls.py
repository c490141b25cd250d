"""Addresses of the whole site; each app owns its own list."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.account.urls")),
    path("", include("submissions.urls")),
    path("", include("leaderboard.urls")),
]

handler400 = "submissions.views.site.bad_request"
handler403 = "submissions.views.site.forbidden"
handler404 = "submissions.views.site.not_found"
handler500 = "submissions.views.site.broken"
