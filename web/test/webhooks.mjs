// Webhooks on the page Segments: who is sent the changes, how far each is, why one fails; a receiver that was given up is resumed by a button.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, stage } from "./stage.mjs";

const api = (path, more) => fetch(`http://127.0.0.1:${stage.server.port}/api/v1/${path}`, more);
const row = (name) => `[data-webhook=${JSON.stringify(name)}]`;

async function openSegments() {
  await stage.page.goto(`${stage.proxy.origin}/segments`);
  await link("live");
}

test("where nobody is sent changes the panel says how somebody is", async () => {
  await openSegments();
  await stage.page.waitForSelector(".webhooks >> text=sent to nobody");
  assert.match(await stage.page.textContent(".webhooks .command code"), /^footfall segments webhooks add crm/);
});

test("a webhook shows where to, how far, and why it fails", async () => {
  const put = await api("webhooks/crm", { method: "PUT", body: JSON.stringify({ segment: "spring", network: "shop", url: "https://receiver.invalid/audiences?of=shop" }) });
  assert.equal(put.status, 201);
  await stage.page.waitForSelector(`${row("crm")} >> text=failing`, { timeout: 10_000 });
  const cells = await stage.page.$$eval(`${row("crm")} > *`, (all) => all.map((one) => one.textContent));
  assert.deepEqual(cells.slice(0, 4), ["crm", "spring, ids of shop", "https://receiver.invalid/audiences?of=shop", "none yet"]);
  assert.match(cells[4], /^failing .+ – failed (once|\d+ times in a row), since .+; tried again at /);
  await assertAccessible(stage.page, "a webhook that fails");
  await picture(stage.page, "webhooks");
});

test("it is resumed by its button, and the answer is said", async () => {
  const asked = stage.page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/webhooks/crm/resume"));
  await stage.page.click("[aria-label='Resume crm']");
  await asked;
  await stage.page.waitForFunction(() => document.querySelector(".webhooks [role=status]")?.textContent === "crm is tried again from where it is.");
});

test("one that was given up is marked, both themes, 320 px", async () => {
  const dead = {
    name: "ads-network", segment: "spring", network: null, url: `https://adx.example.org/${"in/".repeat(40)}`, created: "2026-11-22T10:00:00Z", state: "dead", after: 120_000,
    failures: 61, failing_since: "2026-11-22T10:00:00Z", next_try: null, trouble: "it answered 410", answered: "2026-11-22T09:59:00Z",
  };
  const ok = { ...dead, name: "warehouse", url: "https://warehouse.example.org/footfall", state: "ok", after: 1_234_567, failures: 0, failing_since: null, trouble: null };
  await stage.page.route("**/api/v1/webhooks", (route) => route.fulfill({ json: { webhooks: [dead, ok] } }));
  await openSegments();
  await stage.page.waitForSelector(`${row("ads-network")} >> text=given up until it is resumed`);
  assert.equal(await stage.page.locator("[aria-label='Resume warehouse']").count(), 0);
  assert.match(await stage.page.textContent(`${row("warehouse")} td:nth-child(4)`), /^1,234,567$/);
  for (const colorScheme of ["dark", "light"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await stage.page.locator(".webhooks").scrollIntoViewIfNeeded();
    await assertAccessible(stage.page, `webhooks, ${colorScheme}`);
    await picture(stage.page, `webhooks-${colorScheme}`);
  }
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await stage.page.locator(".webhooks").scrollIntoViewIfNeeded();
  await assertNoSidewaysScroll(stage.page, "webhooks");
  await assertAccessible(stage.page, "webhooks, 320 px");
  await picture(stage.page, "webhooks-narrow");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
  await stage.page.unroute("**/api/v1/webhooks");
});

test("who may not know of webhooks sees none", async () => {
  await stage.page.route("**/api/v1/webhooks", (route) => route.fulfill({
    status: 403, contentType: "application/problem+json",
    body: JSON.stringify({ type: "/problems/scope-missing", title: "Forbidden", status: 403, detail: "this needs an API key with the scope admin" }),
  }));
  await openSegments();
  await stage.page.waitForSelector(".segment-list");
  await stage.page.waitForSelector(".webhooks", { state: "detached" });
  await stage.page.unroute("**/api/v1/webhooks");
  assert.equal((await api("webhooks/crm", { method: "DELETE" })).status, 204);
});
