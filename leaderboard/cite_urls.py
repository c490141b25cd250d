"""Addresses that other places hold: files for papers, badges, feeds. They are promised to stay."""

from django.urls import URLPattern, path

from leaderboard import cite_views

urlpatterns: list[URLPattern] = [
    path("b/<slug:slug>/leaderboard.tex", cite_views.board_as_latex, name="board_latex"),
    path("b/<slug:slug>/leaderboard.bib", cite_views.board_as_bibtex, name="board_bibtex"),
    path("b/<slug:slug>/feed.atom", cite_views.feed, name="board_feed"),
    path("b/<slug:slug>/about.jsonld", cite_views.structured_data, name="structured_data"),
    path("b/<slug:slug>/submissions/<str:submission>.bib", cite_views.run_bibtex, name="run_bibtex"),
    path("b/<slug:slug>/submissions/<str:submission>.svg", cite_views.badge_of_run, name="badge_of_run"),
    path("b/<slug:slug>/systems/<str:system>.svg", cite_views.badge_of_system, name="badge_of_system"),
]
