// The dashboard in a real Chromium against the real program:
//
//   FOOTFALL_BINARY=build/release/footfall node web/test/dashboard.mjs
//
// FOOTFALL_SCREENSHOTS names a folder for pictures. On a cluster those of tokens and views alone run, or with FOOTFALL_WHOLE_DASHBOARD all. The tests play on one stage, build on each other and run in order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./stage.mjs";

const onEachStore = ["counting", "viewing"];
/** All, in their order. */
const parts = ["counting", "using", "limiting", "viewing", "explaining", "losing", "hours", "names", "reading", "identities", "tied", "segments",
  "rules", "webhooks", "auditing", "system", "earning", "differing", "signing"];
const onCluster = process.env.FOOTFALL_TEST_LOG === "kafka" && process.env.FOOTFALL_WHOLE_DASHBOARD === undefined;

for (const part of parts.filter((name) => !onCluster || onEachStore.includes(name))) await import(`./${part}.mjs`);

test("no error, no request elsewhere, nothing the content security policy forbids", () => {
  assert.deepEqual(stage.complaints, []);
});
