// Reading: who agreed is seen by their friends within two seconds; what is taken back vanishes within one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, stage } from "./stage.mjs";

const site = "https://news.the-evening-courier.example";
const article = (name) => `${site}/culture/2026/11/${name}`;
const first = article("the-last-lighthouse-keeper-of-the-skagerrak-and-what-it-says-about-us");
const injected = "<img src=x onerror=\"document.title='taken'\"> & Söhne";

/** Asks past the browser and the wire. */
async function api(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1${path}`,
    { method, body: body === undefined ? undefined : JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${path}: ${await response.clone().text()}`);
  return response.json();
}
const person = (name) => `/people/${encodeURIComponent(name)}`;
const share = (name, more = {}) => api("PUT", person(name), { reading: "shared", ...more });

async function read(actor, url, more = {}) {
  const response = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/events`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ action: "read", object: url, actor, ...more }),
  });
  assert.equal((await response.json()).accepted, 1);
}

async function open(search) {
  await stage.page.goto(`${stage.proxy.origin}/reading${search}`);
  await link("live");
}

/** What stands in the rows of a list, by their articles. */
function rows(list) {
  return stage.page.$$eval(`${list} tbody tr`, (all) => all.map((row) => [row.dataset.url, ...[...row.cells].slice(1).map((cell) => cell.textContent.trim())]));
}
const row = (list, url) => `${list} tr[data-url="${url}"]`;
const shown = (list, url, timeout = 10_000) => stage.page.waitForSelector(row(list, url), { timeout });
/** The same with this number in it: one that is shown while readers come goes up. */
const shownWith = (list, url, number, timeout) => stage.page.waitForFunction(
  ([selector, wanted]) => document.querySelector(selector)?.cells[1]?.textContent.trim() === wanted, [row(list, url), number], { timeout });
const gone = (list, url, timeout = 10_000) => stage.page.waitForSelector(row(list, url), { state: "detached", timeout });
/** Waits until the reader stands on this button. */
const standsOn = (text) => stage.page.waitForFunction((wanted) => document.activeElement?.textContent === wanted, text);
const says = (text, timeout = 5000) => stage.page.waitForSelector(`.consent-says:has-text("${text}")`, { timeout });

test("g r leads to the page; where nobody reads it says how that begins", async () => {
  await stage.page.goto(`${stage.proxy.origin}/`);
  await link("live");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("g");
  await stage.page.keyboard.press("r");
  await link("live");
  assert.equal(new URL(stage.page.url()).pathname, "/reading");
  assert.equal(await stage.page.locator(".people-of-demo").count(), 0, "there are no made-up people here");
  await stage.page.waitForSelector("[aria-labelledby='first-read-title']");
  assert.match(await stage.page.textContent("[aria-labelledby='first-read-title'] .command code"), /^curl -X PUT -d '\{"reading":"shared"\}' http/);
  await assertAccessible(stage.page, "no read yet");
  await picture(stage.page, "reading-empty");
});

test("/ finds a person, whom the address keeps; who lists nobody sees how to", async () => {
  await stage.page.keyboard.press("/");
  assert.equal(await stage.page.evaluate(() => document.activeElement?.id), "find-name");
  await stage.page.keyboard.type("ann");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".feed >> text=ann lists no friends yet");
  assert.equal(new URL(stage.page.url()).searchParams.get("actor"), "ann");
  assert.equal(await stage.page.title(), "ann · Footfall");
  await stage.page.waitForSelector(".popular >> text=No article has 5 readers in the last 24 hours");
  await stage.page.waitForSelector(".trending >> text=Nothing is read more than usual");
  await says("Nothing that ann reads is kept with their name");
  await stage.page.waitForSelector(".own-reads >> text=no read of theirs is shared");
  await assertAccessible(stage.page, "nobody's friends");
  await picture(stage.page, "reading-no-friends");
});

test("a read appears within two seconds, of those who agreed alone", async () => {
  for (const name of ["bob", "eve", injected]) await share(name);
  await api("PUT", `${person("ann")}/friends`, { friends: ["bob", "eve", "mallory", injected] });
  await open("?actor=ann");
  await stage.page.waitForSelector(".feed >> text=None of the friends shared a read");
  const took = [];
  for (const [number, name] of ["bob", "eve", injected].entries()) {
    await setTimeout(300 * number);
    const before = performance.now();
    await read(name, `${first}?utm_source=newsletter`);
    await stage.page.waitForFunction(([selector, wanted]) => (
      document.querySelector(selector)?.textContent.includes(wanted)), [`${row(".feed", first)} .readers`, name], { timeout: 10_000 });
    took.push(performance.now() - before);
  }
  console.log(`# reads were shown after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
  assert.ok(Math.max(...took) < 2000, `shown after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
  await read("mallory", first);
  await read("bob", article("b"));
  await shown(".feed", article("b"));
  assert.ok(!(await stage.page.textContent(".feed")).includes("mallory"), "who did not agree");
  assert.equal(await stage.page.title(), "ann · Footfall", "a name is text");
  assert.equal(await stage.page.getAttribute(`${row(".feed", first)} a`, "href"), first);
  assert.equal(await stage.page.getAttribute(`${row(".feed", first)} a`, "rel"), "noreferrer");
});

test("what is taken back elsewhere vanishes within a second", async () => {
  const took = [];
  // How long it stands depends on where between two questions of the page it goes.
  for (const wait of [0, 90, 180, 270, 360]) {
    const url = article(`taken-back-${wait}`);
    await read("eve", url);
    await shown(".feed", url);
    await setTimeout(wait);
    assert.deepEqual(await api("DELETE", `${person("eve")}/reads?url=${encodeURIComponent(url)}`), { taken_back: 1 });
    const before = performance.now();
    await gone(".feed", url);
    took.push(performance.now() - before);
  }
  console.log(`# take-backs were seen after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
  const middle = [...took].sort((one, other) => one - other)[2];
  assert.ok(middle < 1000 && Math.max(...took) < 2000, `gone after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
});

test("popular with all, among friends, trending", async () => {
  for (let number = 0; number < 6; number++) {
    await share(`reader-${number}`);
    await read(`reader-${number}`, article("popular"));
  }
  await shownWith(".popular", article("popular"), "6", 90_000);
  assert.deepEqual(await rows(".popular"), [[article("popular"), "6"]]);
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("f");
  await stage.page.waitForSelector("h2:has-text('Popular among friends')");
  assert.equal(new URL(stage.page.url()).searchParams.get("scope"), "friends");
  await shownWith(".popular", first, "3", 90_000);
  assert.deepEqual(await rows(".popular"), [[first, "3"]]);
  await stage.page.keyboard.press("ArrowLeft");
  await stage.page.waitForFunction(() => new URLSearchParams(location.search).get("window") === "6h");
  await shown(".popular", first);
  await stage.page.keyboard.press("ArrowRight");
  await stage.page.keyboard.press("f");
  await stage.page.waitForSelector("h2:has-text('Popular with all')");
  await assertAccessible(stage.page, "popular");
});

test("a person takes one read back, those of a site, those since an instant, and all after a question", async () => {
  const elsewhere = "https://radio.example/a";
  await share("dora");
  await open("?actor=dora");
  await says("Shared since");
  for (const [at, url] of [[0, first], [0, article("b")], [2, article("c")], [3, article("d")], [3, elsewhere]]) {
    await read("dora", url, { time: new Date(Date.now() - at * 86_400_000).toISOString() });
  }
  await shown(".own-reads", elsewhere);
  await shown(".own-reads", first);
  assert.equal((await rows(".own-reads")).length, 5);
  await assertAccessible(stage.page, "a person's reads");
  await picture(stage.page, "reading-own");

  const said = (text) => stage.page.waitForSelector(`.own-reads .said:has-text("${text}")`);
  const before = performance.now();
  await stage.page.click(`${row(".own-reads", first)} button`);
  await gone(".own-reads", first, 1000);
  console.log(`# a take-back vanished after ${(performance.now() - before).toFixed(0)} ms`);
  await said("1 read taken back.");
  // The row is gone, not the reader's place.
  await stage.page.waitForFunction(() => document.activeElement?.className === "said");

  await stage.page.selectOption("[name=site]", "radio.example");
  await stage.page.click(".own-reads .take-back button");
  await gone(".own-reads", elsewhere, 1000);
  await stage.page.selectOption("[name=which]", "from");
  await stage.page.click(".own-reads .take-back button");
  await stage.page.waitForSelector(".own-reads >> text=Say since when");
  await assertAccessible(stage.page, "a time is missing");
  const since = new Date(Date.now() - 60 * 60_000 * 24);
  await stage.page.fill("[name=from]", new Date(since.getTime() - since.getTimezoneOffset() * 60_000).toISOString().slice(0, 16));
  await stage.page.click(".own-reads .take-back button");
  await gone(".own-reads", article("b"), 1000);
  assert.equal((await rows(".own-reads")).length, 2, "what was read before stays");

  await stage.page.selectOption("[name=which]", "all");
  await stage.page.click(".own-reads .take-back button");
  await stage.page.waitForSelector(".own-reads .sure");
  await standsOn("Leave it as it is");
  await assertAccessible(stage.page, "before all is taken back");
  await picture(stage.page, "reading-all");
  await stage.page.keyboard.press("Escape");
  await stage.page.waitForSelector(".own-reads .sure", { state: "detached" });
  assert.equal((await rows(".own-reads")).length, 2, "nothing happens without a yes");
  await stage.page.waitForFunction(() => document.activeElement?.getAttribute("name") === "which");
  await stage.page.click(".own-reads .take-back button");
  await stage.page.click(".own-reads .sure .button-main");
  await stage.page.waitForSelector(".own-reads >> text=no read of theirs is shared");
  assert.deepEqual((await api("GET", `${person("dora")}/reads`)).reads, []);
  assert.equal((await api("GET", person("dora"))).reading, "shared", "who takes back goes on");
});

test("a person pauses for a while, is off after a question, and shares again", async () => {
  await stage.page.click(".consent .tools >> text=Private");
  await stage.page.waitForFunction(() => document.activeElement?.getAttribute("name") === "pause");
  await stage.page.selectOption("[name=pause]", "1d");
  await assertAccessible(stage.page, "a pause");
  await stage.page.click(".consent .take-back button[type=submit]");
  await says("Paused, until");
  const paused = await api("GET", person("dora"));
  assert.equal(paused.reading, "private");
  assert.ok(Math.abs(Date.parse(paused.until) - Date.now() - 86_400_000) < 60_000, paused.until);
  await stage.page.click(".consent .tools >> text=Off");
  await stage.page.waitForSelector(".consent .sure");
  await assertAccessible(stage.page, "before a person is off");
  await picture(stage.page, "reading-off");
  await stage.page.click(".consent .sure >> text=Leave it as it is");
  assert.equal((await api("GET", person("dora"))).reading, "private", "nothing happens without a yes");
  await standsOn("Private");
  await stage.page.click(".consent .tools >> text=Off");
  await stage.page.click(".consent .sure .button-main");
  await says("Nothing that dora reads is kept");
  assert.equal((await api("GET", person("dora"))).reading, "off");
  await stage.page.click(".consent .tools >> text=Shared");
  await says("Shared since");
  await share("dora", { sites: ["news.example"], to: "friends" });
  await says("on news.example; only friends whom they list see it");
});

test("reading can be used by everyone: both themes, 320 px", async () => {
  for (let number = 0; number < 6; number++) await api("POST", `${person("ann")}/friends`, { add: [`reader-${number}`], remove: [] });
  await share("ann");
  await read("ann", first);
  await open("?actor=ann");
  await shown(".own-reads", first);
  await stage.page.click(`${row(".feed", article("popular"))} .why`);
  await stage.page.waitForSelector(`${row(".feed", article("popular"))} .reader >> text=reader-5`);
  for (const colorScheme of ["dark", "light"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(stage.page, `reading, ${colorScheme}`);
    await picture(stage.page, `reading-${colorScheme}`);
  }
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "reading");
  await assertAccessible(stage.page, "reading, 320 px");
  await picture(stage.page, "reading-narrow");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});

test("a server that has no answer says so, and what stood is grey until it is back", async () => {
  await open("?actor=ann");
  await shown(".feed", first);
  await stage.page.route("**/api/v1/reading/activity*", (route) => route.fulfill({
    status: 503, contentType: "application/problem+json",
    body: '{"type":"/problems/overloaded","title":"Overloaded","status":503,"detail":"Too many URLs are being loaded."}',
  }));
  await stage.page.waitForSelector(".feed .problem >> text=Too many URLs are being loaded");
  await assertAccessible(stage.page, "an overloaded server");
  await stage.page.unroute("**/api/v1/reading/activity*");
  await stage.page.waitForSelector(".feed .problem", { state: "detached", timeout: 10_000 });
  stage.proxy.cut();
  await link("lost");
  await stage.page.waitForSelector(".feed .problem >> text=cannot be reached");
  assert.equal((await rows(".feed")).some(([url]) => url === first), true, "the last known rows stay");
  await assertAccessible(stage.page, "a server that is away");
  await picture(stage.page, "reading-lost");
  stage.proxy.heal();
  await link("live");
  await stage.page.waitForSelector(".feed .problem", { state: "detached", timeout: 10_000 });
});
