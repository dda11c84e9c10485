// The pictures of docs/segments.md: a real register in the page itself, its numbers held to the truth beside it first.
//
//   FOOTFALL_BINARY=build/release/footfall node web/test/pictures.mjs FOLDER OUT
//
// FOLDER has the register of the Chadwick Baseball Bureau (people-*.csv.gz, truth.json); OUT gets segments-map.png and segments-upset.png.

import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { startServer, stopServer } from "./server.mjs";

const [, , folder, out] = process.argv;
assert.ok(folder && out && process.env.FOOTFALL_BINARY, "FOOTFALL_BINARY, the folder of the register, and where pictures go have to be given");

/** "key_sr_nfl" is nfl. */
const systemOf = (key) => key.replace(/^key_(sr_)?/, "");
const truth = JSON.parse(await readFile(join(folder, "truth.json"), "utf8"));
const sizes = Object.fromEntries(Object.entries(truth.identifier_systems).map(([key, { rows_with_value: people }]) => [systemOf(key), people]));
const pair = (one, other) => [one, other].sort().join(" & ");
const overlaps = new Map(Object.entries(truth["overlap (identities that carry both)"]).map(([keys, people]) => [pair(...keys.split(" & ").map(systemOf)), people]));
const systems = Object.keys(sizes).sort((one, other) => sizes[other] - sizes[one]);

/** The cells of a line of CSV; none of the register's has a line end in it. */
const cellsOf = (line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));

/** The ids of each person. */
async function people() {
  const found = [];
  for (const file of (await readdir(folder)).filter((name) => /^people-.*\.csv\.gz$/.test(name))) {
    const [head, ...lines] = gunzipSync(await readFile(join(folder, file))).toString("utf8").split(/\r?\n/);
    const columns = head.split(",").map((key, at) => [systemOf(key), at]).filter(([system]) => system in sizes);
    for (const line of lines.filter((one) => one !== "")) {
      const cells = cellsOf(line);
      found.push(columns.filter(([, at]) => cells[at] !== "").map(([identifier, at]) => ({ identifier, id_name: "id", id_value: cells[at] })));
    }
  }
  return found;
}

async function post(origin, path, lines, many) {
  for (let at = 0; at < lines.length; at += many) {
    const response = await fetch(`${origin}/api/v1/${path}`, {
      method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: lines.slice(at, at + many).join("\n"),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

const data = await mkdtemp(join(tmpdir(), "footfall-pictures-"));
const server = await startServer(process.env.FOOTFALL_BINARY, data, 0, ["--sync", "200ms"]);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const origin = `http://127.0.0.1:${server.port}`;
  const register = await people();
  await post(origin, "identities/match", register.filter((ids) => ids.length > 1).map((ids) => JSON.stringify({ ids })), 20_000);
  for (const system of systems) {
    const members = register.flat().filter(({ identifier }) => identifier === system).map((id) => JSON.stringify(id));
    await post(origin, `segments/${system}/members`, members, 100_000);
  }
  const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ segments: systems }) };
  let answer = {};
  for (const until = Date.now() + 600_000; JSON.stringify(answer.sizes) !== JSON.stringify(sizes, systems) && Date.now() < until;) {
    answer = await (await fetch(`${origin}/api/v1/segments/overlap`, asked)).json();
    await setTimeout(500);
  }
  assert.deepEqual(answer.sizes, sizes);
  for (const { segments, count } of answer.overlap) assert.equal(count, overlaps.get(pair(...segments)) ?? 0, segments.join(" & "));

  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "light", reducedMotion: "reduce" });
  const take = async (names, panel, ready, file) => {
    await page.goto(`${origin}/segments?compare=${names.join(",")}`);
    await page.waitForSelector(ready);
    await page.mouse.move(0, 0);
    await page.locator(panel).screenshot({ path: join(out, file) });
  };
  await take(systems, ".overlap", `[data-field="${systems.length - 1} 0"]`, "segments-map.png");
  // Combinations are counted of eight.
  await take(systems.slice(0, 8), ".upset", ".upset-lines tbody tr", "segments-upset.png");
} finally {
  await browser.close();
  await stopServer(server);
  await rm(data, { recursive: true, force: true });
}
