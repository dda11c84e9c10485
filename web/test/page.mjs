// What the tests read off the page, and how they ask whether it can be used by everyone.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Headline, chart and table, read in one moment: between two readings a second may pass. */
export function figures(page) {
  return page.evaluate(() => {
    const number = (text) => Number((text ?? "").replaceAll(",", ""));
    const figure = (name) => number(document.querySelector(`[data-figure="${name}"] .value`)?.textContent);
    const series = '[data-series="tokens"]';
    const rows = [...document.querySelectorAll(`${series} tbody tr`)].map((row) =>
      [...row.querySelectorAll("td")].slice(0, -1).map((cell) => number(cell.textContent)));
    const foot = [...document.querySelectorAll(`${series} tfoot td`)].slice(0, -1).map((cell) => number(cell.textContent));
    const chart = /: ([\d,]+) put = ([\d,]+) new \+ ([\d,]+) already counted(?: \+ ([\d,]+) above a limit)?;/
      .exec(document.querySelector(`${series} .chart`)?.getAttribute("aria-label") ?? "");
    return {
      put: figure("put"), fresh: figure("new"), already: figure("already"),
      sum: document.querySelector('[data-account="tokens"] .sum-line')?.textContent ?? "",
      chart: chart === null ? null : chart.slice(1).filter((part) => part !== undefined).map(number),
      rows, foot,
    };
  });
}

/** Waits until headline and chart both show these figures. */
export async function showing(page, put, fresh, timeout = 5000) {
  const grouped = (value) => value.toLocaleString("en-US");
  await page.waitForFunction(([all, some]) => {
    const figure = (name) => document.querySelector(`[data-figure="${name}"] .value`)?.textContent;
    const chart = document.querySelector('[data-series="tokens"] .chart');
    return figure("put") === all && figure("new") === some
      && (chart === null || chart.getAttribute("aria-label").includes(`: ${all} put = ${some} new`));
  }, [grouped(put), grouped(fresh)], { timeout });
}

/** Waits until an area of a chart, of so many dots at least, is drawn in a colour of the style sheet, not only said to be. */
export function drawn(page, series, colour, least = 100) {
  return page.waitForFunction(([id, name, dots]) => {
    const canvas = document.querySelector(`[data-series="${id}"] .chart canvas`);
    if (canvas === null) return false;
    const wanted = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 6 && data[i + 3] > 250) found++;
    }
    return found > dots;
  }, [series, colour, least], { timeout: 5000 });
}

export async function assertAccessible(page, state) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate((tags) => axe.run(document, { runOnly: { type: "tag", values: tags } }), rules);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
  assert.deepEqual(found, [], `axe-core, ${state}`);
}

export async function assertNoSidewaysScroll(page, state) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 320, `${state}: ${width} px wide in a window of 320`);
}

/** The texts of these elements as far as they can be seen: without what is cut off or left out. */
export function seen(page, selector) {
  return page.$$eval(selector, (elements) => elements.map((element) => {
    const clips = [];
    for (let one = element; one !== null; one = one.parentElement) if (getComputedStyle(one).overflow !== "visible") clips.push(one);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let text = "";
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const within = [];
      for (let one = node.parentElement; one !== element; one = one.parentElement) within.push(one);
      if (within.some((one) => getComputedStyle(one).clipPath !== "none")) continue;
      const bounds = [...clips, ...within.filter((one) => getComputedStyle(one).overflow !== "visible")].map((one) => one.getBoundingClientRect());
      for (let at = 0; at < node.data.length; at++) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { left, right } = range.getBoundingClientRect();
        if (left >= 0 && right <= innerWidth && bounds.every((box) => left >= box.left - 1 && right <= box.right + 1)) text += node.data[at];
      }
    }
    return text;
  }));
}

export async function picture(page, name) {
  const folder = process.env.FOOTFALL_SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
