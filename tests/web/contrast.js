// Returns what is wrong with the page it runs in, a line each.
() => {
  const numbers = text => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = found => {
    for (let node = found; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (colour.startsWith("rgb(")) return numbers(colour);
      if (colour.startsWith("color(srgb")) return numbers(colour.slice(10)).slice(0, 3).map(v => v * 255);
    }
    return [255, 255, 255];
  };
  const faults = [];
  for (const found of document.querySelectorAll("body *")) {
    const own = [...found.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || found.closest("svg, .sr, script, .skip, option") || !found.getClientRects().length) continue;
    const [a, b] = [light(numbers(getComputedStyle(found).color)), light(behind(found))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) faults.push(found.className + " " + found.innerText + " " + ((a + .05) / (b + .05)).toFixed(2));
  }
  return faults;
}
