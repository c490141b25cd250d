"""`make screenshots`: pictures of the main pages, from the demo's own site, into docs/images."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from demo import PASSWORD, prepare, show_all
from demo_shows import SHOWS
from demo_site import ROOT, running, settings

SHOW = SHOWS[-1]  # every machine can have its prover
IMAGES = ROOT / "docs" / "images"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]
WIDTHS = {"wide": (1440, 1000), "phone": (390, 844)}


def main() -> int:
    """Run the demo's samples, then look at each page at two widths and in two schemes."""
    env = settings()
    prepare(env, SHOW)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with running(env) as address, sync_playwright() as tools:
        show_all(address, SHOW)
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for scheme in ("light", "dark"):
            for name in WIDTHS:
                pictures(browser, address, scheme, name)
        browser.close()
    return 0


def pictures(browser: Browser, address: str, scheme: str, name: str) -> None:
    """All pages in one scheme and width."""
    width, height = WIDTHS[name]
    context = browser.new_context(
        base_url=address, color_scheme=scheme, viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    page = context.new_page()
    for label, path in addresses(page).items():
        page.goto(path, wait_until="networkidle")
        page.screenshot(path=IMAGES / f"{label}-{name}-{scheme}.png")
    context.close()


def addresses(page: Page) -> dict[str, str]:
    """The main pages, found by following the site's own links as a logged-in member."""
    page.goto("/accounts/login/")
    page.fill("[name=login]", "ada@example.org")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.goto("/submissions/")
    submission = page.locator("main a[href^='/submissions/']").first.get_attribute("href") or "/submissions/"
    page.goto(f"{submission}?reason=undefined_fact")
    log = page.locator(f"a[href^='{submission}']:has(svg.is-failed)").first.get_attribute("href") or submission
    return {
        "home": "/",
        "leaderboard": f"/b/{SHOW.pack}/leaderboard/",
        "submission": submission,
        "log": log,
        "upload": f"/b/{SHOW.pack}/submit/",
        "status": "/status/",
    }


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    sys.exit(main())
