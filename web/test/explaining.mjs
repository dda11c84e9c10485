// Why an event counted or not, the rules, and all objects together: on the page of views and on the Overview.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, send, stage } from "./stage.mjs";
import { object, reported } from "./viewing.mjs";

test("why a view was refused reads as a sentence, then as data", async () => {
  await stage.page.click('.events tr:has(.mark:text-is("repeat fast")) .why');
  const sentence = await stage.page.textContent(".why-panel .sentence");
  assert.match(sentence, /^Not counted: this person's view of the same object .+ earlier was counted already, and .+\.$/);
  assert.equal(await stage.page.textContent(".why-panel h2"), "Why was this not counted?");
  const facts = await stage.page.textContent(".why-panel .facts");
  assert.match(facts, /Rulerepeat fast, version 1/);
  assert.match(facts, /window seconds 30/);
  assert.ok(facts.includes(object));
  await assertAccessible(stage.page, "why");
  await picture(stage.page, "why");

  await stage.page.click('.events tr:has(.mark:text-is("counted")) .why');
  assert.equal(await stage.page.textContent(".why-panel .sentence"), "Counted: no rule objected.");
  assert.equal(await stage.page.textContent(".why-panel h2"), "Why was this counted?");
});

test("an event that comes is listed at once, and what is explained stays", async () => {
  const before = await stage.page.locator(".events tbody tr").count();
  await send({ object, actor: "u5", id: "the newest" });
  await stage.page.waitForFunction(() => document.querySelector(".events tbody tr")?.dataset.event === "the newest", undefined, { timeout: 2000 });
  assert.equal(await stage.page.locator(".events tbody tr").count(), before + 1);
  assert.notEqual(await stage.page.textContent(".why-panel .facts code"), "the newest");
  await reported(8, "5 counted + 2 repeat fast + 1 not human");
});

test("every rule says what it does, whether it is on, and what it refused", async () => {
  const rule = (name) => stage.page.textContent(`[data-rule="${name}"]`);
  assert.match(await rule("repeat_fast"), /^repeat fast\s*on.*30 seconds.*2 refused25\.0 % of events$/);
  assert.match(await rule("not_human"), /1 refused12\.5 % of events$/);
  assert.match(await rule("impossible_time"), /0 refused$/);
});

test("a wire cut and mended: old figures say so, and nothing doubles", async () => {
  stage.proxy.cut();
  await link("lost");
  const colours = await stage.page.evaluate(() => [".figure .value", "h1"].map((one) => getComputedStyle(document.querySelector(one)).color));
  assert.notEqual(colours[0], colours[1], "old figures are grey");
  await send({ object, actor: "u6" });
  stage.proxy.heal();
  await link("live");
  await reported(9, "6 counted + 2 repeat fast + 1 not human");
  await stage.page.waitForFunction(() => document.querySelectorAll(".events tbody tr").length === 9);
});

test("a page that nobody looks at holds no stream; looked at again, it is of now", async () => {
  const look = (hidden) => stage.page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  const streams = stage.proxy.count();
  await look(true);
  await stage.page.waitForFunction(() => document.hidden);
  await send({ object, actor: "u7" });
  for (const until = performance.now() + 5000; stage.proxy.count() >= streams;) {
    assert.ok(performance.now() < until, "the stream is closed");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await reported(9, "6 counted + 2 repeat fast + 1 not human");
  await look(false);
  await reported(10, "7 counted + 2 repeat fast + 1 not human");
  await stage.page.waitForFunction(() => document.querySelectorAll(".events tbody tr").length === 10);
});

test("all objects together: the most seen, each event with its object", async () => {
  await send({ object: "/short", actor: "u1" });
  await stage.page.click("nav a[href='/views']");
  await reported(11, "8 counted + 2 repeat fast + 1 not human");
  assert.equal(await stage.page.textContent("h1"), "Views & rules");
  // A new object is in the ranking once it was written, within ten seconds; the page asks 12 and 24 after the last event.
  await stage.page.waitForFunction(() => document.querySelectorAll(".most tbody tr").length === 2, undefined, { timeout: 30_000 });
  assert.equal(await stage.page.locator(".most button.name").first().getAttribute("title"), object);
  assert.match(await stage.page.textContent(".most tbody tr:first-child td"), /^7\s*exact$/);
  // Eleven views, and the match of two actors (viewing.mjs), which is an event, too.
  await stage.page.waitForFunction(() => document.querySelectorAll(".events tbody tr").length === 12);
  await assertAccessible(stage.page, "all objects");
  await picture(stage.page, "views-all");
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "all objects");
  await picture(stage.page, "views-all-narrow");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
  await stage.page.click(".most tbody tr:nth-child(2) button");
  await reported(1, "1 counted");
  assert.equal(await stage.page.textContent("h1"), "/short");
});

test("the Overview has the events too: live, with the share that was refused and the reasons", async () => {
  await stage.page.keyboard.press("g");
  await stage.page.keyboard.press("o");
  await link("live");
  await stage.page.waitForFunction(() => document.querySelector('[data-figure="events"] .value')?.textContent === "12");
  assert.equal(await stage.page.textContent('[data-figure="refused"] .value'), "3");
  await stage.page.waitForFunction((name) => document.querySelector(".hot tbody tr button.name")?.title === name, object);
  await stage.page.waitForSelector(".trending >> text=No object has more new people than usual");
  assert.equal(await stage.page.textContent('[data-figure="refused"] .note'), "25.0 % of events");
  const before = performance.now();
  await send({ object: "/short", actor: "u1" });
  await stage.page.waitForFunction(() => (
    document.querySelector('[data-series="events"] .chart')?.getAttribute("aria-label").includes("13 events = 9 counted + 4 refused")
  ), undefined, { timeout: 5000 });
  const took = performance.now() - before;
  assert.ok(took < 2000, `shown after ${took.toFixed(0)} ms`);
  await stage.page.waitForFunction(() => /3 refused/.test(document.querySelector('[data-reason="repeat_fast"]')?.textContent ?? ""));
  await assertAccessible(stage.page, "the Overview with events");
  await picture(stage.page, "overview");
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "the Overview with events");
  await picture(stage.page, "overview-narrow");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});
