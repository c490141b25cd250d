"""Addresses that other places hold: files for papers, badges, feeds, pictures. They are promised to stay."""

from django.urls import URLPattern, path

from leaderboard import cite_views, picture_views

urlpatterns: list[URLPattern] = [
    path("b/<slug:slug>/leaderboard.tex", cite_views.board_as_latex, name="board_latex"),
    path("b/<slug:slug>/leaderboard.bib", cite_views.board_as_bibtex, name="board_bibtex"),
    path("b/<slug:slug>/feed.atom", cite_views.feed, name="board_feed"),
    path("b/<slug:slug>/about.jsonld", cite_views.structured_data, name="structured_data"),
    path("b/<slug:slug>/submissions/<str:submission>.bib", cite_views.run_bibtex, name="run_bibtex"),
    path("b/<slug:slug>/submissions/<str:submission>.svg", cite_views.badge_of_run, name="badge_of_run"),
    path("b/<slug:slug>/systems/<str:system>.svg", cite_views.badge_of_system, name="badge_of_system"),
    path("b/<slug:slug>/pictures/standings.svg", picture_views.standings, name="picture_standings"),
    path("b/<slug:slug>/pictures/standings.png", picture_views.card, name="picture_card"),
    path("b/<slug:slug>/pictures/errors.svg", picture_views.errors, name="picture_errors"),
    path("b/<slug:slug>/pictures/times.svg", picture_views.times, name="picture_times"),
    path("b/<slug:slug>/pictures/history.svg", picture_views.history, name="picture_history"),
]
