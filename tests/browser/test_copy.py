"""One click puts a command, a signature, code or a section's link on the clipboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.published import ENTRY, entry, entry_url, visit
from tests.browser.watch import OpenContext
from tests.built import Site

_REFUSE_CLIPBOARD = "navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));"
_REFUSE_COMMAND = "document.execCommand = () => false;"


@pytest.fixture
def entry_page(built_site: Site, context: BrowserContext, page: Page) -> Page:
    context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=built_site.origin.rstrip("/")
    )
    visit(page, entry_url(built_site))
    return page


def clipboard(page: Page) -> str:
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def copy_button(page: Page, what: str) -> Locator:
    return page.get_by_role("button", name=f"Copy {what}", exact=True)


def test_commands_of_the_checklist(built_site: Site, entry_page: Page) -> None:
    steps = entry(built_site)["confirm"]
    commands = {number: step["run"] for number, step in enumerate(steps, 1) if "run" in step}
    assert commands

    for number, command in commands.items():
        copy_button(entry_page, f"command of step {number}").click()
        expect(copy_button(entry_page, f"command of step {number}")).to_have_text("Copied")
        assert clipboard(entry_page) == command


@pytest.mark.parametrize(
    ("what", "field", "key"), [("signature", "signatures", "match"), ("code", "code", "code")]
)
def test_every_signature_and_code_example(
    built_site: Site, entry_page: Page, what: str, field: str, key: str
) -> None:
    texts = [each[key] for each in entry(built_site)[field]]
    buttons = entry_page.get_by_role("button", name=re.compile(f"^Copy {what}[ :]"))
    expect(buttons).to_have_count(len(texts))

    for button, text in zip(buttons.all(), texts, strict=True):
        button.click()
        expect(button).to_have_text("Copied")
        assert clipboard(entry_page) == text


def test_the_button_says_so_for_a_moment(entry_page: Page) -> None:
    button = copy_button(entry_page, "confirming command")
    expect(button).to_have_text("Copy")

    button.click()

    expect(button).to_have_text("Copied")
    expect(entry_page.get_by_role("status")).to_contain_text("Copied")
    expect(button).to_have_text("Copy")


def test_link_to_a_section(built_site: Site, entry_page: Page) -> None:
    heading = entry_page.get_by_role("heading", name="Fix it")
    heading.hover()
    heading.get_by_role("link", name="Link to section Fix it").click()

    address = f"{entry_url(built_site)}#fix"
    expect(entry_page.get_by_role("status")).to_have_text("Copied the link to this section")
    assert clipboard(entry_page) == address
    assert entry_page.url == address


def test_by_keyboard(built_site: Site, entry_page: Page) -> None:
    entry_page.get_by_role("group", name="command of step 1", exact=True).focus()
    entry_page.keyboard.press("Tab")
    expect(copy_button(entry_page, "command of step 1")).to_be_focused()

    entry_page.keyboard.press("Enter")

    expect(copy_button(entry_page, "command of step 1")).to_have_text("Copied")
    assert clipboard(entry_page) == entry(built_site)["confirm"][0]["run"]


def test_each_button_says_what_it_copies(entry_page: Page) -> None:
    blocks = entry_page.locator("article .fb-cmd pre")
    # Those that find a signature are folded away, each with its block.
    buttons = entry_page.get_by_role("button", name=re.compile("^Copy ."), include_hidden=True)

    assert blocks.count() > 10
    expect(buttons).to_have_count(blocks.count())


def test_where_the_clipboard_is_refused(built_site: Site, entry_page: Page) -> None:
    entry_page.evaluate(f"() => {{ {_REFUSE_CLIPBOARD} }}")

    copy_button(entry_page, "command of step 1").click()

    expect(copy_button(entry_page, "command of step 1")).to_have_text("Copied")
    assert clipboard(entry_page) == entry(built_site)["confirm"][0]["run"]


def test_from_an_address_without_tls(
    built_site: Site, context: BrowserContext, entry_page: Page
) -> None:
    """Such a page has no `navigator.clipboard`: somebody's own copy inside a company."""
    elsewhere = built_site.url.replace(built_site.origin, "http://faultbook.test/")
    context.route(
        f"{elsewhere}**",
        lambda route: route.fulfill(
            response=route.fetch(url=route.request.url.replace(elsewhere, built_site.url))
        ),
    )
    page = context.new_page()
    visit(page, f"{elsewhere}failures/{ENTRY}/")
    assert page.evaluate("window.isSecureContext") is False

    copy_button(page, "command of step 1").click()

    expect(copy_button(page, "command of step 1")).to_have_text("Copied")
    entry_page.bring_to_front()
    assert clipboard(entry_page) == entry(built_site)["confirm"][0]["run"]


def test_where_nothing_can_copy_the_text_is_selected(built_site: Site, entry_page: Page) -> None:
    entry_page.evaluate(f"() => {{ {_REFUSE_CLIPBOARD} {_REFUSE_COMMAND} }}")
    button = copy_button(entry_page, "command of step 1")

    button.click()

    expect(button).to_have_text("Press Ctrl+C")
    expect(entry_page.get_by_role("status")).to_contain_text("Copying was refused")
    selected = entry_page.evaluate("getSelection().toString()")
    assert selected == entry(built_site)["confirm"][0]["run"]


def test_without_javascript_there_is_no_button(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(javascript=False)
    page = context.new_page()
    page.goto(entry_url(built_site))

    expect(page.locator("article .fb-cmd pre").first).to_be_visible()
    expect(page.locator("article button:visible")).to_have_count(0)
