// Keeps the parts of a page that change up to date while somebody looks at it. Without this file the page is complete.
"use strict";

(() => {
  const PERIOD_MS = 4000;
  const LONGEST_MS = 60000;
  let wait = PERIOD_MS;
  let timer = 0;

  const parts = () => document.querySelectorAll("[data-live]");

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
    if (!document.hidden && parts().length) timer = setTimeout(tick, wait);
  }

  async function tick() {
    try {
      await refresh();
      wait = PERIOD_MS;
    } catch {
      wait = Math.min(wait * 2, LONGEST_MS);
    }
    later();
  }

  document.addEventListener("visibilitychange", later);
  later();
})();
