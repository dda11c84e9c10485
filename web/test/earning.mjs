// Clicks and income: a click with a price moves the chart and the ledger; a rate is tried, given, taken back; a month is sealed.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assertAccessible, assertNoSidewaysScroll, drawn, picture } from "./page.mjs";
import { bare, printedText } from "./printed.mjs";
import { link, send, stage } from "./stage.mjs";

const reseller = "/partners/emea/northern-lights-publishing-house-gmbh-und-co-kg/campaign-2026-q4-winter-sale";
const injected = "<img src=x onerror=\"document.title='taken'\"> & Söhne";
const publisher = "the-sea-news.example";
const ad = "banner-1";
const today = new Date().toISOString().slice(0, 10);
const lastMonth = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 2, 1)).toISOString().slice(0, 7);
const form = ".rate-form";

/** A click of somebody new, so that none is a repeat. */
let people = 0;
function click(amount, more = {}) {
  return send({ action: "click", object: ad, ad, actor: `clicker-${++people}`, reseller, publisher, amount, currency: "EUR", ...more });
}

/** Waits until a figure of the headline says this. */
function figure(name, text, timeout = 5000) {
  return stage.page.waitForFunction(([which, wanted]) => (
    document.querySelector(`[data-figure="${which}"] .value`)?.textContent === wanted), [name, text], { timeout });
}

function live(text, timeout = 5000) {
  return stage.page.waitForFunction((sum) => (
    document.querySelector('[data-series="live"] .chart')?.getAttribute("aria-label").includes(`: ${sum};`)), text, { timeout });
}

/** Types a change of the rate and looks at what it would move. */
async function look(day, percent, reason) {
  await stage.page.fill(`${form} [name=day]`, day);
  await stage.page.fill(`${form} [name=percent]`, percent);
  await stage.page.fill(`${form} [name=reason]`, reason);
  await stage.page.press(`${form} [name=reason]`, "Enter");
  await stage.page.waitForSelector(`${form} .trial`);
}

async function record() {
  await stage.page.click(`${form} .trial .button-main`);
  await stage.page.waitForSelector(`${form} .said`);
  return stage.page.textContent(`${form} .said`);
}

/** Whoever opens a form stands in it. */
function askedForReason() {
  return stage.page.waitForFunction(() => document.activeElement?.getAttribute("name") === "reason");
}

/** What stands in the cells of these rows. */
function cells(selector) {
  return stage.page.$$eval(selector, (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
}

test("g c leads to the page; without a priced click it says how to send one", async () => {
  await stage.page.goto(`${stage.proxy.origin}/`);
  await link("live");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("g");
  await stage.page.keyboard.press("c");
  await link("live");
  assert.equal(new URL(stage.page.url()).pathname, "/clicks");
  await stage.page.waitForSelector("[aria-labelledby='first-click-title']");
  assert.match(await stage.page.textContent(".first .command code"), /"action":"click".*"amount":"0\.25"/);
  assert.equal(await stage.page.locator("[data-account=split], .months").count(), 0, "figures of a ledger that is not begun");
  await assertAccessible(stage.page, "no click yet");
  await picture(stage.page, "clicks-empty");
});

test("a click is in the live chart within a second, and its repeat is refused", async () => {
  await click("0.25");
  await live("1 click = 1 counted + 0 refused");
  // Seconds are told when they are over: how long a click waits depends on where in its second it comes.
  const took = [];
  for (const part of [100, 300, 500, 700, 900]) {
    await setTimeout((1000 + part - (Date.now() % 1000)) % 1000);
    const before = performance.now();
    await click(took.length === 0 ? "0.5" : "0");
    await live(`${took.length + 2} clicks = ${took.length + 2} counted + 0 refused`);
    took.push(performance.now() - before);
  }
  console.log(`# clicks were shown after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
  const middle = [...took].sort((one, other) => one - other)[2];
  assert.ok(middle < 1000 && Math.max(...took) < 2000, `shown after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
  people--;
  await click("0");
  await live("7 clicks = 6 counted + 1 refused");
  // A second has a column of its own there; in the hour it shares one with its minute, which may just have begun.
  await stage.page.selectOption('[data-series="live"] select', "1m");
  for (const colour of ["--chart-counted", "--chart-refused-1"]) await drawn(stage.page, "live", colour);
  await stage.page.selectOption('[data-series="live"] select', "1h");
  assert.equal(await stage.page.locator("[aria-labelledby='first-click-title']").count(), 0);
});

test("who gets what adds up, and the largest are listed", async () => {
  await figure("amount", "0.75", 15_000);
  await figure("network", "0.75");
  assert.match(await stage.page.textContent('[data-account="split"] .sum-line'),
    /^0\.75 amount = 0\.00 resellers \+ 0\.00 publishers \+ 0\.75 network$/);
  for (const [kind, name] of [["reseller", reseller], ["publisher", publisher]]) {
    await stage.page.waitForFunction(([list, title]) => (
      document.querySelector(`[data-parties="${list}"] .name`)?.title === title), [kind, name], { timeout: 30_000 });
  }
  await stage.page.fill("[data-parties=reseller] input", "nobody begins so");
  await stage.page.waitForSelector("[data-parties=reseller] >> text=No reseller's name begins with");
  await stage.page.fill("[data-parties=reseller] input", "/partners");
  await stage.page.waitForSelector("[data-parties=reseller] tbody tr");
  await assertAccessible(stage.page, "clicks and income");
  await picture(stage.page, "clicks");
});

test("a reseller has an address of their own, and earns nothing without a rate", async () => {
  await stage.page.focus("[data-parties=reseller] tbody button");
  await stage.page.keyboard.press("Enter");
  await figure("income", "0.00");
  assert.equal(new URL(stage.page.url()).searchParams.get("reseller"), reseller);
  assert.equal(await stage.page.title(), `${reseller} · Footfall`);
  await figure("clicks", "6");
  await figure("amount", "0.75");
  await live("7 clicks = 6 counted + 1 refused");
  assert.match(await stage.page.textContent(".rates-panel"), /No rate was ever given/);
});

test("a rate is shown before it is given: 30 % is typed, 0.3 is sent", async () => {
  await stage.page.click(`${form} button[type=submit]`);
  assert.match(await stage.page.textContent("#rate-hint"), /A percentage is needed/);
  await assertAccessible(stage.page, "a rate that is none");
  await look(`${lastMonth}-01`, "30 %", "contract");
  assert.deepEqual(await cells(`${form} .trial tbody tr`).then(([row]) => row.slice(1)), ["0.00", "0.22", "+0.22"]);
  await figure("income", "0.00");
  await assertAccessible(stage.page, "what a rate would move");
  await picture(stage.page, "rate-trial");
  assert.match(await record(), /^Recorded: 30 % from 1 /);
  await figure("income", "0.22");
  await drawn(stage.page, "income", "--chart-counted");
  const [row] = await cells(".rates tbody tr");
  assert.deepEqual(row.slice(1, 3), ["30 %", "contract"]);
  await look(`${lastMonth}-01`, "30", "contract");
  assert.match(await stage.page.textContent(`${form} .trial`), /Nothing would be recorded/);
  assert.equal(await stage.page.locator(`${form} .trial .button-main`).count(), 0);
  await stage.page.click(`${form} .trial >> text=Leave it`);
});

test("of rates that changed meanwhile nothing is recorded", async () => {
  await look(today, "40", "more");
  const path = `/api/v1/resellers/${encodeURIComponent(reseller)}/rates/${today}`;
  const answer = await fetch(`http://127.0.0.1:${stage.server.port}${path}`, {
    method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ reward_percent: "0.5", reason: "past the page" }),
  });
  assert.equal(answer.status, 201);
  await stage.page.click(`${form} .trial .button-main`);
  await stage.page.waitForSelector(`${form} .problem-refused >> text=Nothing was recorded`);
  await stage.page.waitForSelector(".rates >> text=past the page");
  await figure("income", "0.38");
});

test("a rate is taken back, and stays in the list as withdrawn", async () => {
  await stage.page.click(".rates tbody tr:first-child .why");
  await askedForReason();
  await stage.page.keyboard.type("by mistake");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(`${form} .trial tbody tr`);
  assert.match(await record(), /is withdrawn\.$/);
  await figure("income", "0.22");
  await stage.page.waitForFunction(() => document.querySelectorAll(".rates tbody tr").length === 3);
  assert.deepEqual(await stage.page.$$eval(".rates tbody tr", (rows) => rows.map((row) => row.dataset.standing)),
    ["withdrawal", "withdrawn", "holds"]);
  assert.match(await stage.page.textContent(".rates [data-standing=withdrawal]"), /by mistake/);
  await assertAccessible(stage.page, "a reseller");
  await picture(stage.page, "reseller");
});

test("the table and the file have the server's rows, whatever they are grouped by", async () => {
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="income"] tbody tr');
  const [row, total] = await cells('[data-series="income"] :is(tbody, tfoot) tr');
  assert.deepEqual(row.slice(1), ["6", "0", "0", "0.75", "30 %", "0.22", "open"]);
  assert.deepEqual(total, ["Earned", "6", "0", "0", "0.75", "", "0.22", ""]);
  assert.equal(await stage.page.locator('[data-series="income"] tbody [title="0.225"]').count(), 1, "where the rest of an amount is told");
  await assertAccessible(stage.page, "the table of income");
  const [file] = await Promise.all([
    stage.page.waitForEvent("download"), stage.page.click("[data-series='income'] button:has-text('CSV')"),
  ]);
  assert.deepEqual((await readFile(await file.path(), "utf8")).trimEnd().split("\r\n"),
    ["day,clicks,sales,refunds,amount,reward_percent,income,sealed", `${today},6,0,0,0.75,0.3,0.225,false`]);
  for (const [group, name] of [["ad", ad], ["publisher", publisher]]) {
    await stage.page.selectOption('[data-series="income"] select', group);
    await stage.page.waitForFunction((wanted) => document.querySelector('[data-series="income"] tbody .name')?.title === wanted, name);
  }
  for (const group of ["hour", "month"]) {
    await stage.page.selectOption('[data-series="income"] select', group);
    await stage.page.waitForSelector(`#income-title:has-text("Income a${group === "hour" ? "n" : ""} ${group}")`);
    assert.equal((await cells('[data-series="income"] tbody tr')).length, 1);
  }
  await stage.page.selectOption('[data-series="income"] select', "day");
  await stage.page.keyboard.press("Escape");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("t");
});

test("a month is sealed for ever, once the reader has said so", async () => {
  await click("1", { time: `${lastMonth}-03T12:00:00Z` });
  await stage.page.click("nav a:has-text('Clicks & income')");
  await stage.page.click(`[data-month="${lastMonth}"] .why`);
  assert.ok(await stage.page.isDisabled(".seal .button-main"));
  await askedForReason();
  await stage.page.keyboard.type("paid out");
  await assertAccessible(stage.page, "sealing a month");
  await picture(stage.page, "seal");
  await stage.page.check(".seal [name=sure]");
  await stage.page.click(".seal .button-main");
  await stage.page.waitForSelector(`[data-month="${lastMonth}"] .mark-sealed`, { timeout: 15_000 });
  assert.match(await stage.page.textContent(`[data-month="${lastMonth}"]`), /paid out/);
  assert.equal(await stage.page.locator(`[data-month="${today.slice(0, 7)}"] .why`).count(), 0, "a month that is not over cannot be sealed");
});

test("what changes a sealed day is posted to the open month", async () => {
  await stage.page.goto(`${stage.proxy.origin}/clicks?${new URLSearchParams({ reseller })}`);
  await figure("income", "0.52", 15_000);
  await look(`${lastMonth}-02`, "40", "volume bonus, backdated");
  await record();
  await figure("corrected", "+0.10");
  await figure("earned", "0.60");
  await figure("income", "0.70");
  const made = (await cells(".adjustments .change")).find(([change]) => change.startsWith("A change of the rate: volume bonus, backdated"));
  assert.match(made[0], /by this machine, /);
  assert.match(made[1], /^2 days/);
  assert.match(made[2], /^in .+, at once$/);
  assert.equal(made[5], "+0.18");
  assert.equal(await stage.page.locator(".adjustments .day").count(), 0, "days before they are asked for");
  await stage.page.click(".adjustments .change:has-text('volume bonus') button");
  const days = await cells(".adjustments .day");
  assert.deepEqual(days.map((row) => row[5]), ["+0.10", "+0.08"]);
  assert.deepEqual(days.map((row) => row[2].split(" ")[0]), ["in", "at"]);
  await assertAccessible(stage.page, "the days of a change");
  await picture(stage.page, "adjustments");
  const [file] = await Promise.all([stage.page.waitForEvent("download"), stage.page.click(".adjustments button:has-text('CSV')")]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  assert.equal(lines[0], "day,posted,cause,was,is,difference,recorded_at,author,reason");
  assert.ok(lines.some((line) => line.startsWith(`${today},,rate,0.225,0.3,0.075,`)), lines.join("\n"));
});

test("a statement stands on paper whole, and is read by everyone", async () => {
  await stage.page.goto(`${stage.proxy.origin}/clicks?${new URLSearchParams({ reseller })}`);
  await stage.page.selectOption(".statement select", today.slice(0, 7));
  const [statement] = await Promise.all([stage.page.waitForEvent("popup"), stage.page.click(".statement a")]);
  await statement.waitForLoadState();
  const rows = await statement.$$eval("h1, dl div, tr", (all) => all.map((one) => one.textContent));
  assert.ok(rows.some((row) => row.includes("volume bonus, backdated (this machine)")), JSON.stringify(rows));
  const printed = printedText(await statement.pdf({ format: "A4" })).join("");
  assert.deepEqual(rows.filter((row) => !printed.includes(bare(row))), [], "not on the paper");
  // A4 without its margins, in pixels of 96 an inch.
  await statement.emulateMedia({ media: "print" });
  await statement.setViewportSize({ width: Math.floor((210 - 2 * 18) / 25.4 * 96), height: 900 });
  const wide = await statement.evaluate(() => [...document.querySelectorAll("h1, dl, table")].filter((one) => one.scrollWidth > innerWidth).length);
  assert.equal(wide, 0, "cut at the edge of the paper");
  await picture(statement, "statement-print");
  await statement.emulateMedia({ media: "screen" });
  for (const colorScheme of ["light", "dark"]) {
    await statement.emulateMedia({ colorScheme });
    await assertAccessible(statement, `a statement, ${colorScheme}`);
  }
  await statement.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(statement, "a statement");
  await assertAccessible(statement, "a statement, 320 px");
  await picture(statement, "statement-narrow");
  await statement.close();
});

test("clicks of an ad, without money", async () => {
  await stage.page.selectOption("#find-kind", "ad");
  await stage.page.fill("#find-name", ad);
  await stage.page.press("#find-name", "Enter");
  await figure("clicks", "7");
  await figure("refused", "1");
  assert.equal(new URL(stage.page.url()).searchParams.get("reseller"), null);
  await assertAccessible(stage.page, "an ad");
});

test("a reseller that nobody knows can be given a rate before the first click", async () => {
  await stage.page.goto(`${stage.proxy.origin}/clicks?${new URLSearchParams({ reseller: injected })}`);
  await stage.page.waitForSelector(".problem-refused >> text=there is no reseller of this name");
  await assertAccessible(stage.page, "a reseller that nobody knows");
  await look(today, "50", "first contract");
  assert.match(await stage.page.textContent(`${form} .trial`), /no income moves/);
  await stage.page.click(`${form} .trial .button-main`);
  await stage.page.waitForSelector(".rates >> text=first contract");
  await figure("income", "0.00");
});

test("currencies stand side by side, and a name is text whatever is in it", async () => {
  await click("2", { reseller: injected, currency: "USD" });
  await click("1", { reseller: injected });
  await stage.page.waitForSelector(".currency select", { timeout: 15_000 });
  assert.deepEqual(await stage.page.$$eval(".currency option", (all) => all.map((one) => one.value)), ["EUR", "USD"]);
  await figure("income", "0.50");
  await stage.page.selectOption(".currency select", "USD");
  await figure("income", "1.00");
  assert.equal(await stage.page.textContent("h1"), injected);
  const statement = await stage.page.getAttribute(".statement a", "href");
  assert.match(statement, /\?currency=USD$/);
  const [printed] = await Promise.all([stage.page.waitForEvent("popup"), stage.page.click(".statement a")]);
  await printed.waitForLoadState();
  assert.ok((await printed.textContent("h1")).endsWith(injected));
  await printed.close();
  await stage.page.click("nav a:has-text('Clicks & income')");
  await stage.page.waitForSelector(".currency select");
  await stage.page.selectOption(".currency select", "USD");
  await figure("amount", "2.00");
  await stage.page.waitForFunction((name) => document.querySelector("[data-parties=reseller] tbody .name")?.title === name, injected);
  assert.equal(await stage.page.locator("img").count(), 0, "a name became part of the page");
  await assertAccessible(stage.page, "two currencies");
  await picture(stage.page, "clicks-currencies");
});

test("clicks and income: dark and 320 px are enough for everyone", async () => {
  const reached = `${stage.proxy.origin}/clicks?${new URLSearchParams({ reseller })}`;
  await stage.page.goto(reached);
  await figure("income", "0.70");
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.waitForSelector('html[data-theme="dark"]');
  await assertAccessible(stage.page, "a reseller, dark");
  await picture(stage.page, "reseller-dark");
  await stage.page.emulateMedia({ colorScheme: "light" });
  await stage.page.setViewportSize({ width: 320, height: 700 });
  for (const [address, name] of [[`${stage.proxy.origin}/clicks`, "clicks"], [reached, "reseller"]]) {
    await stage.page.goto(address);
    await link("live");
    await stage.page.waitForSelector(".figures[aria-busy=false]");
    await assertNoSidewaysScroll(stage.page, name);
    await assertAccessible(stage.page, `${name}, 320 px`);
    await picture(stage.page, `${name}-narrow`);
  }
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector('[data-series="income"] tbody tr');
  await assertNoSidewaysScroll(stage.page, "the table of income");
  await stage.page.keyboard.press("t");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});
