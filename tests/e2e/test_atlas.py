"""The map of problems and systems by keyboard, and what is left of it without scripts."""

import json

import pytest

from tests.leaderboard.seed import board_make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_map_is_walked_by_keyboard_and_opens_the_problem_it_tells_of(open_page, client):
    board_make()
    made = json.loads(client.get("/b/toy/atlas.json").content)
    page = open_page(1440)
    page.goto("/b/toy/atlas/")
    canvas = page.locator("canvas")
    canvas.wait_for(state="visible")  # from then on it listens to keys
    canvas.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        canvas.press(key)
    said = page.locator(".atlas-say").inner_text()
    assert said.startswith(f"{made['problems'][2]} ({made['categories'][2]}), {made['systems'][1]}: ")
    canvas.press("Enter")
    page.wait_for_url(f"**/problems/{made['problems'][2]}/")


def test_without_scripts_the_tables_stand_alone(open_page):
    board_make()
    page = open_page(390, script=False)
    page.goto("/b/toy/atlas/")
    assert not page.locator("canvas").is_visible()
    assert page.get_by_role("table", name="Problems counted by how many systems prove them").is_visible()
