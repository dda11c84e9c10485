// A range of one day or two is drawn by the hour of the zone that is asked for.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, drawn, picture } from "./page.mjs";
import { send, stage } from "./stage.mjs";
import { reported } from "./viewing.mjs";

const object = "/by-the-hour";
// In Berlin the clock was put back from 03:00 to 02:00 at 01:00 UTC: the day has 25 hours.
const long = { from: "2024-10-27", to: "2024-10-27", tz: "Europe/Berlin" };

function show(range) {
  return stage.page.goto(`${stage.proxy.origin}/views?${new URLSearchParams({ object, ...range })}`);
}

/** The rows of the table on which something happened, the heads first, the sum last. */
async function table() {
  const rows = await stage.page.$$eval('[data-series="days"] tr:not(.idle)', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  return rows.map((row) => row.map((cell) => cell.replaceAll("\u00a0", " ")));
}

test("a day of 25 hours shows each of them, and the table has the chart's numbers", async () => {
  for (const time of ["2024-10-27T00:10:00Z", "2024-10-27T01:10:00Z", "2024-10-27T01:50:00Z", "2024-10-27T22:59:59Z"]) {
    await send({ object, actor: time, time });
  }
  await send({ object, actor: "2024-10-27T01:50:00Z", time: "2024-10-27T01:50:10Z" });
  await show(long);
  await reported(5, "4 counted + 1 repeat fast");
  assert.equal(await stage.page.textContent("#days-title"), "Events an hour");
  assert.match(await stage.page.getAttribute('[data-series="days"] .chart', "aria-label"), /at most 3 an hour/);
  await drawn(stage.page, "days", "--chart-counted");
  await assertAccessible(stage.page, "hours");
  await picture(stage.page, "hours");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="days"] tbody tr');
  assert.deepEqual(await table(), [
    ["Hour", "Events", "Counted", "Repeat fast"],
    ["23:00 to 23:59, +01:00", "1", "1", "0"],
    ["02:00 to 02:59, +01:00", "3", "2", "1"],
    ["02:00 to 02:59, +02:00", "1", "1", "0"],
    ["Total", "5", "4", "1"],
  ]);
  await assertAccessible(stage.page, "the table of hours");
  await picture(stage.page, "hours-table");
});

test("a zone moves an hour by half of one", async () => {
  await show({ ...long, tz: "Asia/Kolkata" });
  await reported(4, "3 counted + 1 repeat fast");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="days"] tbody tr');
  assert.deepEqual((await table()).slice(1), [
    ["07:00 to 07:59", "2", "1", "1"], ["06:00 to 06:59", "1", "1", "0"], ["05:00 to 05:59", "1", "1", "0"], ["Total", "4", "3", "1"],
  ]);
});

test("the hours are one click away as a file", async () => {
  const [file] = await Promise.all([
    stage.page.waitForEvent("download"), stage.page.click("[data-series='days'] button:has-text('CSV')"),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  assert.equal(lines[0], "hour,events,counted,refused_repeat_fast");
  assert.equal(lines[1], "2024-10-26T23:30:00Z,1,1,0");
  await stage.page.keyboard.press("t");
});

test("two days by the hour, three by the day", async () => {
  await show({ ...long, from: "2024-10-26" });
  await reported(5, "4 counted + 1 repeat fast");
  assert.equal(await stage.page.textContent("#days-title"), "Events an hour");
  await picture(stage.page, "hours-two-days");
  await show({ ...long, from: "2024-10-25" });
  await reported(5, "4 counted + 1 repeat fast");
  assert.equal(await stage.page.textContent("#days-title"), "Events a day");
});

test("today ends now, and the hour that is not over says so", async () => {
  for (const actor of ["u1", "u2", "u3"]) await send({ object, actor });
  await show({ days: "today" });
  await reported(3, "3 counted");
  // A minute that ends an hour may pass between sending and looking.
  assert.match(await stage.page.textContent('[data-series="days"] .readout'), /to\snow · drawn as a whole hour at this rate/);
  await drawn(stage.page, "days", "--chart-counted");
  await picture(stage.page, "hours-today");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="days"] tbody tr');
  assert.match((await table())[1][0], /^\d\d:00 to now$/);
  assert.deepEqual((await table()).at(-1), ["Total", "3", "3"]);
  await stage.page.keyboard.press("t");
});

test("a day without events says so", async () => {
  await show({ from: "2024-10-20", to: "2024-10-20" });
  await stage.page.waitForSelector('[data-series="days"] .waiting:has-text("No events in this range.")');
  assert.ok(await stage.page.isDisabled("[data-series='days'] button:has-text('CSV')"));
  await assertAccessible(stage.page, "a day without events");
  await picture(stage.page, "hours-empty");
});

test("hours: dark and 320 px are enough for everyone", async () => {
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await show({ ...long, from: "2024-10-26" });
  await reported(5, "4 counted + 1 repeat fast");
  await assertAccessible(stage.page, "hours, dark");
  await picture(stage.page, "hours-dark");
  await stage.page.emulateMedia({ colorScheme: "light" });
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await stage.page.waitForFunction(() => document.querySelector("[data-series='days'] .uplot").offsetWidth <= 320);
  await assertNoSidewaysScroll(stage.page, "hours");
  await assertAccessible(stage.page, "hours, 320 px");
  await picture(stage.page, "hours-narrow");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="days"] tbody tr');
  await assertNoSidewaysScroll(stage.page, "the table of hours");
  await picture(stage.page, "hours-narrow-table");
  await stage.page.keyboard.press("t");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});
