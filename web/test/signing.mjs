// API keys: the page asks for one kindly, keeps none, and closes when it is revoked. The last tests: keys close the stage.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, stage } from "./stage.mjs";

const keys = {};

/** Asks past the browser and the wire, with the key of `by`. */
async function api(method, path, body, by = "ops") {
  const headers = keys[by] === undefined ? {} : { Authorization: `Bearer ${keys[by]}` };
  const response = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/keys${path}`,
    { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  assert.ok(response.ok, await response.clone().text());
  return response.json();
}

async function add(name, ...scopes) {
  keys[name] = (await api("POST", "", { name, scopes })).key;
}

async function enter(key) {
  await stage.page.fill("#api-key", key);
  await stage.page.press("#api-key", "Enter");
}

const signIn = () => stage.page.waitForSelector(".sign-in", { timeout: 15_000 });

test("the first key closes the page, which says so and asks for one", async () => {
  await stage.page.goto(`${stage.proxy.origin}/?range=1h`);
  await link("live");
  assert.equal(await stage.page.locator(".leave").count(), 0, "nobody signed in, nobody signs out");
  await add("ops", "admin");
  await signIn();
  assert.match(await stage.page.textContent(".sign-in-why"), /An API key was added/);
  assert.equal(await stage.page.title(), "Sign in · Footfall");
  assert.equal(await stage.page.evaluate(() => document.activeElement?.id), "api-key");
  await stage.page.reload();
  await signIn();
  assert.equal(await stage.page.locator(".sign-in-why").count(), 0, "whoever comes anew is told no news");
  assert.equal(await stage.page.textContent(".sign-in .command code"), "footfall keys add NAME --scope read");
});

test("the sign-in can be used by everyone: light, dark, 320 px", async () => {
  for (const colorScheme of ["dark", "light"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(stage.page, `sign-in, ${colorScheme}`);
    await picture(stage.page, `sign-in-${colorScheme}`);
  }
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "sign-in");
  await assertAccessible(stage.page, "sign-in, 320 px");
  await picture(stage.page, "sign-in-narrow");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});

test("what is no key, and a key that may not read, are told apart", async () => {
  await enter("ff_not-a-key");
  await stage.page.waitForSelector(".sign-in .problem-refused");
  assert.match(await stage.page.textContent(".sign-in .problem-refused"), /not known here/);
  assert.equal(await stage.page.evaluate(() => document.activeElement?.id), "api-key");
  await assertAccessible(stage.page, "a wrong key");
  await picture(stage.page, "sign-in-refused");
  await add("shop", "write");
  await enter(keys.shop);
  await stage.page.waitForSelector(".sign-in-why");
  assert.match(await stage.page.textContent(".sign-in-why"), /The key shop has not the scope read/);
  assert.equal(await stage.page.locator(".sign-in .problem").count(), 0);
});

test("a key that reads opens the page, which keeps none", async () => {
  await add("ann", "read");
  await enter(`  ${keys.ann} `);
  await link("live");
  await stage.page.waitForSelector(".largest tbody tr");
  assert.match(await stage.page.textContent(".leave"), /Sign out\s*ann/);
  assert.equal(await stage.page.textContent(".look-up .command code"),
    `curl -u ":$FOOTFALL_KEY" ${stage.proxy.origin}/api/v1/counter/object_id`);
  const kept = await stage.page.evaluate(() => [document.documentElement.outerHTML, document.cookie, JSON.stringify({ ...localStorage, ...sessionStorage })].join());
  assert.ok(!kept.includes(keys.ann.slice(3)), "the key is kept in the page");
  const cookies = await stage.page.context().cookies();
  assert.deepEqual(cookies.map(({ name, httpOnly, sameSite, path }) => ({ name, httpOnly, sameSite, path })),
    [{ name: "footfall_session", httpOnly: true, sameSite: "Strict", path: "/" }]);
  assert.ok(!keys.ann.includes(cookies[0].value), "the cookie is the key");
  await assertAccessible(stage.page, "signed in");
  await picture(stage.page, "signed-in");
  await stage.page.reload();
  await link("live");
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "signed in");
  await assertAccessible(stage.page, "signed in, 320 px");
  await picture(stage.page, "signed-in-narrow");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});

test("a key that reads sees clicks and rankings, one for money who gets what, and one for people who read what", async () => {
  await stage.page.goto(`${stage.proxy.origin}/clicks`);
  await stage.page.waitForSelector("[aria-label='No money'] >> text=Clicks only");
  await link("live");
  assert.deepEqual(await stage.page.$$eval(".parties, .months, [data-account=split]", (all) => all.length), 0);
  await stage.page.goto(`${stage.proxy.origin}/clicks?publisher=the-sea-news.example`);
  await stage.page.waitForSelector("[data-figure=refunds]");
  assert.equal(await stage.page.locator(".rates-panel, .rate-form, [data-figure=income]").count(), 0);
  await assertAccessible(stage.page, "clicks without money");
  await stage.page.goto(`${stage.proxy.origin}/reading?actor=ann`);
  await stage.page.waitForSelector("[aria-label='No people'] >> text=Rankings only");
  await stage.page.waitForSelector(".popular tbody tr");
  assert.equal(await stage.page.locator(".feed, .own-reads, .consent").count(), 0);
  await assertAccessible(stage.page, "reading without people");
  await stage.page.goto(`${stage.proxy.origin}/identities?find=www/id/w111`);
  await stage.page.waitForSelector("[aria-label='No profiles'] >> text=has not the scope");
  assert.equal(await stage.page.locator(".members, .chain, [data-account=profile]").count(), 0);
  await assertAccessible(stage.page, "identities without people");
  await stage.page.click(".leave");
  await signIn();
  await add("teller", "read", "money", "people");
  await enter(keys.teller);
  await stage.page.waitForSelector(".members [data-id='www/id/w111']");
  await stage.page.goto(`${stage.proxy.origin}/reading?actor=ann`);
  await stage.page.waitForSelector(".feed tbody tr");
  await stage.page.goto(`${stage.proxy.origin}/clicks?publisher=the-sea-news.example`);
  await stage.page.waitForSelector("[data-figure=income]");
  await stage.page.waitForSelector(".rate-form");
  await stage.page.click("nav a:has-text('Clicks & income')");
  await stage.page.waitForSelector("[data-account=split]");
  await stage.page.waitForSelector("[data-parties=reseller] tbody tr");
  await api("DELETE", "/teller");
  await signIn();
  await enter(keys.ann);
  await link("live");
});

test("a revoked key ends what is open", async () => {
  await api("DELETE", "/ann");
  await signIn();
  assert.match(await stage.page.textContent(".sign-in-why"), /signed out/);
});

test("who signs out is out, and its cookie is gone", async () => {
  await enter(keys.ops);
  await link("live");
  await stage.page.click(".leave");
  await signIn();
  assert.deepEqual(await stage.page.context().cookies(), []);
  await stage.page.reload();
  await signIn();
});

test("without the last key the page is open again", async () => {
  await api("DELETE", "/shop");
  await api("DELETE", "/ops");
  await stage.page.reload();
  await link("live");
  assert.equal(await stage.page.locator(".leave").count(), 0);
});
