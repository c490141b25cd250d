"""Addresses of this app."""

from django.urls import URLPattern, path

from leaderboard import cite_urls, downloads, handouts, pages, problem_views, reported_views, views

urlpatterns: list[URLPattern] = [
    path("b/<slug:slug>/", reported_views.or_reported(views.benchmark), name="benchmark"),
    path("b/<slug:slug>/export.zip", handouts.pack_export, name="pack_export"),
    path("b/<slug:slug>/lemmas/", handouts.lemmas, name="lemmas"),
    path("b/<slug:slug>/lemmas.json", handouts.lemmas_json, name="lemmas_json"),
    path("b/<slug:slug>/leaderboard/", reported_views.or_reported(views.board_page), name="board"),
    path("b/<slug:slug>/leaderboard.csv", downloads.board_as_csv, name="board_csv"),
    path("b/<slug:slug>/leaderboard.json", downloads.board_as_json, name="board_json"),
    path("b/<slug:slug>/history/", pages.history, name="history"),
    path("b/<slug:slug>/failures/", pages.failures, name="failures"),
    path("b/<slug:slug>/times/", pages.times, name="times"),
    path("b/<slug:slug>/augmentations/", pages.augmentations, name="augmentations"),
    path("b/<slug:slug>/originality/", pages.originality, name="originality"),
    path("b/<slug:slug>/compare/", pages.compare, name="compare"),
    path("b/<slug:slug>/atlas/", pages.atlas, name="atlas"),
    path("b/<slug:slug>/atlas.json", downloads.atlas_cells, name="atlas_json"),
    path("b/<slug:slug>/plots/history.json", downloads.plot_history, name="plot_history"),
    path("b/<slug:slug>/plots/errors.json", downloads.plot_errors, name="plot_errors"),
    path("b/<slug:slug>/plots/times.json", downloads.plot_times, name="plot_times"),
    path("b/<slug:slug>/reported/", reported_views.reported, name="reported"),
    path("b/<slug:slug>/problems/", problem_views.problem_list, name="problem_list"),
    path("b/<slug:slug>/problems/<str:ident>/", problem_views.problem, name="problem"),
    *cite_urls.urlpatterns,
    path("environments/<str:digest>/", views.environment, name="environment"),
]
