// Returns what is wrong with the page it runs in, a line each.
() => {
  const faults = [];
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption) faults.push("a table without caption");
    for (const head of table.querySelectorAll("th")) if (!head.scope) faults.push("a heading without scope: " + head.innerText);
  }
  for (const picture of document.querySelectorAll("svg"))
    if (!picture.closest("[aria-hidden]") && (picture.getAttribute("role") !== "img" || !picture.getAttribute("aria-label"))) faults.push("a picture without words");
  for (const field of document.querySelectorAll("input, select")) if (!field.labels.length) faults.push("a field without label");
  for (const link of document.querySelectorAll("a")) if (!link.innerText.trim() && !link.querySelector("img")) faults.push("an empty link " + link.href);
  const ids = [...document.querySelectorAll("[id]")].map(found => found.id);
  if (new Set(ids).size !== ids.length) faults.push("an id twice: " + ids);
  const levels = [...document.querySelectorAll("h1, h2, h3")].map(found => Number(found.tagName[1]));
  if (levels[0] !== 1 || levels.some((level, index) => index && level > levels[index - 1] + 1)) faults.push("headings " + levels);
  return faults;
}
