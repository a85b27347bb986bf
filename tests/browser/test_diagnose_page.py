"""The page for whole logs: paste, files, samples; what it answers, and what it never does."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, Request, expect

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


def choose(page: Page, *files: FilePayload | Path) -> None:
    """Chooses files, or one folder as a browser lists it."""
    folder = len(files) == 1 and isinstance(files[0], Path) and files[0].is_dir()
    chooser = page.locator("#fb-folder" if folder else "#fb-files")
    chooser.set_input_files(list(files))  # type: ignore[arg-type]


def rows(page: Page) -> Locator:
    """The rows of the timeline."""
    return page.locator(".fb-row")


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
    choose(
        diagnose,
        file("rank0.log.gz", gzip.compress(OOM.encode())),
        file("rank1.log", b"\n" * 20_000 + b"step 1\r\n" * 200_000 + TIMEOUT.encode()),
    )

    expect(verdict(diagnose)).to_contain_text("Rank 0 failed first")
    expect(diagnose.locator(".fb-finding--initiator")).to_contain_text("rank0.log.gz:1")
    expect(diagnose.locator(".fb-finding--collateral")).to_contain_text("rank1.log:220001")
    neighbour = diagnose.locator(".fb-finding--collateral .fb-lines > span").first
    expect(neighbour).to_contain_text(re.compile(r"219999\s*step 1"))
    expect(diagnose.locator(".fb-work")).to_be_hidden()
    assert watch.requests[before:] == []
    watch.assert_clean(built_site.url)


@pytest.mark.parametrize(
    ("name", "content", "command"),
    [
        ("rank0.log.zst", b"\x28\xb5\x2f\xfd", "zstd -dc rank0.log.zst > rank0.log"),
        # What is in it counts, not its name.
        ("rank0.log", b"\xfd7zXZ\x00", "xz -dc < rank0.log > rank0.log.txt"),
        ("logs.zip", b"PK\x03\x04", "unzip -d logs logs.zip"),
        ("run.tar.gz", b"\x1f\x8b", "mkdir -p run && tar -xf run.tar.gz -C run"),
        ("; rm -rf ~.xz", b"\xfd7zXZ\x00", "xz -dc '; rm -rf ~.xz' > '; rm -rf ~'"),
        ("it's.bz2", b"BZh9", "bzip2 -dc 'it'\\''s.bz2' > 'it'\\''s'"),
    ],
)
def test_what_browsers_cannot_unpack_comes_with_the_command(
    diagnose: Page, name: str, content: bytes, command: str
) -> None:
    choose(diagnose, file(name, content))

    unread = diagnose.get_by_role("region", name="Not read")
    expect(unread).to_contain_text(name)
    expect(unread.get_by_role("group")).to_have_text(command)
    expect(verdict(diagnose)).to_have_count(0)


def test_the_rest_is_read_where_one_file_cannot_be(diagnose: Page) -> None:
    whole = gzip.compress((f"{TIMEOUT}\n" * 9).encode() + bytes(range(256)) * 4000)
    choose(
        diagnose,
        file("rank0.log", OOM.encode()),
        file("rank1.log.gz", whole[: len(whole) - 20]),
        file("rank2.log.zst", b"\x28\xb5\x2f\xfd"),
    )

    expect(verdict(diagnose)).to_contain_text("Rank 0 failed first")
    unread = diagnose.get_by_role("region", name="Not read").get_by_role("listitem")
    expect(unread).to_have_count(2)
    expect(unread.nth(0)).to_contain_text("rank1.log.gz: damaged")
    expect(unread.nth(1)).to_contain_text("rank2.log.zst")


def collateral(rank: int) -> str:
    return TIMEOUT.replace("Rank 1]", f"Rank {rank}]")


def test_a_folder_with_the_logs_of_500_ranks(diagnose: Page, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/HEAD").write_text(OOM)
    for rank in range(500):
        text = OOM if rank == 17 else "" if rank == 321 else collateral(rank)
        (folder / f"rank{rank}.log").write_text(f"starting\n{text}\n")

    choose(diagnose, folder)

    expect(verdict(diagnose)).to_contain_text("Rank 17 failed first")
    expect(diagnose.locator(".fb-verdict")).to_contain_text("500 files, 500 ranks read")
    expect(rows(diagnose)).to_have_count(3)
    expect(rows(diagnose).nth(0)).to_contain_text(re.compile("rank 17 ?failed first"))
    expect(rows(diagnose).nth(1)).to_contain_text(
        re.compile(r"ranks 0.16, 18.320, 322.499 \(498\)")
    )
    expect(rows(diagnose).nth(1)).to_contain_text("a consequence")
    expect(rows(diagnose).nth(2)).to_contain_text("rank 321")
    expect(findings(diagnose)).to_have_count(2)
    # Names are those below the folder, as for the command.
    expect(diagnose.locator(".fb-finding--initiator")).to_contain_text("rank17.log:2")


def test_dropped_files(diagnose: Page) -> None:
    """Dropped beside the form, too: the browser must not leave the page."""
    diagnose.evaluate(
        """([oom, timeout]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([oom], "rank0.log"));
          transfer.items.add(new File([timeout], "rank1.log"));
          for (const kind of ["dragover", "drop"]) {
            const event = new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true });
            document.querySelector("footer").dispatchEvent(event);
            if (!event.defaultPrevented) throw new Error(kind);
          }
        }""",
        [OOM, TIMEOUT],
    )

    expect(verdict(diagnose)).to_contain_text("Rank 0 failed first")
    expect(diagnose.locator("[data-source]")).to_contain_text("2 files")


def test_the_timeline_is_in_the_order_of_the_times(diagnose: Page) -> None:
    late = collateral(0).replace("05:14:36", "05:14:59")
    choose(diagnose, file("rank0.log", late.encode()), file("rank1.log", TIMEOUT.encode()))

    expect(rows(diagnose).nth(0)).to_contain_text("05:14:36.393")
    expect(rows(diagnose).nth(0)).to_contain_text("rank 1")
    expect(rows(diagnose).nth(1)).to_contain_text("05:14:59.393")
    expect(rows(diagnose).nth(1)).to_contain_text("rank 0")


def test_a_rank_that_is_silent_stands_in_the_timeline(diagnose: Page) -> None:
    logs = "\n".join(f"[rank{rank}]: {collateral(rank)}" for rank in range(8) if rank != 5)
    log(diagnose).fill(logs)

    expect(verdict(diagnose)).to_contain_text("Suspected to have failed first: rank 5")
    expect(rows(diagnose).first).to_contain_text("rank 5")
    expect(rows(diagnose).first).to_contain_text("suspected first")
    # What is missing comes with the command that fetches it, to copy.
    missing = diagnose.get_by_role("region", name="Missing")
    expect(missing.get_by_role("button", name="Copy").first).to_be_visible()


def test_ten_thousand_ranks(diagnose: Page) -> None:
    lines = [f"[rank{rank}]: {collateral(rank)}" for rank in range(10_000) if rank != 17]
    choose(diagnose, file("all.log", "\n".join([f"[rank17]: {OOM}", *lines]).encode()))

    expect(verdict(diagnose)).to_contain_text("Rank 17 failed first")
    expect(rows(diagnose).nth(1)).to_contain_text("(9,999)")
    assert diagnose.locator(".fb-answer *").count() < 1500


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 MB, with the failure of one rank at its end."""
    path = tmp_path_factory.mktemp("big") / "all.log"
    block = b"".join(
        b"[rank%d]: step 17 loss 2.345 of an epoch\n" % (at % 8) for at in range(25_000)
    )
    with path.open("wb") as out:
        while out.tell() < 60_000_000:
            out.write(block)
        out.write(f"[rank3]: {OOM}\n[rank4]: {collateral(4)}\nlast\n".encode())
    return path


def test_a_big_file_shows_how_far_it_is_and_its_lines(diagnose: Page, big: Path) -> None:
    choose(diagnose, big)

    expect(diagnose.get_by_role("progressbar")).to_be_visible()
    expect(diagnose.locator("[data-far]")).to_contain_text("of 60 MB · all.log")
    # The page answers meanwhile.
    longest: float = diagnose.evaluate(
        """async () => {
          let longest = 0;
          let last = performance.now();
          while (!document.querySelector(".fb-work").hidden) {
            await new Promise((resolve) => setTimeout(resolve, 4));
            longest = Math.max(longest, performance.now() - last);
            last = performance.now();
          }
          return longest;
        }"""
    )
    expect(verdict(diagnose)).to_contain_text("Rank 3 failed first")
    assert longest < 500, f"{longest:.0f} ms without an answer"
    lines = diagnose.locator(".fb-finding--initiator .fb-lines")
    expect(lines.locator("mark")).to_contain_text("[rank3]: torch.OutOfMemoryError")
    expect(lines.locator("span").first).to_contain_text("step 17 loss")
    expect(lines).to_contain_text("[rank4]")
    total = sum(1 for _ in big.open("rb"))
    expect(lines.locator("mark .fb-lines__number")).to_have_text(str(total - 2))


def test_cancel(diagnose: Page, big: Path, watch: Watch) -> None:
    wake(diagnose)
    before = len(watch.requests)
    choose(diagnose, big)
    diagnose.get_by_role("button", name="Cancel").click()

    expect(diagnose.locator(".fb-answer")).to_contain_text("Cancelled")
    expect(diagnose.locator(".fb-work")).to_be_hidden()
    # What was cancelled comes to nothing, and the next works.
    choose(diagnose, file("rank0.log", CERTAIN[0].encode()))
    expect(findings(diagnose).first).to_have_attribute("data-id", CERTAIN[1])
    diagnose.wait_for_timeout(1000)
    expect(findings(diagnose)).to_have_count(1)
    assert watch.requests[before:] == []


def test_typing_while_a_file_is_read(diagnose: Page, big: Path) -> None:
    choose(diagnose, big)
    expect(diagnose.get_by_role("progressbar")).to_be_visible()
    log(diagnose).focus()
    diagnose.keyboard.insert_text(CERTAIN[0])

    expect(findings(diagnose).first).to_have_attribute("data-id", CERTAIN[1])
    expect(log(diagnose)).to_have_value(CERTAIN[0])
    expect(diagnose.locator(".fb-work")).to_be_hidden()
    diagnose.wait_for_timeout(1000)
    expect(findings(diagnose)).to_have_count(1)


def paste(page: Page, box: Locator, text: str) -> None:
    """Pastes as a browser does: only where nobody takes it, it goes into the field."""
    box.evaluate(
        """(area, [start, times, end]) => {
          const data = new DataTransfer();
          data.setData("text/plain", start.repeat(times) + end);
          area.focus();
          const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
          if (area.dispatchEvent(event)) document.execCommand("insertText", false, data.getData("text/plain"));
        }""",
        ["step 17 loss 2.345 of an epoch, all is well\n", 120_000, text],
    )


def test_a_long_paste_is_read_beside_the_page(diagnose: Page) -> None:
    paste(diagnose, log(diagnose), OOM)

    expect(findings(diagnose).first).to_contain_text("line 120001")
    expect(log(diagnose)).to_have_value("")
    expect(diagnose.locator("[data-source]")).to_contain_text("Pasted text")


def test_the_fix_is_visible_without_scrolling(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(width=1280, height=720)
    page = context.new_page()
    visit(page, f"{built_site.url}diagnose/")
    expect(log(page)).to_be_enabled()
    log(page).fill(f"[rank0]: {OOM}\n[rank1]: {TIMEOUT}")

    fix = page.get_by_role("region", name="Fix")
    expect(fix.get_by_role("group", name="fix command")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("group", name="confirming command")).to_be_in_viewport(ratio=1)


def test_the_form_does_not_move_when_an_answer_comes(diagnose: Page) -> None:
    tools = diagnose.locator(".fb-paste__note")
    before = tools.bounding_box()
    for text in (CERTAIN[0], "\n".join([OOM] * 50), NOTHING, ""):
        log(diagnose).fill(text)
        assert tools.bounding_box() == before


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

    diagnose.get_by_role("button", name="Copy as Markdown").click()
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
    diagnose.get_by_text("Preview").click()
    expect(diagnose.locator(".fb-preview mark").first).to_be_visible()


#: What may not matter to any request: texts, files, and how it ends.
GIVEN: dict[str, list[FilePayload] | str] = {
    "no match": NOTHING,
    "two ranks": f"[rank0]: {OOM}\n[rank1]: {TIMEOUT}",
    "long": OOM * 2_000,
    "files": [
        {"name": "rank0.log", "mimeType": "", "buffer": OOM.encode()},
        {"name": "rank1.log.gz", "mimeType": "", "buffer": gzip.compress(TIMEOUT.encode())},
    ],
    "not to be unpacked": [{"name": "x.zst", "mimeType": "", "buffer": b"\x28\xb5\x2f\xfd"}],
    "damaged": [{"name": "x.gz", "mimeType": "", "buffer": b"\x1f\x8b and no more"}],
    "binary": [{"name": "x.log", "mimeType": "", "buffer": bytes(range(256)) * 5000}],
    "an address": "GET https://evil.example.net/x.png <img src=https://evil.example.net/y>",
}


Sent = tuple[str, str, str | None]


def sent_by(context: BrowserContext) -> list[Sent]:
    """Method, address and body of each request from now on; of a web socket the address."""
    sent: list[Sent] = []

    def request(one: Request) -> None:
        sent.append((one.method, one.url, one.post_data))

    def page(one: Page) -> None:
        one.on("websocket", lambda socket: sent.append(("WebSocket", socket.url, None)))

    context.on("request", request)
    context.on("page", page)
    return sent


def test_no_request_depends_on_the_log(built_site: Site, open_context: OpenContext) -> None:
    """All visits ask for the same, in the same order, and for nothing once the log is there."""
    asked: dict[str, list[Sent]] = {}
    for name, given in GIVEN.items():
        context, watch = open_context()
        sent = sent_by(context)
        page = context.new_page()
        visit(page, f"{built_site.url}diagnose/")
        expect(log(page)).to_be_enabled()
        wake(page)
        page.wait_for_load_state("networkidle")
        before = len(sent)
        if isinstance(given, str):
            log(page).fill(given)
        else:
            choose(page, *given)
        expect(page.locator(".fb-answer > *").first).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(300)
        assert sent[before:] == [], name
        assert page.url == f"{built_site.url}diagnose/"
        assert page.evaluate("[localStorage.length, sessionStorage.length]") in ([0, 0], [1, 0])
        watch.assert_clean(built_site.url)
        # The worker and the page load side by side.
        asked[name] = sorted(sent, key=str)
        context.close()
    first = asked["no match"]
    assert first
    assert {name: sent for name, sent in asked.items() if sent != first} == {}


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
    ranks = "\n".join(f"[rank{rank}]: {collateral(rank)}" for rank in range(1, 40))
    for text in ("", NOTHING, TIMEOUT, f"[rank0]: {OOM} {private}\n{ranks}"):
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
