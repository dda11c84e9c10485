// Audit and Erasures: what was done is seen with its proof, counted again by the page; an erasure is shown first, then done, and its
// receipt followed; what was said of who is erased is forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, id, match, sidOf, standsOn } from "./matching.mjs";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, stage } from "./stage.mjs";

const press = (key) => stage.page.keyboard.press(key);
const problem = (status, title, detail) => ({
  status, contentType: "application/problem+json", body: JSON.stringify({ type: "/problems/x", title, status, detail }),
});

/** Asks what would go. */
async function look(whom) {
  await stage.page.fill("#erase-whom", whom);
  await stage.page.press("#erase-whom", "Enter");
}

/** Wide and light, and narrow and dark. */
async function everywhere(name) {
  await assertAccessible(stage.page, name);
  await picture(stage.page, name);
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.waitForSelector('html[data-theme="dark"]');
  await picture(stage.page, `${name}-dark`);
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, name);
  await assertAccessible(stage.page, `${name}, dark, 320 px`);
  await picture(stage.page, `${name}-narrow`);
  await stage.page.setViewportSize({ width: 1280, height: 860 });
  await stage.page.emulateMedia({ colorScheme: "light" });
}

test("g e leads to the erasures, where a profile is shown before it is erased", async () => {
  await match(["shop/customer/gone", "www/id/gone"]);
  await match(["shop/customer/gone", "app/device/lent"]);
  const detached = { ids: [id("app/device/lent")], reason: "a friend's device" };
  await api("POST", `/profiles/${await sidOf("shop/customer/gone")}/detach`, detached);
  await stage.page.goto(`${stage.proxy.origin}/`);
  await link("live");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await press("g");
  await press("e");
  await stage.page.waitForSelector(".receipts .command");
  await press("/");
  await standsOn("#erase-whom");
  await press("Enter");
  await stage.page.waitForSelector("#erase-hint.refused");
  await look("shop/customer/nobody of this name");
  await stage.page.waitForSelector(".erase .problem");
  await look("shop/customer/gone");
  await stage.page.waitForSelector(".would-go >> text=with 2 ids");
});

test("what was looked at is erased and nothing else; the receipt says what it waits for", async () => {
  await match(["shop/customer/gone", "app/device/gone"]);
  await stage.page.click(".would-go >> text=Erase for good");
  await stage.page.waitForSelector(".erase .problem >> text=Nothing was erased");
  await stage.page.click("text=Show what would go");
  await stage.page.waitForSelector(".would-go >> text=with 3 ids");
  await stage.page.click(".would-go >> text=Erase for good");
  await stage.page.waitForSelector(".one-receipt [data-part]");
  assert.match(await stage.page.textContent(".page > .said"), /^Erased\./);
  const receipt = await stage.page.getAttribute(".one-receipt [data-receipt]", "data-receipt");
  assert.equal(new URL(stage.page.url()).searchParams.get("receipt"), receipt);
  await stage.page.waitForSelector(`tr[data-receipt="${receipt}"]`);
  assert.equal(await stage.page.textContent(`tr[data-receipt="${receipt}"] td.number`), "3");
  assert.ok(!(await stage.page.content()).includes("customer/gone"), "a receipt does not say of whom it is");
  await look("app/device/lent");
  await stage.page.waitForSelector(".would-go");
  await everywhere("erasures");
});

test("the list is paged, and whose it is not to see is told so", async () => {
  const { page } = stage;
  const receipt = (digit) => ({ receipt: digit.repeat(48), state: "open", open: ["kafka"], at: "2026-11-29T18:40:37Z", kind: "actor", ids: 1 });
  await page.route("**/api/v1/erasures?*", (route) => route.fulfill({
    json: route.request().url().includes("cursor=") ? { erasures: [receipt("b")], next: null } : { erasures: [receipt("a")], next: "a".repeat(48) } }));
  await page.click(".receipts >> text=Older");
  await page.waitForSelector(`tr[data-receipt="${"b".repeat(48)}"]`);
  await page.click(".receipts >> text=Newest");
  await page.waitForSelector(`tr[data-receipt="${"a".repeat(48)}"]`);
  await page.unroute("**/api/v1/erasures?*");
  await page.route("**/api/v1/erasures?*", (route) => route.fulfill(problem(403, "Forbidden", "this needs an API key with the scope admin")));
  await page.waitForSelector(".receipts >> text=keys with the scope admin");
  await page.unroute("**/api/v1/erasures?*");
});

test("g a leads to the audit log: its head, the newest entries, and one with its proof, counted again by the page", async () => {
  const { page } = stage;
  await page.evaluate(() => document.activeElement?.blur());
  await press("g");
  await press("a");
  await page.waitForSelector(".ledger-entries >> text=Somebody was erased");
  assert.match(await page.textContent("[data-figure=size] .value"), /^\d+$/);
  assert.match(await page.textContent(".checking .command >> nth=1"), /footfall audit verify --server http:\S+ --checkpoint kept\.txt/);
  const forgotten = page.locator(".ledger-entries tr:has-text('Ids or facts were detached'):has-text('forgotten')").first();
  const number = await forgotten.getAttribute("data-entry");
  await press("/");
  await standsOn("#find-entry");
  await page.keyboard.type(number);
  await press("Enter");
  await page.waitForSelector(".one-entry >> text=forgotten");
  assert.equal(await page.title(), `Entry ${number} · Footfall`);
  await page.click("text=Prove that it is in the log");
  await page.waitForSelector(".verdict >> text=proven");
  await page.click(".proof summary");
  await everywhere("audit");
});

test("a proof that does not hold is told so; so are a log that is broken and a key that may not", async () => {
  const { page } = stage;
  await page.route("**/api/v1/audit/inclusion?*", (route) => route.fulfill({ json: { hashes: [] } }));
  await page.click("text=Close");
  await page.click(".ledger-entries .why >> nth=0");
  await page.click("text=Prove that it is in the log");
  await page.waitForSelector(".proof .problem-refused >> text=Not proven");
  await page.unroute("**/api/v1/audit/inclusion?*");
  await page.fill("#find-entry", "999999");
  await page.press("#find-entry", "Enter");
  await page.waitForSelector(".one-entry >> text=There is no entry 999,999 yet");
  await page.route("**/api/v1/audit?*", (route) => route.fulfill(problem(500, "Corrupt", "entry 3 of the audit log is not as it was signed")));
  await page.goto(`${stage.proxy.origin}/audit`);
  await page.waitForSelector("#broken-title");
  await assertAccessible(page, "a broken log");
  await picture(page, "audit-broken");
  await page.unroute("**/api/v1/audit?*");
  await page.route("**/api/v1/audit/head", (route) => route.fulfill(problem(403, "Forbidden", "this needs an API key with the scope admin")));
  await page.waitForSelector("[aria-label='No audit log']");
  assert.equal(await page.locator(".entries, .figures").count(), 0);
  await page.unroute("**/api/v1/audit/head");
});
