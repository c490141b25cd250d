"""The main job in a browser, on the site as it is deployed: from signing up to the leaderboard, with a real prover."""

import csv
import io
import re
import zipfile
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Opener
from tests.e2e.processes import PACK, ROOT, site

pytestmark = [pytest.mark.browser, pytest.mark.rocq]

EMAIL, PASSWORD = "ada@example.org", "a sentence nobody guesses"
CASES = ROOT / "packs" / PACK / "selftest"
EXPECTED = {
    "rights_meet_comm": "proved", "submap_trans": "proved", "steps_inv_caps": "proved", "writes_invisible": "proved",
    "derives_trans": "failed", "index_bound": "failed", "split_app": "failed",
    "keeps_kinds_trans": "rejected", "authority_confinement": "rejected",
    "strip_app": "timeout",
}  # fmt: skip
LOOPS = "strip_app"  # the prover sits on it until its limit, so that the page has something to wait for


def archive(names: dict[str, str], **more: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, verdict in names.items():
            file.writestr(f"1/{name}.v", (CASES / verdict / f"{name}.v").read_text())
        for name, text in more.items():
            file.writestr(f"1/{name}.v", text)
    return out.getvalue()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with site() as url:
        yield url


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Opener]:
    opener = Opener(browser, address)
    yield opener
    opener.end()


def sign_up(page: Page, email: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Sign up").click()
    page.fill("#id_email", email)
    page.fill("#id_password1", PASSWORD)
    page.fill("#id_password2", PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("link", name=email)).to_be_visible()


def team_and_system(page: Page, team: str, system: str) -> None:
    page.goto(f"/b/{PACK}/submit/")
    page.get_by_role("link", name="Create a team").click()
    page.fill("#id_name", team)
    page.get_by_role("button", name="Create the team").click()
    page.get_by_role("link", name="Add a system").click()
    page.fill("#id_name", system)
    page.get_by_role("button", name="Add the system").click()
    expect(page.get_by_role("heading", name=system)).to_be_visible()


def upload(page: Page, name: str, data: bytes) -> None:
    page.goto(f"/b/{PACK}/submit/")
    page.set_input_files("#id_file", {"name": name, "mimeType": "application/zip", "buffer": data})
    page.get_by_role("button", name="Read the file").click()
    expect(page.get_by_role("heading", name="Check before you submit")).to_be_visible()


def finished(page: Page) -> None:
    expect(page.get_by_role("button", name="Publish")).to_be_visible(timeout=90_000)


def test_a_team_uploads_a_zip_and_reads_the_verdicts_of_a_real_prover(visit: Opener) -> None:
    page = visit()
    sign_up(page, EMAIL)
    team_and_system(page, "Sample Lab", "Model A")
    upload(page, "model-a.zip", archive(EXPECTED, submap_tranz="Proof. auto. Qed.\n"))
    report_says(page)
    target = confirm_twice(page)
    progress_moves(page)
    finished(page)
    verdicts_are_right(page, target)
    log_tells_where(page, target)
    stays_private_until_published(visit, page, target)
    board_shows(visit(), target)


def report_says(page: Page) -> None:
    """What will be rejected, what is unknown with what was meant, and that nothing is judged yet."""
    findings = page.get_by_role("region", name="Findings")
    expect(findings).to_contain_text("submap_tranz")
    expect(findings).to_contain_text("Did you mean submap_trans")
    expect(findings.get_by_role("link", name="1/authority_confinement.v").or_(findings)).to_contain_text("admit")
    expect(page.locator("main")).to_contain_text("8 proofs go to the prover, 2 count as rejected")


def confirm_twice(page: Page) -> str:
    """Two clicks before the answer of the first; one submission."""
    page.get_by_role("button", name="Submit 10 proofs").evaluate("button => { button.click(); button.click(); }")
    page.wait_for_url(re.compile("/submissions/[^/]+/$"))
    target = page.url
    page.goto("/submissions/")
    assert page.locator("tbody tr").count() == 1
    page.goto(target)
    return target


def progress_moves(page: Page) -> None:
    """Verdicts appear without a reload while one proof still holds a prover."""
    page.evaluate("window.same = true")
    judged = page.locator(".run .big").first
    expect(page.locator(".run")).to_contain_text(re.compile("Checking|Confirming"), timeout=30_000)
    expect(judged).to_have_text(re.compile(r"^10 of 10"), timeout=90_000)
    assert page.evaluate("window.same")


def verdicts_are_right(page: Page, target: str) -> None:
    """Each proof has the verdict of its case, in the files and in the table."""
    rows = list(csv.DictReader(io.StringIO(page.request.get(f"{target}results.csv").text())))
    assert {row["problem"]: row["verdict"] for row in rows if row["verdict"] != "missing"} == EXPECTED
    results = page.request.get(f"{target}results.json").json()["results"]
    assert {row["problem"]: row["verdict"] for row in results if row["verdict"] != "missing"} == EXPECTED
    page.goto(f"{target}?verdict=failed")
    assert page.locator("table.lemmas tbody tr").count() == 3


def log_tells_where(page: Page, target: str) -> None:
    """The failing line is marked, what follows was not read, and the goal at the failure is shown."""
    page.goto(f"{target}index_bound/1/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("index_bound")
    expect(page.locator(".code li.bad")).to_contain_text("lia.")
    expect(page.get_by_role("region", name="Text of the goal")).to_contain_text("bits")
    expect(page.get_by_role("region", name="Text of the message")).to_contain_text("Cannot find witness")


def stays_private_until_published(visit: Opener, page: Page, target: str) -> None:
    stranger = visit()
    answer = stranger.goto(target)
    assert answer is not None
    assert answer.status == 404
    page.goto(target)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("status")).to_contain_text("Published")
    expect(page.locator(".head")).to_contain_text("Published on")


def board_shows(page: Page, target: str) -> None:
    """Anybody reads the score, reaches the run behind it, and takes the same figures as CSV and JSON."""
    page.goto(f"/b/{PACK}/leaderboard/")
    row = page.locator("table.board tbody tr", has_text="Model A")
    expect(row).to_contain_text("Sample Lab")
    assert row.get_by_role("link").first.get_attribute("href")
    board = page.request.get(f"/b/{PACK}/leaderboard.json").json()
    assert [one["system"] for one in board["rows"]] == ["Model A"]
    assert "Model A" in page.request.get(f"/b/{PACK}/leaderboard.csv").text()
    answer = page.goto(target)
    assert answer is not None
    assert answer.ok


def test_without_scripts_everything_is_readable_and_upload_and_confirm_work(visit: Opener) -> None:
    page = visit(script=False)
    sign_up(page, "ben@example.org")
    team_and_system(page, "Plain Lab", "Model B")
    upload(page, "model-b.zip", archive({"rights_meet_comm": "proved", "derives_trans": "failed"}))
    page.get_by_role("button", name="Submit 2 proofs").click()
    page.wait_for_url(re.compile("/submissions/[^/]+/$"))
    finished(page)  # the page asks again by itself
    page.get_by_role("link", name="derives_trans").first.click()
    expect(page.locator(".code li.bad")).to_contain_text("derives_compose")
    page.goto(f"/b/{PACK}/leaderboard/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto("/status/")
    expect(page.get_by_role("region", name="Workers, may scroll sideways")).to_contain_text("holds")
