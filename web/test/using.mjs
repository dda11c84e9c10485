// The page as it is used: look-up, keys, both themes, a narrow window.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { stage } from "./stage.mjs";

test("/ looks an object up", async () => {
  await stage.page.keyboard.press("/");
  assert.equal(await stage.page.evaluate(() => document.activeElement?.id), "look-up-name");
  await stage.page.keyboard.type("/first");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".answer-count");
  assert.match(await stage.page.textContent(".answer-count"), /^2\s*exact$/);
  assert.equal(await stage.page.textContent(".look-up .command code"), `curl ${stage.proxy.origin}/api/v1/counter/%2Ffirst`);
  await stage.page.fill("#look-up-name", "never seen");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForFunction(() => document.querySelector(".answer .value")?.textContent === "0");
  await stage.page.click(".largest tbody tr:first-child button");
  await stage.page.waitForFunction(() => document.querySelector(".answer .value")?.textContent === "12");
});

test("a refused look-up shows the server's own words", async () => {
  const name = "x".repeat(1030);
  const answer = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/counter/${name}`, { headers: { Accept: "application/json" } });
  assert.equal(answer.status, 414);
  const { detail } = await answer.json();
  await stage.page.fill("#look-up-name", name);
  await stage.page.press("#look-up-name", "Enter");
  await stage.page.waitForSelector(".look-up .problem-refused");
  assert.ok((await stage.page.textContent(".look-up .problem-refused")).includes(detail));
  await assertAccessible(stage.page, "refused look-up");
  await picture(stage.page, "refused");
});

test("keys: ranges, the list of keys, pages", async () => {
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("ArrowLeft");
  await stage.page.waitForFunction(() => location.search === "?range=15m");
  assert.equal(await stage.page.textContent(".range[aria-pressed='true']"), "15 min");
  await stage.page.keyboard.press("ArrowRight");
  await stage.page.waitForFunction(() => location.search === "?range=1h");
  await stage.page.keyboard.press("?");
  await stage.page.waitForSelector("dialog[open]");
  assert.match(await stage.page.textContent("dialog"), /Look up an object/);
  await assertAccessible(stage.page, "list of keys");
  await picture(stage.page, "keys");
  await stage.page.keyboard.press("Escape");
  await stage.page.waitForSelector("dialog[open]", { state: "detached" });
  await stage.page.keyboard.press("g");
  await stage.page.keyboard.press("o");
  assert.equal(new URL(stage.page.url()).pathname, "/");
});

test("light and dark can be used by everyone", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(stage.page, colorScheme);
    await picture(stage.page, colorScheme);
  }
  await stage.page.emulateMedia({ colorScheme: "light" });
});

test("320 px are enough", async () => {
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await stage.page.waitForFunction(() => document.querySelector("[data-series='tokens'] .uplot").offsetWidth <= 320);
  await assertNoSidewaysScroll(stage.page, "chart");
  await assertAccessible(stage.page, "320 px");
  await picture(stage.page, "narrow");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector(".series-table");
  await assertNoSidewaysScroll(stage.page, "table");
  await picture(stage.page, "narrow-table");
  await stage.page.keyboard.press("t");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});
