// What is put is shown: from the empty page to headline, chart, table, file and list.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertAccessible, drawn, figures, picture, showing } from "./page.mjs";
import { put, stage } from "./stage.mjs";

const longName = `/articles/${"a-very-long-road-".repeat(12)}`.slice(0, 188) + "the-end-0042";

test("an empty server says how to send the first token", async () => {
  const first = "[aria-labelledby='first-title']"; // the page invites a first event as well
  await stage.page.waitForSelector(first);
  const command = `curl -X PUT -d token ${stage.proxy.origin}/api/v1/counter/object_id`;
  assert.equal(await stage.page.textContent(`${first} .command code`), command);
  await stage.page.click(`${first} .command button`);
  await stage.page.waitForSelector(`${first} .command button:has-text('Copied')`);
  assert.equal(await stage.page.evaluate(() => navigator.clipboard.readText()), command);
  await assertAccessible(stage.page, "empty");
  await picture(stage.page, "empty");
});

test("a PUT moves the headline and the chart within two seconds", async () => {
  await put("/first", "t1");
  await showing(stage.page, 1, 1);
  await stage.page.waitForSelector("[data-series='tokens'] .chart canvas");
  const before = performance.now();
  await put("/first", "t2");
  await showing(stage.page, 2, 2);
  const took = performance.now() - before;
  console.log(`# a PUT was shown after ${took.toFixed(0)} ms`);
  assert.ok(took < 2000, `shown after ${took.toFixed(0)} ms`);
  // In the last minute two seconds are wide enough to see; in an hour they are a hair.
  for (let i = 0; i < 3; i++) await stage.page.keyboard.press("ArrowLeft");
  await drawn(stage.page, "tokens", "--chart-counted");
  await picture(stage.page, "first-tokens");
  for (let i = 0; i < 3; i++) await stage.page.keyboard.press("ArrowRight");
  await stage.page.waitForFunction(() => location.search === "?range=1h");
});

test("what was already counted is told apart, and it adds up", async () => {
  await put("/first", "t1");
  await Promise.all(Array.from({ length: 12 }, (_, i) => put(longName, `p${i}`)));
  await showing(stage.page, 15, 14);
  const { put: all, fresh, already, sum, chart } = await figures(stage.page);
  assert.deepEqual([all, fresh, already], [15, 14, 1]);
  assert.equal(sum, "15 put = 14 new + 1 already counted");
  assert.deepEqual(chart, [15, 14, 1]);
});

test("the largest counters are listed, a long name cut in its middle", async () => {
  const name = stage.page.locator(".largest button.name").first();
  // The list follows the counts by up to a second.
  await stage.page.waitForFunction(() => (
    document.querySelectorAll(".largest tbody tr").length === 2 && document.querySelector(".largest tbody td").textContent.startsWith("12")
  ));
  assert.equal(await name.getAttribute("title"), longName);
  assert.equal(await name.textContent(), longName);
  const cut = await name.evaluate((element) => {
    const head = element.querySelector(".name-head");
    const tail = element.querySelector(".name-tail");
    // One letter more than is seen of the head would not fit into it: nothing is left between the ellipsis and the tail.
    const letters = document.createRange();
    letters.setStart(head, 0);
    const text = document.createTreeWalker(head, NodeFilter.SHOW_TEXT).nextNode();
    const mark = head.parentElement.appendChild(document.createElement("span"));
    mark.textContent = "…";
    mark.style.position = "absolute";
    const room = head.getBoundingClientRect().width - mark.getBoundingClientRect().width;
    mark.remove();
    let hole = room;
    for (let at = 1; at <= text.length; at++) {
      letters.setEnd(text, at);
      const { width } = letters.getBoundingClientRect();
      if (width <= room) hole = room - width;
    }
    return {
      hole,
      headCut: head.scrollWidth > head.clientWidth, tail: tail.textContent, tailWhole: tail.scrollWidth <= tail.clientWidth + 1,
      lines: element.getBoundingClientRect().height,
    };
  });
  assert.ok(cut.headCut && cut.tailWhole, JSON.stringify(cut));
  assert.ok(cut.hole <= 2.5, `${cut.hole} px between the ellipsis and the end of the name`);
  assert.ok(longName.endsWith(cut.tail));
  assert.ok(cut.lines < 40, `the cut name is ${cut.lines} px high`);
  assert.match(await stage.page.textContent(".largest tbody tr:first-child td"), /^12\s*exact$/);
  await stage.page.keyboard.press("Tab");
  await name.focus();
  assert.ok(await name.evaluate((element) => element.getBoundingClientRect().height) > 40, "focus shows the whole name");
  await picture(stage.page, "long-name");
});

test("t shows the chart's table, whose rows add up to the headline", async () => {
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector("[data-series='tokens'] tbody tr");
  const { rows, foot, put: all, fresh, already } = await figures(stage.page);
  const sums = rows.reduce((sum, row) => sum.map((value, i) => value + row[i]), [0, 0, 0]);
  assert.deepEqual(sums, [all, fresh, already]);
  assert.deepEqual(foot, sums);
  await assertAccessible(stage.page, "table");
  await picture(stage.page, "table");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector("[data-series='tokens'] .chart canvas");
});

test("the chart's data is one click away", async () => {
  const [file] = await Promise.all([stage.page.waitForEvent("download"), stage.page.click("[data-series='tokens'] button:has-text('CSV')")]);
  assert.match(file.suggestedFilename(), /^footfall-tokens-1h-[\dTZ-]+\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  assert.equal(lines[0], "time,seconds,put,new,already_counted,above_limit,slowest_commit_ms");
  assert.equal(lines.slice(1).reduce((sum, line) => sum + Number(line.split(",")[2]), 0), 15);
});
