"""Addresses of this app."""

from django.urls import URLPattern, path

from leaderboard import analysis_views, cite_urls, download_views, handout_views, problem_views, reported_views, views

urlpatterns: list[URLPattern] = [
    path("b/<slug:slug>/", reported_views.or_reported(views.benchmark), name="benchmark"),
    path("b/<slug:slug>/export.zip", handout_views.pack_export, name="pack_export"),
    path("b/<slug:slug>/lemmas/", handout_views.lemmas, name="lemmas"),
    path("b/<slug:slug>/lemmas.json", handout_views.lemmas_json, name="lemmas_json"),
    path("b/<slug:slug>/leaderboard/", reported_views.or_reported(views.board_page), name="board"),
    path("b/<slug:slug>/leaderboard.csv", download_views.board_as_csv, name="board_csv"),
    path("b/<slug:slug>/leaderboard.json", download_views.board_as_json, name="board_json"),
    *(
        path(f"b/<slug:slug>/{name}.csv", download_views.analysis_as_csv, {"name": name}, name=f"{name}_csv")
        for name in download_views.ANALYSES
    ),
    path("b/<slug:slug>/history/", analysis_views.history, name="history"),
    path("b/<slug:slug>/failures/", analysis_views.failures, name="failures"),
    path("b/<slug:slug>/times/", analysis_views.times, name="times"),
    path("b/<slug:slug>/augmentations/", analysis_views.augmentations, name="augmentations"),
    path("b/<slug:slug>/originality/", analysis_views.originality, name="originality"),
    path("b/<slug:slug>/compare/", analysis_views.compare, name="compare"),
    path("b/<slug:slug>/atlas/", analysis_views.atlas, name="atlas"),
    path("b/<slug:slug>/atlas.json", download_views.atlas_cells, name="atlas_json"),
    path("b/<slug:slug>/plots/history.json", download_views.plot_history, name="plot_history"),
    path("b/<slug:slug>/plots/errors.json", download_views.plot_errors, name="plot_errors"),
    path("b/<slug:slug>/plots/times.json", download_views.plot_times, name="plot_times"),
    path("b/<slug:slug>/reported/", reported_views.reported, name="reported"),
    path("b/<slug:slug>/problems/", problem_views.problem_list, name="problem_list"),
    path("b/<slug:slug>/problems/<str:ident>/", problem_views.problem, name="problem"),
    *cite_urls.urlpatterns,
    path("environments/<str:digest>/", views.environment, name="environment"),
]
