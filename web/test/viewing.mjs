// Views of an object: an event that is sent moves figures and chart; ranges and zones deal them out to other days.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, drawn, picture } from "./page.mjs";
import { link, send, stage } from "./stage.mjs";

export const object = "/articles/2026/11/why-the-sea-is-salty-and-how-it-came-to-be-so-part-0042?lang=en&page=1";
const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const lateYesterday = new Date(midnight - 30 * 60_000).toISOString();
const dayName = (time, timeZone = "UTC") => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone }).format(time);

/** Waits until figures and chart of the days say this. */
export function reported(events, text, timeout = 5000) {
  return stage.page.waitForFunction((sum) => {
    const line = document.querySelector('[data-account="events"] .sum-line')?.textContent;
    const chart = document.querySelector('[data-series="days"] .chart')?.getAttribute("aria-label");
    return line === sum && (chart === undefined || chart.includes(`: ${sum};`));
  }, `${events} ${events === 1 ? "event" : "events"} = ${text}`, { timeout });
}

/** The rows of the table of days on which something happened, the heads first, the sum last. */
function table() {
  return stage.page.$$eval('[data-series="days"] tr:not(.idle)', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
}

test("g v leads to the page of views, / to an object; one that nobody saw says how to send an event", async () => {
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("g");
  await stage.page.keyboard.press("v");
  await link("live");
  assert.equal(new URL(stage.page.url()).pathname, "/views");
  await stage.page.keyboard.press("/");
  await stage.page.keyboard.type(object);
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".first");
  assert.equal(new URL(stage.page.url()).searchParams.get("object"), object);
  assert.equal(await stage.page.textContent("h1"), object);
  assert.equal(await stage.page.title(), `${object} · Footfall`);
  const event = JSON.stringify({ action: "view", object, actor: "u1" });
  assert.equal(await stage.page.textContent(".first .command code"),
    `curl -H 'Content-Type: application/json' -d '${event}' ${stage.proxy.origin}/api/v1/events`);
  await assertAccessible(stage.page, "an object without events");
  await picture(stage.page, "views-empty");
});

test("a new view moves the figures and the chart within two seconds", async () => {
  await send({ object, actor: "u1" });
  await reported(1, "1 counted");
  const before = performance.now();
  await send({ object, actor: "u2" });
  await reported(2, "2 counted");
  const took = performance.now() - before;
  console.log(`# a view was shown after ${took.toFixed(0)} ms`);
  assert.ok(took < 2000, `shown after ${took.toFixed(0)} ms`);
  await drawn(stage.page, "days", "--chart-counted");
  assert.equal(await stage.page.textContent('[data-figure="people"] .value'), "2");
  assert.equal(await stage.page.textContent('[data-figure="people"] .mark'), "exact");
});

test("a refused view stands under its reason, and all adds up", async () => {
  await send({ object, actor: "u2" });
  await send({ object, agent: "ExampleBot/1.0 (+https://example.com/bot)", address: "192.0.2.7" });
  await send({ object, actor: "u2" });
  await send({ object, actor: "u3", time: lateYesterday });
  await reported(6, "3 counted + 2 repeat fast + 1 not human");
  for (const shade of [1, 2]) await drawn(stage.page, "days", `--chart-refused-${shade}`);
  assert.equal(await stage.page.textContent('[data-figure="refused"] .value'), "3");
  await assertAccessible(stage.page, "an object");
  await picture(stage.page, "views-object");
});

test("the table has the days and their people; a zone moves an event to another day", async () => {
  const [today, yesterday] = [dayName(midnight), dayName(midnight - 86_400_000)];
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="days"] tbody tr');
  assert.deepEqual(await table(), [
    ["Day", "Events", "Counted", "Repeat fast", "Not human", "People"],
    [today, "5", "2", "2", "1", "2"],
    [yesterday, "1", "1", "0", "0", "1"],
    ["Total", "6", "3", "2", "1", "3 exact"],
  ]);
  await assertAccessible(stage.page, "the table of days");
  await picture(stage.page, "views-table");

  // Where it is an hour later: yesterday's event came today. After 23:00 UTC those of today came tomorrow there.
  const zone = "Africa/Lagos";
  const now = dayName(Date.now(), zone);
  const late = dayName(new Date(lateYesterday), zone);
  const there = now === late ? [[now, "6", "3", "2", "1", "–"]] : [[now, "5", "2", "2", "1", "–"], [late, "1", "1", "0", "0", "–"]];
  await stage.page.selectOption(".zone select", zone);
  await stage.page.waitForFunction((days) => {
    const rows = [...document.querySelectorAll('[data-series="days"] tbody tr:not(.idle)')];
    return rows.map((row) => row.cells[0].textContent).join() === days;
  }, there.map((row) => row[0]).join());
  assert.equal(new URL(stage.page.url()).searchParams.get("tz"), zone);
  assert.deepEqual((await table()).slice(1), [...there, ["Total", "6", "3", "2", "1", "3 exact"]]);
  assert.match(await stage.page.textContent('[data-series="days"]'), /People are kept by days of UTC/);
  await stage.page.selectOption(".zone select", "UTC");
  await stage.page.waitForFunction(() => document.querySelectorAll('[data-series="days"] tbody tr:not(.idle)').length === 2);
});

test("presets and a range of one's own change the table; arrows walk through them", async () => {
  const yesterday = new Date(midnight - 86_400_000).toISOString().slice(0, 10);
  await stage.page.click('[data-range="today"]');
  await reported(5, "2 counted + 2 repeat fast + 1 not human");
  await stage.page.keyboard.press("ArrowRight");
  await reported(6, "3 counted + 2 repeat fast + 1 not human");
  assert.equal(new URL(stage.page.url()).searchParams.get("days"), "7d");

  await stage.page.click(".ranges button:has-text('Custom')");
  await stage.page.fill(".custom label:nth-child(1) input", new Date(midnight).toISOString().slice(0, 10));
  await stage.page.fill(".custom label:nth-child(2) input", yesterday);
  assert.equal(await stage.page.textContent("#custom-wrong"), "It ends before it begins.");
  await assertAccessible(stage.page, "a range that is none");
  await stage.page.fill(".custom label:nth-child(1) input", yesterday);
  await stage.page.keyboard.press("Enter");
  await reported(1, "1 counted");
  const { searchParams } = new URL(stage.page.url());
  assert.deepEqual([searchParams.get("from"), searchParams.get("to"), searchParams.get("days")], [yesterday, yesterday, null]);
  await picture(stage.page, "views-custom");
  // Also of a range the stream says when there is something new.
  await send({ object, actor: "u4", time: lateYesterday });
  await reported(2, "2 counted", 2000);
  await stage.page.click('[data-range="all"]');
  await reported(7, "4 counted + 2 repeat fast + 1 not human");
});

/** Waits until so many people by profile are shown, beside this note. */
function peopleByProfile(people, note) {
  return stage.page.waitForFunction(([value, said]) => {
    const figure = document.querySelector('[data-figure="by-profile"]');
    return figure?.querySelector(".value").textContent === value && figure.querySelector(".note").textContent === said;
  }, [people, note], { timeout: 8000 });
}

test("people by profile stand beside people: p shows them, and a match makes two actors one", async () => {
  assert.equal(await stage.page.$('[data-figure="by-profile"]'), null);
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("p");
  await peopleByProfile("4", "of 4 actors");
  assert.equal(new URL(stage.page.url()).searchParams.get("by"), "profile");
  assert.equal(await stage.page.getAttribute("button:has-text('By profile')", "aria-pressed"), "true");
  await stage.page.click("button:has-text('By profile')");
  await stage.page.waitForSelector('[data-figure="by-profile"]', { state: "detached" });

  const ids = ["u1", "u2"].map((actor) => ({ identifier: "footfall", id_name: "actor", id_value: actor }));
  const matched = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/identities/match`, { method: "POST", body: JSON.stringify({ ids }) });
  assert.equal(matched.status, 200, await matched.text());
  await stage.page.click("button:has-text('By profile')");
  await peopleByProfile("3", "of 4 actors");
  assert.equal(await stage.page.textContent('[data-figure="people"] .value'), "4");
  assert.equal(await stage.page.textContent('[data-figure="by-profile"] .mark'), "exact");
  await assertAccessible(stage.page, "people by profile");
  await picture(stage.page, "views-by-profile");
  await stage.page.click('[data-range="today"]');
  await peopleByProfile("1", "of 2 actors");
  await stage.page.click('[data-range="all"]');
  await peopleByProfile("3", "of 4 actors");

  const { width, height } = stage.page.viewportSize();
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "people by profile");
  await assertAccessible(stage.page, "people by profile, dark, 320 px");
  await picture(stage.page, "views-by-profile-narrow");
  await stage.page.setViewportSize({ width: 800, height });
  await picture(stage.page, "views-by-profile-middle");
  await stage.page.setViewportSize({ width, height });
  await stage.page.emulateMedia({ colorScheme: "light" });
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("p");
  await stage.page.waitForSelector('[data-figure="by-profile"]', { state: "detached" });
});

test("the days are one click away as a file", async () => {
  const [file] = await Promise.all([
    stage.page.waitForEvent("download"), stage.page.click("[data-series='days'] button:has-text('CSV')"),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  assert.equal(lines[0], "day,events,counted,refused_repeat_fast,refused_not_human,people");
  assert.deepEqual(lines.slice(1).map((line) => line.split(",").slice(1).join()), ["2,2,0,0,2", "5,2,2,1,2"]);
  await stage.page.keyboard.press("t");
});

test("what the server refuses is said in its words, with a way out", async () => {
  const address = new URL(stage.page.url());
  address.searchParams.set("tz", "Mars/Olympus");
  address.searchParams.set("days", "7d");
  await stage.page.goto(address.href);
  await stage.page.waitForSelector(".problem-refused");
  assert.match(await stage.page.textContent(".problem-refused"), /no time zone "Mars\/Olympus"/);
  await assertAccessible(stage.page, "a zone that is none");
  await picture(stage.page, "views-refused");
  await stage.page.click(".problem-refused button");
  await reported(7, "4 counted + 2 repeat fast + 1 not human");
  const { searchParams } = new URL(stage.page.url());
  assert.deepEqual([searchParams.get("object"), searchParams.get("tz"), searchParams.get("days")], [object, null, null]);
});

test("views: light, dark and 320 px are enough for everyone", async () => {
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.waitForSelector('html[data-theme="dark"]');
  await assertAccessible(stage.page, "views, dark");
  await picture(stage.page, "views-dark");
  await stage.page.emulateMedia({ colorScheme: "light" });
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await stage.page.waitForFunction(() => document.querySelector("[data-series='days'] .uplot").offsetWidth <= 320);
  await assertNoSidewaysScroll(stage.page, "views");
  await assertAccessible(stage.page, "views, 320 px");
  await picture(stage.page, "views-narrow");
  await stage.page.click(".ranges button:has-text('Custom')");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="days"] tbody tr');
  await assertNoSidewaysScroll(stage.page, "the table of days");
  await stage.page.keyboard.press("t");
  await stage.page.click(".ranges button:has-text('Custom')");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});
