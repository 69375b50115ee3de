// Keeps the parts of a page that change up to date while somebody looks at it. Without this file the page is complete.
// `data-live` is how many milliseconds a part may be old, if not as many as all others.
"use strict";

(() => {
  const PERIOD_MS = 4000;
  const LONGEST_MS = 60000;
  let failures = 0;
  let timer = 0;

  const parts = () => document.querySelectorAll("[data-live]");
  const period = () => Math.min(...Array.from(parts(), (part) => Number(part.dataset.live) || PERIOD_MS));

  async function refresh() {
    const response = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!response.ok) throw new Error(String(response.status));
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const old of parts()) {
      const next = fresh.getElementById(old.id);
      if (next && next.innerHTML !== old.innerHTML && !old.contains(document.activeElement)) old.replaceWith(next);
    }
  }

  function later() {
    clearTimeout(timer);
    if (!document.hidden && parts().length) timer = setTimeout(tick, Math.min(period() * 2 ** failures, LONGEST_MS));
  }

  async function tick() {
    try {
      await refresh();
      failures = 0;
    } catch {
      failures += 1;
    }
    for (const part of parts()) part.toggleAttribute("data-stale", failures > 0);
    later();
  }

  document.addEventListener("visibilitychange", later);
  later();
})();
