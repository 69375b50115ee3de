"""The page of a match moves while the match is played: a real browser, ladder, referee and bots."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from ladder.store import Store
from ladder.store.local import LocalStore
from tests.ladder_running import running_ladder, settings_for
from tests.live.house import house, plan
from tests.live.test_watching import Eyes, Thoughtful
from tests.patience import PATIENCE_S
from tests.web.test_browser import AUDIT, CONTRAST, PROGRAM, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.needs("chromium")]
PATIENCE_MS = PATIENCE_S * 1_000
PHONE = 390


async def test_a_page_shows_a_match_move_by_move(store: Store, store_server: LocalStore, tmp_path: Path) -> None:
    """Tables, cards and what happened come and go by themselves; when the match is over its result is there.

    The policy for content blocks nothing, nobody else is asked, and what is drawn can be read by everybody.
    """
    eyes = Eyes()
    settings = settings_for(store_server.url, store.keys.tenant, tmp_path)
    async with house(store, tmp_path) as home, running_ladder(settings) as ladder, async_playwright() as playwright:
        bots = [await home.join(name, Thoughtful(eyes.begun)) for name in ("ann", "ben")]
        await home.plan(plan("w.1.1.0", *bots))
        browser = await playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": PHONE, "height": 800})
        page, watch = await visit(context, ladder.addresses, "/matches/w.1.1.0")
        await page.get_by_role("heading", name="Game 1").wait_for(timeout=PATIENCE_MS)
        assert (await page.locator(".places li").all_inner_texts())[0].split()[0] in bots
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE
        assert (await page.evaluate(AUDIT), await page.evaluate(CONTRAST)) == ([], [])
        eyes.begun.set()
        games = page.get_by_role("heading", name="Games")  # all may happen between two looks of the page
        await page.locator(".last li").filter(has_text="drew").or_(games).first.wait_for(timeout=PATIENCE_MS)
        before = await page.locator(".last").all_inner_texts()
        moved = "text => document.querySelector('.last')?.innerText !== text"
        await page.wait_for_function(moved, arg=before[0] if before else "", timeout=PATIENCE_MS)
        await page.get_by_text("won, a hand is empty").or_(games).first.wait_for(timeout=PATIENCE_MS)
        await home.ended("w.1.1.0")
        await games.wait_for(timeout=PATIENCE_MS)
        assert await page.get_by_role("heading", name="Live").count() == 0
        assert (watch.errors, watch.hosts) == ([], {ladder.addresses.web})
        await browser.close()


async def test_a_page_says_that_it_is_not_up_to_date(store: Store, store_server: LocalStore, tmp_path: Path) -> None:
    """What is shown stays, under a line that says so, and goes on when the server answers again."""
    settings = settings_for(store_server.url, store.keys.tenant, tmp_path)
    async with running_ladder(settings) as ladder, async_playwright() as playwright:
        await asyncio.to_thread(store.matches.plan, [plan("w.1.1.0", "ann@1", "ben@1")], 1)
        browser = await playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        context = await browser.new_context()
        page, _ = await visit(context, ladder.addresses, "/matches/w.1.1.0")
        await page.get_by_text("Nothing is shown yet").wait_for(timeout=PATIENCE_MS)
        await context.set_offline(True)
        await page.locator("#match[data-stale]").wait_for(timeout=PATIENCE_MS)
        assert await page.get_by_text("Nothing is shown yet").count() == 1
        await context.set_offline(False)
        await page.locator("#match:not([data-stale])").wait_for(timeout=PATIENCE_MS)
        await browser.close()
