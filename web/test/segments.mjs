// Segments: what is sent is seen within two seconds, in the list and in the map; what each two share can be read by keyboard, as a table and as a file.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { match, standsOn } from "./matching.mjs";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, stage } from "./stage.mjs";

const injected = "<img src=x onerror=\"document.title='taken'\"> & Söhne, 100 %";
const long = `autumn re-engagement of customers who have not bought anything for half a year but opened at least one letter (${"v".repeat(800)})`;

/** Puts these into a segment, past the browser and the wire. */
async function add(segment, values, method = "POST") {
  const lines = values.map((value) => `${JSON.stringify({ identifier: "shop", id_name: "customer", id_value: value })}\n`).join("");
  const response = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/segments/${encodeURIComponent(segment)}/members`, { method, body: lines });
  assert.deepEqual(await response.json(), { accepted: values.length, rejected: [] });
}

const customers = (from, to) => Array.from({ length: to - from }, (_, at) => `S-${from + at}`);
const row = (segment) => `[data-segment=${JSON.stringify(segment)}]`;
const shows = (segment, people) => stage.page.waitForFunction(
  ([wanted, text]) => document.querySelector(wanted)?.querySelector("td.number")?.firstChild?.textContent === text, [row(segment), people], { timeout: 10_000 });
const field = (line, column) => stage.page.locator(`[data-field="${line} ${column}"]`);
const press = (key) => stage.page.keyboard.press(key);

async function openSegments(query = "") {
  await stage.page.goto(`${stage.proxy.origin}/segments${query}`);
  await link("live");
}

test("g s leads to the page, which says what a segment is and how the first is made", async () => {
  await stage.page.goto(`${stage.proxy.origin}/`);
  await link("live");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await press("g");
  await press("s");
  await link("live");
  assert.equal(new URL(stage.page.url()).pathname, "/segments");
  await stage.page.waitForSelector("#first-segment-title");
  assert.match(await stage.page.textContent("[aria-labelledby='first-segment-title'] .command code"), /^curl -d '\{"identifier":"www"/);
  await assertAccessible(stage.page, "no segment yet");
  await picture(stage.page, "segments-empty");
});

test("segments appear with their people, and move within two seconds", async () => {
  await add("spring", customers(0, 1200));
  await add("bought", customers(900, 1300));
  await add("loyal", customers(0, 40));
  await shows("spring", "1,200");
  await shows("bought", "400");
  const before = performance.now();
  await match(["shop/customer/S-0", "shop/customer/S-1"]);
  await shows("spring", "1,199");
  await shows("loyal", "39");
  const took = performance.now() - before;
  console.log(`# a merge was in the sizes shown after ${took.toFixed(0)} ms`);
  assert.ok(took < 2000, `shown after ${took.toFixed(0)} ms`);
  assert.deepEqual(await stage.page.$$eval("tbody [data-segment], tr[data-segment]", (rows) => rows.map((each) => each.dataset.segment)), ["bought", "loyal", "spring"]);
  assert.equal(await stage.page.textContent(`${row("spring")} .mark`), "exact");
});

test("what each two share is a map, which is read by keyboard", async () => {
  await stage.page.waitForFunction(() => document.querySelector('[data-field="2 2"] > span')?.textContent === "1,199");
  assert.deepEqual(await stage.page.$$eval(".overlap-map td.heat > :first-child", (all) => all.map((one) => one.textContent)),
    ["400", "0", "300", "0", "39", "39", "300", "39", "1,199"]);
  assert.match(await field(0, 2).getAttribute("class"), /heat-4/, "three quarters of the smaller one");
  assert.match(await field(1, 2).getAttribute("class"), /heat-5/, "all of the smaller one");
  assert.match(await field(0, 1).getAttribute("class"), /heat-0/);
  await field(0, 0).focus();
  for (const key of ["ArrowRight", "ArrowRight"]) await press(key);
  await standsOn('[data-field="0 2"]');
  assert.equal(await stage.page.textContent(".overlap-readout"), "bought and spring: 300 people, 75 % of the first, 25 % of the second");
  await press("ArrowDown");
  await standsOn('[data-field="1 2"]');
  await press("Home");
  await standsOn('[data-field="1 0"]');
  await press("ArrowUp");
  await press("ArrowUp");
  await standsOn('[data-field="0 0"]');
  assert.equal(await stage.page.locator(".overlap-map td[tabindex='0']").count(), 1, "one stop on the way through the page");
  await assertAccessible(stage.page, "the map");
  await picture(stage.page, "segments");
});

test("who is in exactly which is an UpSet plot, read by keyboard", async () => {
  const lines = () => stage.page.$$eval(".upset-lines tbody tr", (all) => all.map((one) => one.getAttribute("aria-label")));
  assert.deepEqual(await lines(), [
    "860 people are in spring, and in no other", "300 people are in bought and spring, and in no other",
    "100 people are in bought, and in no other", "39 people are in loyal and spring, and in no other",
  ]);
  await stage.page.focus(".upset-lines [data-line='0']");
  await press("ArrowDown");
  await standsOn(".upset-lines [data-line='1']");
  assert.equal(await stage.page.textContent(".upset-readout"), "300 people are in bought and spring, and in no other");
  await press("End");
  await standsOn(".upset-lines [data-line='3']");
  assert.equal(await stage.page.locator(".upset-lines tr[tabindex='0']").count(), 1);
});

test("sizes over time are a line a segment", async () => {
  const before = (seconds) => new Date(Date.now() - 1000 * seconds).toISOString();
  await stage.page.route("**/segments/spring/sizes?*", async (route) => {
    const answer = await (await route.fetch()).json();
    return route.fulfill({ json: { ...answer, sizes: [{ at: before(90_000), people: 1100 }, { at: before(7200), people: 1300 }] } });
  });
  await stage.page.click(".sizes >> text=30 days");
  await stage.page.waitForFunction(() => document.querySelector("[data-sizes=spring] svg")?.getAttribute("aria-label").includes("when it was counted first"));
  assert.equal(new URL(stage.page.url()).searchParams.get("over"), "30d");
  await stage.page.click(".sizes >> text=24 hours");
  await stage.page.waitForSelector("[data-sizes=spring] polyline[points^='0,30 ']", { state: "attached" });
  assert.equal(await stage.page.getAttribute("[data-sizes=spring] svg", "aria-label"), "spring: 1,199 people now, 1,100 a day ago, between 1,100 and 1,300");
  assert.equal(await stage.page.textContent("[data-sizes=spring] td:last-child"), "+99");
  await picture(stage.page, "segments-sizes");
  await stage.page.unroute("**/segments/spring/sizes?*");
});

test("its table is one key away, and its file one click", async () => {
  await stage.page.evaluate(() => document.activeElement?.blur());
  await press("t");
  await stage.page.waitForSelector(".overlap-table");
  const rows = await stage.page.$$eval(".overlap-table tbody tr", (all) => all.map((one) => [...one.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows, [["bought", "spring", "300", "75 %", "25 %"], ["loyal", "spring", "39", "100 %", "3 %"], ["bought", "loyal", "0", "0 %", "0 %"]]);
  await assertAccessible(stage.page, "the table of the map");
  assert.deepEqual(await stage.page.$$eval(".upset-table tbody tr", (all) => all.map((one) => [...one.cells].map((cell) => cell.textContent)))
    , [["spring", "860"], ["bought + spring", "300"], ["bought", "100"], ["loyal + spring", "39"]]);
  const [file] = await Promise.all([stage.page.waitForEvent("download"), stage.page.click(".overlap .tools >> text=CSV")]);
  assert.equal(file.suggestedFilename(), "footfall-segments-overlap.csv");
  assert.match(await readFile(await file.path(), "utf8"), /^first,second,people_in_both,share_of_first,share_of_second\r\nbought,spring,300,0\.75,0\.25/);
  await stage.page.evaluate(() => document.activeElement?.blur());
  await press("t");
  await stage.page.waitForSelector(".overlap-map");
});

test("who is compared is ticked, and stands in the address", async () => {
  await stage.page.uncheck(`${row("loyal")} input`);
  await stage.page.waitForFunction(() => document.querySelectorAll(".overlap-map td.heat").length === 4);
  assert.equal(new URL(stage.page.url()).searchParams.get("compare"), "bought,spring");
  await stage.page.click("text=Compare none");
  await stage.page.waitForSelector("text=Tick two segments or more");
  await assertAccessible(stage.page, "nothing compared");
  await stage.page.goBack();
  await stage.page.goBack();
});

test("a name is looked for by how it begins", async () => {
  await openSegments();
  await shows("spring", "1,199");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await press("/");
  await standsOn("#find-segment");
  await stage.page.keyboard.type("spr");
  // While the answer is on its way the list is empty.
  await stage.page.waitForFunction(() => [...document.querySelectorAll("tr[data-segment]")].map((one) => one.dataset.segment).join() === "spring");
  await stage.page.fill("#find-segment", "nothing begins so");
  await stage.page.waitForSelector("text=No segment's name begins with");
  await assertAccessible(stage.page, "no such segment");
  await stage.page.fill("#find-segment", "");
  await stage.page.waitForSelector(row("bought"));
});

test("what the server refuses is said in its words, and nothing stands in its place", async () => {
  await stage.page.route("**/api/v1/segments/overlap", (route) => route.fulfill({
    status: 503, contentType: "application/problem+json",
    body: JSON.stringify({ type: "/problems/unavailable", title: "Service Unavailable", status: 503, detail: "the process that knows how many people segments are does not answer" }),
  }));
  await openSegments();
  await stage.page.waitForSelector(".overlap .problem >> text=does not answer");
  assert.equal(await stage.page.locator(".overlap-map").count(), 0);
  await assertAccessible(stage.page, "no overlap");
  await stage.page.unroute("**/api/v1/segments/overlap");
  await stage.page.route("**/api/v1/segments?*", (route) => route.fulfill({
    status: 403, contentType: "application/problem+json",
    body: JSON.stringify({ type: "/problems/scope-missing", title: "Forbidden", status: 403, detail: "this needs an API key with the scope people" }),
  }));
  await openSegments();
  await stage.page.waitForSelector("[aria-label='No segments']");
  assert.equal(await stage.page.locator(".segment-list, .overlap").count(), 0);
  await assertAccessible(stage.page, "a key that may not");
  await stage.page.unroute("**/api/v1/segments?*");
});

test("a key of the scope audience sees numbers with noise of segments that it names, and is told so", async () => {
  const { page } = stage;
  await page.route("**/api/v1/segments?*", (route) => route.fulfill({
    status: 403, contentType: "application/problem+json",
    body: JSON.stringify({ type: "/problems/scope-missing", title: "Forbidden", status: 403, detail: "this needs an API key with the scope people" }),
  }));
  await page.route("**/api/v1/session", (route) => route.fulfill({ json: { name: "partner", scopes: ["read", "audience"], expires: null } }));
  await page.route("**/api/v1/segments/overlap", (route) => route.fulfill({ json: {
    sizes: { spring: 1180, loyal: null },
    overlap: [{ segments: ["spring", "loyal"], count: null, exact: false, error: null, low: null, high: null }], day: "2026-11-29" } }));
  await openSegments();
  await page.waitForSelector(".audience-notice");
  assert.equal(await page.locator(".segment-list").count(), 0, "no names");
  for (const name of ["spring", "loyal"]) {
    await page.fill("#name-segment", name);
    await page.press("#name-segment", "Enter");
  }
  await page.waitForSelector(".noisy");
  assert.deepEqual(await page.$$eval(".noisy tbody tr", (all) => all.map((one) => one.cells[2].textContent)), ["1,180", "too few to be shown", "too few to be shown"]);
  assert.match(await page.textContent(".audience"), /3 of the numbers that this key has a day/);
  await assertAccessible(page, "an audience");
  await picture(page, "segments-audience");
  await page.unroute("**/api/v1/segments/overlap");
  await page.unroute("**/api/v1/session");
  await page.unroute("**/api/v1/segments?*");
});

test("segments can be used by everyone: both themes, 320 px, long names and hostile ones", async () => {
  await add(long, customers(1000, 1250));
  await add(injected, customers(0, 600));
  for (let more = 0; more < 4; more++) await add(`newsletter ${more}`, customers(more * 200, 1300));
  await openSegments();
  await shows("newsletter 0", "1,299");
  await stage.page.waitForFunction(() => document.querySelectorAll(".overlap-map td.heat").length === 64);
  assert.equal(await stage.page.title(), "Segments · Footfall", "a name is text");
  for (const colorScheme of ["dark", "light"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(stage.page, `segments, ${colorScheme}`);
    await picture(stage.page, `segments-${colorScheme}`);
  }
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "segments");
  await assertAccessible(stage.page, "segments, 320 px");
  await picture(stage.page, "segments-narrow");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await press("t");
  await stage.page.waitForSelector(".overlap-table");
  await assertNoSidewaysScroll(stage.page, "segments, the table");
  await assertAccessible(stage.page, "segments, the table, 320 px");
  await picture(stage.page, "segments-narrow-table");
  await stage.page.emulateMedia({ colorScheme: "light" });
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});

test("while the server is away what stood is grey", async () => {
  await openSegments();
  await shows("spring", "1,199");
  stage.proxy.cut();
  await link("lost");
  assert.equal(await stage.page.locator(row("spring")).count(), 1, "the last known rows stay");
  await assertAccessible(stage.page, "segments of a server that is away");
  stage.proxy.heal();
  await link("live");
});
