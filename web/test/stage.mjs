// What every test plays on: the program on an empty data directory, a wire to it, and one page in Chromium.

import assert from "node:assert/strict";
import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { startProxy } from "./proxy.mjs";
import { startServer, stopServer } from "./server.mjs";

export const binary = process.env.FOOTFALL_BINARY;
assert.ok(binary, "FOOTFALL_BINARY names the program to test");

/** Filled before the first test. `complaints` gathers what no test may cause. */
export const stage = { data: null, server: null, proxy: null, browser: null, page: null, complaints: [] };

before(async () => {
  if (process.env.FOOTFALL_SCREENSHOTS) await mkdir(process.env.FOOTFALL_SCREENSHOTS, { recursive: true });
  stage.data = await mkdtemp(join(tmpdir(), "footfall-dashboard-"));
  stage.server = await startServer(binary, stage.data);
  stage.proxy = await startProxy(stage.server);
  stage.browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  const context = await stage.browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  stage.page = await context.newPage();
  listen(stage.page);
  // An hour, so that nothing counted during the test slides out of the window.
  await stage.page.goto(`${stage.proxy.origin}/?range=1h`);
  await link("live");
});

after(async () => {
  await stage.browser?.close();
  stage.proxy?.close();
  if (stage.server) await stopServer(stage.server);
  if (stage.data) await rm(stage.data, { recursive: true, force: true });
});

function listen(page) {
  page.on("pageerror", (error) => stage.complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) stage.complaints.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "blob:" && origin !== stage.proxy.origin) stage.complaints.push(`asked elsewhere: ${request.url()}`);
  });
}

/** Counts a token past the browser and the wire. */
export async function put(object, token) {
  const response = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/counter/${encodeURIComponent(object)}`,
    { method: "PUT", body: token });
  assert.equal(response.status, 200);
}

/** Sends an event past the browser and the wire; resolves once it is durable. */
export async function send(event) {
  const response = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/events`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ action: "view", ...event }),
  });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { accepted: 1, duplicates: 0, rejected: [] });
}

/** Waits until the page calls its stream `live` or `lost`. */
export function link(state, timeout = 15_000) {
  return stage.page.waitForSelector(`.status-${state}`, { timeout });
}

/** Starts the program anew where it was. */
export async function restart() {
  stage.server = await startServer(binary, stage.data, stage.server.port);
}
