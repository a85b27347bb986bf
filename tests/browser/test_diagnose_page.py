"""The page for whole logs: paste, files, samples; what it answers, and what it never does."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect

from tests.browser.published import entries, entry, visit
from tests.browser.test_search import CERTAIN, NOTHING
from tests.browser.watch import ColorScheme, OpenContext, Watch
from tests.built import Site

OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total "
    "capacity of 79.15 GiB of which 10.20 GiB is free. Process 123 has 68.90 GiB memory in use. Of "
    "the allocated memory 68.10 GiB is allocated by PyTorch, and 300.00 MiB is reserved by PyTorch "
    "but unallocated."
)
TIMEOUT = (
    "[E626 05:14:36.393067540 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0 Rank 1] Watchdog caught "
    "collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, "
    "Timeout(ms)=600000) ran for 600010 milliseconds before timing out."
)
PRIVATE = ("hf_abcdefghijklmnopqrst", "alice", "10.20.30.40", "node-17.acme.internal", "acme")


def log(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Log")


def verdict(page: Page) -> Locator:
    return page.locator(".fb-verdict__title")


def findings(page: Page) -> Locator:
    return page.locator(".fb-finding")


def wake(page: Page) -> None:
    """Give the first sign of a reader, with which the theme's scripts come."""
    with page.expect_response(lambda response: "/bundle." in response.url):
        page.mouse.move(5, 5)


def report(page: Page) -> str:
    return page.locator("[data-report]").text_content() or ""


@pytest.fixture
def diagnose(built_site: Site, page: Page) -> Page:
    visit(page, f"{built_site.url}diagnose/")
    expect(log(page)).to_be_enabled()
    return page


def test_a_pasted_line(built_site: Site, diagnose: Page) -> None:
    line, id_ = CERTAIN

    log(diagnose).fill(f"starting\n\n{line}\n")

    first = findings(diagnose).first
    expect(first).to_have_attribute("data-id", id_)
    expect(first.get_by_role("link", name=entry(built_site, id_)["title"])).to_be_visible()
    expect(first.locator("mark")).to_contain_text(line)
    expect(first.locator("mark .fb-lines__number")).to_have_text("3")
    cheapest = next(
        (one for one in entry(built_site, id_)["confirm"] if one.get("cheapest")),
        entry(built_site, id_)["confirm"][0],
    )
    if cheapest.get("run"):
        command = diagnose.get_by_role("group", name="confirming command")
        expect(command).to_have_text(cheapest["run"].strip())


def file(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "", "buffer": content}


def test_two_ranks_in_one_paste(diagnose: Page) -> None:
    log(diagnose).fill(f"[rank0]: {OOM}\n[rank1]: {TIMEOUT}")

    expect(verdict(diagnose)).to_contain_text("Rank 0 failed first")
    expect(diagnose.locator(".fb-first")).to_contain_text("rank 0 certain")
    expect(diagnose.locator(".fb-finding--initiator")).to_contain_text("rank 0")
    expect(diagnose.locator(".fb-finding--collateral")).to_contain_text("rank 1")


def test_files_of_two_ranks(diagnose: Page, built_site: Site, watch: Watch) -> None:
    wake(diagnose)
    before = len(watch.requests)
    diagnose.locator("input[type=file]").set_input_files(
        [
            file("rank0.log.gz", gzip.compress(OOM.encode())),
            file("rank1.log", b"\n" * 20_000 + b"step 1\r\n" * 200_000 + TIMEOUT.encode()),
        ]
    )

    expect(verdict(diagnose)).to_contain_text("Rank 0 failed first")
    expect(diagnose.locator(".fb-finding--initiator")).to_contain_text("rank0.log.gz:1")
    expect(diagnose.locator(".fb-finding--collateral")).to_contain_text("rank1.log:220001")
    expect(diagnose.locator(".fb-work")).to_be_hidden()
    assert watch.requests[before:] == []
    watch.assert_clean(built_site.url)


def test_a_file_that_cannot_be_unpacked_is_named(diagnose: Page) -> None:
    diagnose.locator("input[type=file]").set_input_files([file("logs.zip", b"PK\x03\x04 nothing")])

    expect(diagnose.locator(".fb-answer")).to_contain_text("logs.zip")


def test_each_offered_sample_finds_its_entry(diagnose: Page) -> None:
    options = diagnose.locator("#fb-sample option:not([value=''])")
    offered: list[str] = options.evaluate_all("all => all.map(option => option.value)")
    assert offered
    for id_ in offered:
        diagnose.get_by_label("Try a sample").select_option(id_)

        # The answer to the last sample stands until the new one is there.
        link = diagnose.locator(f".fb-answer .fb-item__title[href$='/failures/{id_}/']")
        expect(link.first).to_be_attached()


def test_no_entry_matches(diagnose: Page) -> None:
    log(diagnose).fill(NOTHING)

    expect(verdict(diagnose)).to_have_text("No entry matches this log")
    expect(diagnose.get_by_role("link", name="contribute an entry")).to_be_visible()


def test_clearing(diagnose: Page) -> None:
    log(diagnose).fill(OOM)
    expect(verdict(diagnose)).to_be_visible()

    diagnose.get_by_role("button", name="Clear").click()

    expect(log(diagnose)).to_have_value("")
    expect(log(diagnose)).to_be_focused()
    expect(verdict(diagnose)).to_have_count(0)


def test_the_report_is_masked(built_site: Site, context: BrowserContext, diagnose: Page) -> None:
    context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=built_site.origin.rstrip("/")
    )
    line, id_ = CERTAIN
    log(diagnose).fill(f"{line} {' '.join(PRIVATE[:-1])} user=alice /home/alice/acme/train.py")
    expect(verdict(diagnose)).to_be_visible()

    diagnose.get_by_role("button", name="Copy report").click()
    expect(diagnose.get_by_role("button", name="Copied")).to_be_visible()
    copied: str = diagnose.evaluate("navigator.clipboard.readText()")

    assert copied == report(diagnose)
    assert f"failures/{id_}/" in copied
    assert line in copied
    assert [value for value in PRIVATE if value in copied] == []
    diagnose.get_by_text("What was masked").click()
    masked = diagnose.locator(".fb-masked table")
    for value in PRIVATE[:-1]:
        expect(masked).to_contain_text(value)


def test_no_request_depends_on_the_log(built_site: Site, open_context: OpenContext) -> None:
    """Two visits with different logs ask for the same, and for nothing after the log is there."""
    asked: list[list[str]] = []
    for text in (NOTHING, f"[rank0]: {OOM}\n[rank1]: {TIMEOUT}", OOM * 2_000):
        context, watch = open_context()
        page = context.new_page()
        visit(page, f"{built_site.url}diagnose/")
        expect(log(page)).to_be_enabled()
        wake(page)
        before = len(watch.requests)
        log(page).fill(text)
        expect(verdict(page)).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert watch.requests[before:] == []
        assert page.url == f"{built_site.url}diagnose/"
        assert page.evaluate("[localStorage.length, sessionStorage.length]") in ([0, 0], [1, 0])
        watch.assert_clean(built_site.url)
        asked.append(sorted(watch.requests))
        context.close()
    assert asked[0] == asked[1] == asked[2]


def test_by_keyboard(built_site: Site, diagnose: Page) -> None:
    line, id_ = CERTAIN
    log(diagnose).focus()
    diagnose.keyboard.insert_text(line)
    expect(findings(diagnose).first).to_be_visible()
    link = findings(diagnose).first.get_by_role("link")

    for _ in range(20):
        diagnose.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    diagnose.keyboard.press("Enter")

    diagnose.wait_for_url(f"{built_site.url}failures/{id_}/", wait_until="networkidle")


def test_the_verdict_is_announced(diagnose: Page) -> None:
    log(diagnose).fill(NOTHING)

    status = diagnose.get_by_role("status").filter(has_text="No entry matches this log")
    expect(status).to_have_count(1)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(
    built_site: Site, open_context: OpenContext, scheme: ColorScheme, width: int
) -> None:
    context, _ = open_context(color_scheme=scheme, width=width)
    page = context.new_page()
    visit(page, f"{built_site.url}diagnose/")
    expect(log(page)).to_be_enabled()
    found: list[Any] = []
    private = " ".join(PRIVATE)
    for text in ("", NOTHING, f"[rank0]: {OOM} {private}\n[rank1]: {TIMEOUT}"):
        log(page).fill(text)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        found += Axe().run(page).response["violations"]
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(overflow) <= 0
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("how", ["file", "no scripts"])
def test_where_it_cannot_work_it_says_so(
    built_site: Site, open_context: OpenContext, how: str
) -> None:
    context, watch = open_context(javascript=how == "file")
    page = context.new_page()
    file = built_site.folder / "diagnose/index.html"
    page.goto(file.as_uri() if how == "file" else f"{built_site.url}diagnose/")

    expect(page.get_by_text("This page reads logs in your browser")).to_be_visible()
    expect(page.locator("article :is(textarea, select, button, input):visible")).to_have_count(0)
    watch.assert_clean("file://" if how == "file" else built_site.url)


def test_samples_travel_with_the_page(built_site: Site, diagnose: Page, watch: Watch) -> None:
    wake(diagnose)
    before = len(watch.requests)
    first = diagnose.locator("#fb-sample option:not([value=''])").first
    id_ = first.get_attribute("value") or ""

    diagnose.get_by_label("Try a sample").select_option(id_)

    logs = [sample["log"] for sample in entry(built_site, id_)["samples"]]
    assert log(diagnose).input_value() in [one.replace("\r\n", "\n") for one in logs]
    assert watch.requests[before:] == []
    assert id_ in {listed["id"] for listed in entries(built_site)}
