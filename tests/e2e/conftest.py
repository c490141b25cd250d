"""A browser of the distribution, and a page that fails the test for every foreign request or refused script."""

import os
import shutil
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.seed import PASSWORD

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-quic",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    return {"executable_path": shutil.which("chromium"), "args": FLAGS}


@pytest.fixture(scope="session", autouse=True)
def django_beside_a_loop() -> Iterator[None]:
    """Playwright runs an event loop in this thread, which Django would take for asynchronous code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Watch:
    """What a page did that it must not do."""

    def __init__(self, page: Page, host: str) -> None:
        self.faults: list[str] = []
        page.on("request", lambda request: self._request(request.url, host))
        page.on("console", lambda message: self._console(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _request(self, url: str, host: str) -> None:
        if urlsplit(url).netloc != host and not url.startswith("blob:"):
            self.faults.append(f"request to {url}")

    def _console(self, text: str) -> None:
        if "Content Security Policy" in text:
            self.faults.append(text)


class Opener:
    """Opens pages of one site and collects what each of them did."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.contexts: list[BrowserContext] = []
        self.watches: list[Watch] = []

    def __call__(
        self, width: int = 1440, scheme: str = "light", email: str = "", password: str = PASSWORD, script: bool = True
    ) -> Page:
        """A page in a session of its own, logged in where an address is given."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            base_url=self.url,
            java_script_enabled=script,
        )
        self.contexts.append(context)
        page = context.new_page()
        self.watches.append(Watch(page, urlsplit(self.url).netloc))
        if email:
            page.goto("/accounts/login/")
            page.fill("#id_login", email)
            page.fill("#id_password", password)
            page.get_by_role("button", name="Log in").click()
            page.wait_for_url("**/")
        return page

    def end(self) -> None:
        """Close everything and fail for whatever a page must not have done."""
        for context in self.contexts:
            context.close()
        assert [fault for watch in self.watches for fault in watch.faults] == []


@pytest.fixture
def open_page(browser: Browser, live_server) -> Iterator[Opener]:
    """Open a page of a given width and scheme, logged in or not."""
    opener = Opener(browser, live_server.url)
    yield opener
    opener.end()
