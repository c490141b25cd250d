"""The board's views without a mouse, and on paper: whatever has the focus is seen, whatever is printed is whole."""

import pytest
from playwright.sync_api import Page

from tests.leaderboard.seed import board_make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

VIEWS = ("leaderboard", "history", "failures", "times", "compare", "atlas", "problems/lemma_0001")
FOCUSED = """() => {
  const here = document.activeElement, box = here.getBoundingClientRect(), style = getComputedStyle(here);
  if (here === document.body) return null;
  const top = document.elementFromPoint(box.left + Math.min(box.width / 2, 20), box.top + box.height / 2);
  return { name: here.outerHTML.slice(0, 120), outlined: style.outlineStyle !== "none",
    seen: box.width > 1 && top !== null && (here.contains(top) || top.contains(here)) };
}"""
CUT = """() => [...document.querySelectorAll("main table, main .pre, main canvas, main img")]
  .filter((each) => each.getClientRects().length && each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("width", [390, 1440])
def test_whatever_has_the_focus_is_in_sight_and_outlined(width, open_page):
    board_make()
    page = open_page(width)
    for view in VIEWS:
        page.goto(f"/b/toy/{view}/", wait_until="networkidle")
        hidden = []
        for _ in range(120):
            page.keyboard.press("Tab")
            found = page.evaluate(FOCUSED)
            if found is None:
                break
            if not (found["outlined"] and found["seen"]):
                page.wait_for_timeout(500)  # the page may still scroll to it, or draw a plot above it
                found = page.evaluate(FOCUSED)
            if not (found["outlined"] and found["seen"]):
                hidden.append(found)
        assert hidden == [], view


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_shows_every_table_whole_and_dark_on_white_without_controls(scheme, open_page):
    board_make()
    page = open_page(1047, scheme)  # A4 across, without its margins
    for view in VIEWS:
        page.goto(f"/b/toy/{view}/", wait_until="networkidle")
        page.emulate_media(media="print")
        assert page.evaluate(CUT) == [], view
        assert not _visible(page, ".filters, .tabs, .nav, .plot-box, .copy"), view
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        if view == "atlas":
            corner = page.evaluate(
                "[...document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 1).data]"
            )
            assert corner == [0, 0, 0, 255]  # the reference proves the first problem
        page.emulate_media(media="screen")


def _visible(page: Page, selector: str) -> bool:
    return any(each.is_visible() for each in page.locator(selector).all())
