"""Pages in a real browser: no outside request, no error, both colour schemes, with and without JavaScript."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from ladder.app import Addresses
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Running
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.needs("chromium")]
READING = pytest.mark.asyncio(loop_scope="module")
PROGRAM = "/usr/bin/chromium"
HERE = Path(__file__).parent
AUDIT = (HERE / "accessibility.js").read_text("utf-8")
CONTRAST = (HERE / "contrast.js").read_text("utf-8")
PATHS = ["/", f"/ladders/{FORMAT}", "/bots/careful", "/tournaments/spring-cup", "/matches", "/matches/spring-cup.1.1.0"]


@asynccontextmanager
async def started() -> AsyncIterator[Browser]:
    """Run a browser without a window."""
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield found
        await found.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests that only read."""
    async with started() as found:
        yield found


class Watch:
    """What a browser complained about, and which hosts it asked."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))


async def visit(context: BrowserContext, ladder: Addresses, path: str) -> tuple[Page, Watch]:
    """Open a page."""
    page = await context.new_page()
    watch = Watch(page)
    await page.goto(f"http://{ladder.web}{path}", wait_until="load")
    return page, watch


@READING
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_pages_ask_nobody_else_have_no_errors_and_enough_contrast(
    showcase: Addresses, browser: Browser, scheme: str
) -> None:
    """Everything comes from this server, the policy for content blocks nothing of ours, and all text can be read.

    It is 4.5 : 1 against what is behind it, in both colour schemes.
    """
    async with await browser.new_context(color_scheme=scheme) as context:  # type: ignore[arg-type]
        for path in PATHS:
            page, watch = await visit(context, showcase, path)
            assert (watch.errors, watch.hosts) == ([], {showcase.web}), path
            assert await page.evaluate(CONTRAST) == [], path
            await page.close()


@READING
async def test_pages_are_complete_without_javascript(showcase: Addresses, browser: Browser) -> None:
    """All rows, bars and links are there, and columns can be sorted."""
    async with await browser.new_context(java_script_enabled=False) as context:
        page, _ = await visit(context, showcase, f"/ladders/{FORMAT}")
        assert await page.locator("tbody tr").count() == 4
        await page.get_by_role("link", name="Bot", exact=True).click()
        rows = page.locator("tbody tr")
        assert (await rows.nth(0).inner_text()).split()[1] == "careful@1"
        await page.get_by_role("link", name="Bot", exact=False).nth(1).click()
        await page.get_by_role("link", name="random@1").click()
        assert await page.get_by_role("heading", level=1).inner_text() == "random"


async def test_a_page_keeps_itself_up_to_date(ladder: Running, house: House) -> None:
    """A new result appears without a reload."""
    async with started() as browser:
        page, _ = await visit(await browser.new_context(), ladder.addresses, "/tournaments/spring-cup")
        assert "11 of 12 matches" in await page.get_by_role("status").inner_text()
        plan = house.store.matches.get("spring-cup.12.1.1")
        house.play_row(plan)
        await page.get_by_text("12 of 12 matches").wait_for(timeout=PATIENCE_S * 1_000)


@READING
async def test_nothing_is_wider_than_a_telephone(showcase: Addresses, browser: Browser) -> None:
    """Wide tables scroll inside their frame, the page does not."""
    async with await browser.new_context(viewport={"width": 390, "height": 800}) as context:
        for path in PATHS:
            page, _ = await visit(context, showcase, path)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 390, path
            await page.close()


@READING
async def test_bars_are_drawn_on_one_scale(showcase: Addresses, browser: Browser) -> None:
    """A higher rating is further right, and every interval holds its rating."""
    async with await browser.new_context() as context:
        page, _ = await visit(context, showcase, "/tournaments/spring-cup")
        bars = page.locator("#standings tbody svg[role=img]")
        points = [float(await bars.nth(row).locator(".point").get_attribute("cx") or 0) for row in range(4)]
        low = [float(await bars.nth(row).locator(".whisker").get_attribute("x1") or 0) for row in range(4)]
        high = [float(await bars.nth(row).locator(".whisker").get_attribute("x2") or 0) for row in range(4)]
        assert points == sorted(points, reverse=True)
        assert all(left < point < right for left, point, right in zip(low, points, high, strict=True))


@READING
async def test_pages_can_be_read_by_a_screen_reader(showcase: Addresses, browser: Browser) -> None:
    """Captions, scopes, labels, words for pictures, unique ids and an order of headings."""
    async with await browser.new_context() as context:
        for path in [*PATHS, "/bots", "/ladders", "/tournaments", "/nope"]:
            page, _ = await visit(context, showcase, path)
            assert await page.evaluate(AUDIT) == [], path
            await page.close()
