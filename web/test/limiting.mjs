// Objects above their counter's limit: what the server does not know is named, and the account still adds up.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, figures, picture, showing } from "./page.mjs";
import { startServer, stopServer } from "./server.mjs";
import { binary, stage } from "./stage.mjs";

test("tokens above a limit are neither new nor already counted", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "footfall-limit-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "footfall.toml");
  await writeFile(config, '[[counter]]\nname = "default"\nlimit = 3\n');
  const server = await startServer(binary, join(folder, "data"), 0, ["--config", config]);
  t.after(() => stopServer(server));
  const origin = `http://127.0.0.1:${server.port}`;
  const put = (token) => fetch(`${origin}/api/v1/counter/a`, { method: "PUT", body: token });
  const page = await stage.page.context().newPage();
  t.after(() => page.close());
  await page.goto(`${origin}/?range=1h`);

  for (const token of ["1", "2", "3", "1"]) await put(token);
  await showing(page, 4, 3);
  assert.equal((await figures(page)).sum, "4 put = 3 new + 1 already counted");
  assert.equal(await page.locator(".swatch-unsure").count(), 0, "nothing of a limit is said where none was reached");
  assert.equal(await page.textContent('[data-figure="new"] .mark'), "exact");

  // The fourth is known to be one more; of those after it nobody knows.
  for (const token of ["4", "5", "6", "7", "1"]) await put(token);
  await showing(page, 9, 4);
  const { sum, chart } = await figures(page);
  assert.equal(sum, "9 put = 4 new + 2 already counted + 3 above a limit");
  assert.deepEqual(chart, [9, 4, 2, 3]);
  assert.equal(await page.locator(".swatch-unsure").count(), 1);
  for (const name of ["new", "already"]) assert.equal(await page.textContent(`[data-figure="${name}"] .mark`), "at least");
  await assertAccessible(page, "above a limit");
  await picture(page, "above-a-limit");

  await page.keyboard.press("t");
  await page.waitForSelector("[data-series='tokens'] tbody tr");
  assert.deepEqual((await figures(page)).foot, [9, 4, 2, 3]);
  await assertAccessible(page, "the table above a limit");
  await page.setViewportSize({ width: 320, height: 800 });
  await assertNoSidewaysScroll(page, "the table above a limit");
  await page.keyboard.press("t");
  await page.waitForSelector("[data-series='tokens'] .chart canvas");
  await assertNoSidewaysScroll(page, "the chart above a limit");
});
