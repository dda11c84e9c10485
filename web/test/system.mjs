// System: what the server says of itself comes out of its own metrics store, as values and lines whose numbers are a link away; and
// each state in which nothing can be shown says why.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, drawn, picture } from "./page.mjs";
import { stopServer } from "./server.mjs";
import { link, restart, send, stage } from "./stage.mjs";

const press = (key) => stage.page.keyboard.press(key);
const card = (key) => `[data-series="${key}"]`;
const number = (text) => Number(text.replaceAll(",", ""));
const value = async (key) => number(await stage.page.textContent(`${card(key)} .value`));
/** Figures come every ten seconds, and are asked for so often. */
const within = { timeout: 40_000 };

function shows(key, least) {
  return stage.page.waitForFunction(([wanted, most]) => {
    const text = document.querySelector(`${wanted} .value`)?.textContent ?? "–";
    return text !== "–" && Number(text.replaceAll(",", "")) >= most;
  }, [card(key), least], within);
}

/** Waits until a line leaves the ground. */
function rises(key) {
  return stage.page.waitForFunction((wanted) => {
    const spoken = / to ([\d.,]+) a second\./.exec(document.querySelector(`${wanted} .chart`)?.getAttribute("aria-label") ?? "");
    return spoken !== null && Number(spoken[1].replaceAll(",", "")) > 0;
  }, card(key), within);
}

async function open(query = "") {
  await stage.page.goto(`${stage.proxy.origin}/system${query}`);
  await link("live");
}

/** Answers all that this address matches with `answer` while `look` looks. */
async function answered(address, answer, look) {
  await stage.page.route(address, (route) => route.fulfill(answer));
  await open();
  await look();
  await stage.page.unroute(address);
}

const problem = (status, title, detail) => ({
  status, contentType: "application/problem+json", body: JSON.stringify({ type: "/problems/x", title, status, detail }),
});

test("g h leads to the page, where what happens is a value and a line ten seconds later", async () => {
  await stage.page.goto(`${stage.proxy.origin}/`);
  await link("live");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await press("g");
  await press("h");
  await link("live");
  assert.equal(new URL(stage.page.url()).pathname, "/system");
  await shows("requests", 0);
  for (let at = 0; at < 40; at++) await send({ actor: `reader ${at}`, object: "system" });
  await shows("events", 0.01);
  await rises("events");
  for (const key of ["durable", "memory", "disk", "series"]) await shows(key, 0.001);
  for (const key of ["tokens", "waiting", "behind", "failed", "points"]) await shows(key, 0);
  assert.equal(await stage.page.locator(card("reads")).count(), 0, "nothing is read of Cassandra here");
  assert.match(await stage.page.textContent(`${card("memory")} .measure-unit`), /^[MG]iB$/);
  assert.match(await stage.page.textContent(`${card("durable")} .measure-unit`), /^m?s$/);
  assert.match(await stage.page.getAttribute(`${card("series")} .chart`, "aria-label"), /^Area chart of Series kept, last hour: from [\d,]+ to [\d,]+\./);
  await assertAccessible(stage.page, "system");
  await picture(stage.page, "system");
});

test("the page follows by itself: what is refused is seen in brick", async () => {
  assert.equal(await stage.page.locator(`${card("refused")} .value.refused`).count(), await value("refused") > 0 ? 1 : 0);
  for (let at = 0; at < 30; at++) await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/nothing`);
  await shows("refused", 0.1);
  await stage.page.waitForSelector(`${card("refused")} .value.refused`);
  await rises("refused");
  // A step of the last hour is three dots wide: of what there was all the time there are some.
  await drawn(stage.page, "memory", "--chart-plain", 20);
});

test("the numbers behind a chart are a link away, in JSON and as a file", async () => {
  const address = await stage.page.getAttribute(`${card("series")} >> text=figures`, "href");
  const answer = await fetch(`http://127.0.0.1:${stage.server.port}${address}`);
  assert.equal(answer.status, 200);
  const [{ target, datapoints }] = await answer.json();
  assert.equal(target, "series");
  const known = datapoints.filter(([figure]) => figure !== null);
  assert.equal(known.at(-1)[0], await value("series"), "the newest step is what stands above the line");
  const [file] = await Promise.all([stage.page.waitForEvent("download"), stage.page.click(`${card("series")} >> text=CSV`)]);
  assert.equal(file.suggestedFilename(), "footfall-series-kept.csv");
  assert.match(await readFile(await file.path(), "utf8"), /^series,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/);
});

test("memory by job adds up, and is held against the budget", async () => {
  await stage.page.waitForSelector(`${card("jobs")} [data-job=views]`);
  const rows = await stage.page.$$eval(`${card("jobs")} tbody tr`, (all) => all.map((one) => [...one.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map(([job]) => job).sort(), ["Clicks & income", "Counters", "Identities", "Metrics", "Reading", "Rows to write", "Segments", "Views"]);
  for (const [job, now, most, part] of rows) {
    assert.match(now, /^[\d.,]+ (bytes|KiB|MiB)$/, job);
    assert.match(most, /^[\d.,]+ (bytes|KiB|MiB)$/, job);
    assert.match(part, /^(< )?[\d.]+ %$/, job);
  }
  assert.match(await stage.page.textContent(`${card("jobs")} tfoot`), /^Together[\d.]+ (KiB|MiB)(< )?[\d.]+ %$/);
  assert.match(await stage.page.textContent(`${card("jobs")} .foot`), /256 MiB/);
});

test("the range is a step of the arrow keys away, and so is the table of t", async () => {
  await stage.page.evaluate(() => document.activeElement?.blur());
  const weeks = ["events_judged", "view_bytes"].map((figure) => stage.page.waitForResponse((answer) => answer.url().includes(figure) && answer.url().includes("from=-604800s")));
  for (let more = 0; more < 3; more++) await press("ArrowRight");
  assert.equal(new URL(stage.page.url()).searchParams.get("range"), "7d");
  assert.deepEqual((await Promise.all(weeks)).map((answer) => answer.status()), [200, 200], "a week is not too much to ask for");
  await stage.page.waitForSelector(`${card("requests")} .chart[aria-label*="last 7 days"]`);
  await picture(stage.page, "system-week");
  await press("ArrowLeft");
  await stage.page.waitForSelector(`${card("requests")} .chart[aria-label*="last 24 hours"]`);
  await press("t");
  await stage.page.waitForSelector(`${card("series")} tbody tr`);
  assert.equal(await stage.page.locator(".measure .chart").count(), 0);
  assert.equal(number(await stage.page.textContent(`${card("series")} tbody td`)), await value("series"));
  await assertAccessible(stage.page, "system, tables");
  await picture(stage.page, "system-tables");
  await press("t");
});

test("of several servers one is chosen, and a silent one says so", async () => {
  const node = (text) => ({ text, id: `footfall.${text}`, leaf: 0, expandable: 1, allowChildren: 1, context: {} });
  const real = await (await fetch(`http://127.0.0.1:${stage.server.port}/metrics/find?query=footfall.*`)).json();
  assert.equal(real.length, 1);
  await stage.page.route("**/metrics/find?*", (route) => route.fulfill({ json: [node("a-gone"), ...real] }));
  await open();
  await shows("series", 1);
  assert.equal(await stage.page.inputValue(".servers select"), real[0].text, "one that tells comes before one that fell silent");
  await stage.page.selectOption(".servers select", "a-gone");
  await stage.page.waitForSelector("[aria-label='A silent server']");
  assert.equal(new URL(stage.page.url()).searchParams.get("server"), "a-gone");
  await stage.page.waitForFunction(() => document.querySelectorAll(".measure").length === 0);
  await assertAccessible(stage.page, "a silent server");
  await picture(stage.page, "system-silent");
  await stage.page.unroute("**/metrics/find?*");
});

test("a server without figures of its own says how to have them, and one that has just begun to wait", async () => {
  await answered("**/metrics/find?*", { json: [] }, async () => {
    await stage.page.waitForSelector("#figures-off");
    assert.match(await stage.page.textContent("[aria-labelledby=figures-off] .command code"), /^metrics_own = "/);
    assert.equal(await stage.page.locator(".ranges, .measure").count(), 0);
    await assertAccessible(stage.page, "no figures");
    await picture(stage.page, "system-off");
    await stopServer(stage.server);
    await restart();
    await stage.page.waitForSelector("#first-figures", within);
    await assertAccessible(stage.page, "first figures");
    await picture(stage.page, "system-first");
  });
  await shows("series", 1);
});

test("what the server refuses or fails at is said, and asked again", async () => {
  await answered("**/metrics/find?*", problem(503, "Service Unavailable", "the metrics store is reading its names"), async () => {
    await stage.page.waitForSelector(".problem >> text=reading its names");
    await assertAccessible(stage.page, "no names");
    const again = stage.page.waitForRequest("**/metrics/find?*", { timeout: 5000 });
    await stage.page.click("text=Try again");
    await again;
    await stage.page.unroute("**/metrics/find?*");
    await shows("series", 1);
  });
  await answered((address) => /^\/render$/.test(address.pathname) && address.search.includes("summarize"),
    problem(400, "Bad Request", "that is more than 1000 series"), async () => {
      await stage.page.waitForSelector(`${card("series")} .problem >> text=more than 1000 series`);
      await shows("series", 1);
      await assertAccessible(stage.page, "no line");
    });
  await answered("**/metrics/find?*", problem(403, "Forbidden", "this needs an API key with the scope read"), async () => {
    await stage.page.waitForSelector("[aria-label='No figures']");
    await assertAccessible(stage.page, "a key that may not");
  });
});

test("the page can be used by everyone: both themes, 320 px", async () => {
  await open();
  await shows("series", 1);
  for (const colorScheme of ["dark", "light"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(stage.page, `system, ${colorScheme}`);
    await picture(stage.page, `system-${colorScheme}`);
  }
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "system");
  await assertAccessible(stage.page, "system, 320 px");
  await picture(stage.page, "system-narrow");
  await press("t");
  await stage.page.waitForSelector(`${card("series")} tbody tr`);
  await assertNoSidewaysScroll(stage.page, "system, tables");
  await press("t");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
  await stage.page.emulateMedia({ colorScheme: "light" });
});

test("while the server is away what stood is grey", async () => {
  await shows("series", 1);
  const cards = () => stage.page.locator(".measure").count();
  const shown = await cards();
  // Of what this server has no figure: it has no card, whoever answers or not.
  const failed = stage.page.waitForEvent("requestfailed", (request) => /summarize.*cassandra_read_seconds/.test(request.url()));
  stage.proxy.cut();
  await link("lost");
  await failed;
  assert.ok(await value("series") > 0, "the last known figures stay");
  assert.equal(await cards(), shown);
  await assertAccessible(stage.page, "system of a server that is away");
  stage.proxy.heal();
  await link("live");
});
