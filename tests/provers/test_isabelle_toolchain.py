"""Where an installation is looked for, how its release is read, what is known to be wrong with it."""

from pathlib import Path

import pytest

from verifier.core.process import Command, LimitHit, Outcome
from verifier.provers.base import ToolchainInfo, Unavailable
from verifier.provers.isabelle import adapter, faults, toolchain
from verifier.provers.isabelle.builds import Report

ANSWER = "Isabelle2025\nid \nML_IDENTIFIER=polyml-5.9.1_x86_64_32-linux\nML_HOME=/x\nISABELLE_HEAPS_SYSTEM=/y\n"


def installation(folder: Path, news: str = "") -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "isabelle").touch(mode=0o755)
    (folder / "NEWS").write_text(news, encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(toolchain.HOME_VARIABLE, raising=False)
    monkeypatch.delenv(toolchain.ROOT_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "/nowhere")


def says(stdout: str, exit_code: int = 0, asked: list[Command] | None = None, limit: LimitHit | None = None):
    def run(command: Command) -> Outcome:
        if asked is not None:
            asked.append(command)
        return Outcome(exit_code, None, limit, stdout.encode(), b"", 1, 1, 1)

    return run


def test_without_an_installation_the_answer_says_what_to_do() -> None:
    found = toolchain.probe(says(ANSWER))
    assert isinstance(found, Unavailable)
    assert "isabelle on PATH" in found.reason
    assert toolchain.HOME_VARIABLE in found.remedy


def test_a_named_folder_without_isabelle_is_told_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(toolchain.HOME_VARIABLE, str(tmp_path))
    found = toolchain.probe(says(ANSWER))
    assert isinstance(found, Unavailable)
    assert str(tmp_path) in found.reason


def test_an_installation_that_does_not_answer_is_told_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(toolchain.HOME_VARIABLE, str(installation(tmp_path / "Isabelle")))
    found = toolchain.probe(says("no java here", exit_code=2))
    assert isinstance(found, Unavailable)
    assert "does not answer: no java here" in found.reason
    late = toolchain.probe(says(ANSWER, exit_code=137, limit=LimitHit.WALL))
    assert isinstance(late, Unavailable)
    assert "ended by the limit on wall" in late.reason


def test_the_named_folder_goes_before_path_and_path_leads_through_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, other = installation(tmp_path / "named"), installation(tmp_path / "other")
    links = tmp_path / "links"
    links.mkdir()
    (links / "isabelle").symlink_to(other / "bin" / "isabelle")
    monkeypatch.setenv("PATH", str(links))
    assert [place["home"] for place in toolchain.places()] == [str(other)]
    monkeypatch.setenv(toolchain.HOME_VARIABLE, str(named))
    assert [place["home"] for place in toolchain.places()] == [str(named)]
    assert {place["inside"] for place in toolchain.places()} == {toolchain.INSIDE}


def test_an_image_root_becomes_the_root_of_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installation(tmp_path / "home" / "isabelle" / "Isabelle2025")
    monkeypatch.setenv(toolchain.ROOT_VARIABLE, str(tmp_path))
    asked: list[Command] = []
    found = toolchain.probe(says(ANSWER, asked=asked))
    assert isinstance(found, ToolchainInfo)
    assert asked[0].root == tmp_path
    assert asked[0].argv[-1] == "/home/isabelle/Isabelle2025/bin/isabelle"
    assert dict(asked[0].readonly) == {}


def test_a_release_is_named_by_itself_and_a_development_version_by_the_release_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    news = "New in this Isabelle version\n\nNew in Isabelle2024 (May 2024)\n\nNew in Isabelle2023 (September 2023)\n"
    monkeypatch.setenv(toolchain.HOME_VARIABLE, str(installation(tmp_path / "Isabelle", news)))
    release = toolchain.probe(says(ANSWER))
    assert isinstance(release, ToolchainInfo)
    assert (release.name, release.version) == ("Isabelle2025", "2025 polyml-5.9.1_x86_64_32-linux")
    assert not release.tried
    development = toolchain.probe(says(ANSWER.replace("Isabelle2025", "Isabelle").replace("id ", "id 0123abcd")))
    assert isinstance(development, ToolchainInfo)
    assert development.version.startswith("2024+0123abcd ")


@pytest.mark.parametrize(
    ("version", "count"),
    [("2024+2d6638d8e6df x", 1), ("2025 x", 1), ("2025-1 x", 1), ("2025-2 x", 0), ("2026 x", 0)],
)
def test_known_faults_go_by_the_release(version: str, count: int) -> None:
    assert len(faults.known(version)) == count


def test_the_release_whose_build_accepts_sorry_says_so() -> None:
    assert "sorry" in faults.known("2025-1 x")[0].summary


def test_the_releases_that_the_driver_was_tried_with_are_written_down() -> None:
    page = (Path(__file__).parents[2] / "docs" / "provers" / "isabelle.md").read_text(encoding="utf-8")
    assert [release for release in toolchain.TRIED if f"`{release}`" not in page] == []


@pytest.mark.parametrize("tried", [True, False])
def test_another_release_is_told_to_the_readers_of_scores(tried: bool) -> None:
    info = ToolchainInfo("Isabelle2031", "2031 x", {}, tried)
    said = adapter._remarks(info, Report({}, {}, {}))
    assert said == (() if tried else ("Selen was not tried with this release of Isabelle yet (2031 x).",))
