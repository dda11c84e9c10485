// The dashboard in a real Chromium against the real program:
//
//   FOOTFALL_BINARY=build/release/footfall node web/test/dashboard.mjs
//
// FOOTFALL_SCREENSHOTS names a folder for pictures. FOOTFALL_WHOLE_DASHBOARD has all of them run on a cluster, too. The tests play on one stage, build on each other and run in order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./stage.mjs";

/** Pages whose figures come from the store, each with what it shows and changes. */
const ofStores = ["counting", "viewing", "reading", "identities", "segments", "earning"];
/** All, in their order. What is not of a store is the same over any: on a cluster it is left out. */
const parts = ["counting", "using", "limiting", "viewing", "explaining", "losing", "hours", "names", "reading", "identities", "tied", "segments",
  "rules", "webhooks", "auditing", "earning", "differing", "signing"];
const onCluster = process.env.FOOTFALL_TEST_LOG === "kafka" && process.env.FOOTFALL_WHOLE_DASHBOARD === undefined;

for (const part of parts.filter((name) => !onCluster || ofStores.includes(name))) await import(`./${part}.mjs`);

test("no error, no request elsewhere, nothing the content security policy forbids", () => {
  assert.deepEqual(stage.complaints, []);
});
