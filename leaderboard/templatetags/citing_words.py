"""Addresses for readers elsewhere, where the site knows the name that they reach it by."""

from django import template
from django.http import Http404
from django.urls import reverse

from leaderboard.addresses import absolute, is_known
from leaderboard.citing import run_citation
from leaderboard.published_runs import published_get
from leaderboard.selectors import benchmark_get

register = template.Library()


@register.simple_tag
def known_address(name: str, *arguments: str) -> str:
    """The absolute address of a page, empty where the site is only known to this machine."""
    return absolute(reverse(name, args=arguments)) if is_known() else ""


@register.simple_tag
def absolute_address(name: str, *arguments: str) -> str:
    """The absolute address of a page under the name that the settings give the site."""
    return absolute(reverse(name, args=arguments))


@register.simple_tag
def bibtex_of_run(slug: str, submission: str) -> str:
    """BibTeX of a published run, empty where the current board has never counted it."""
    try:
        benchmark = benchmark_get(slug)
        return run_citation(benchmark, published_get(benchmark, submission))
    except Http404:
        return ""
