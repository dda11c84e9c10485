// The stream breaks, falls silent, loses its server: figures are never silently old and never doubled.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, figures, picture, showing } from "./page.mjs";
import { stopServer } from "./server.mjs";
import { link, put, restart, stage } from "./stage.mjs";

test("a wire cut and mended: old figures say so, and nothing doubles", async () => {
  const before = await figures(stage.page);
  stage.proxy.cut();
  await link("lost");
  assert.match(await stage.page.textContent(".status"), /no news since \d\d:\d\d:\d\d, reconnecting/);
  assert.equal((await figures(stage.page)).put, before.put, "the last known figures stay, greyed");
  stage.proxy.heal();
  await link("live");
  const { put: all, fresh, already } = await figures(stage.page);
  assert.deepEqual([all, fresh, already], [before.put, before.fresh, before.already]);
});

test("a server that falls silent is noticed without an error, also by those that connect meanwhile", async () => {
  stage.proxy.silence();
  await link("lost");
  // The page connects anew; what it connects to is as dead, and says so as little.
  await stage.page.waitForRequest(/\/live\/counters/, { timeout: 15_000 });
  stage.proxy.heal();
  await link("live", 30_000);
  assert.equal((await figures(stage.page)).put, 15);
  stage.proxy.bury();
});

test("a killed server leaves stale figures; its restart is picked up without doubling", async () => {
  const before = await figures(stage.page);
  await stopServer(stage.server, "SIGKILL");
  await link("lost");
  const colours = await stage.page.evaluate(() => [".figure .value", "h1"].map((one) => getComputedStyle(document.querySelector(one)).color));
  assert.notEqual(colours[0], colours[1], "old figures are grey");
  await assertAccessible(stage.page, "stale");
  await picture(stage.page, "stale");

  await restart();
  await link("live");
  const after = await figures(stage.page);
  assert.ok(after.put === 0 || after.put === before.put, `${after.put} after the restart, ${before.put} before`);
  await put("/first", "t1");
  await showing(stage.page, after.put + 1, after.fresh);
  await stage.page.waitForFunction(() => document.querySelector(".largest tbody .number")?.textContent?.startsWith("12"));
});

test("demo traffic is called demo traffic", async () => {
  const demo = await stage.page.context().newPage();
  const hello = '{"version":"0.1.0","mode":"demo","started":"2026-11-21T10:00:00Z","serve_command":"footfall serve","takes_events":true}';
  await demo.route("**/api/v1/live/counters", (route) => route.fulfill({
    contentType: "text/event-stream", body: `retry: 60000\n\nevent: hello\ndata: ${hello}\n\n`,
  }));
  await demo.goto(stage.proxy.origin);
  await demo.waitForSelector(".notice");
  assert.match(await demo.textContent(".notice"), /Demo traffic/);
  assert.equal(await demo.textContent(".notice code"), "footfall serve");
  await demo.close();
});
