// The dashboard in a real Chromium against the real program:
//
//   FOOTFALL_BINARY=build/release/footfall node web/test/dashboard.mjs
//
// FOOTFALL_SCREENSHOTS names a folder for pictures. The tests play on one stage, build on each other and run in order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./stage.mjs";
import "./counting.mjs";
import "./using.mjs";
import "./limiting.mjs";
import "./viewing.mjs";
import "./explaining.mjs";
import "./losing.mjs";
import "./hours.mjs";
import "./names.mjs";
import "./reading.mjs";
import "./identities.mjs";
import "./tied.mjs";
import "./segments.mjs";
import "./rules.mjs";
import "./webhooks.mjs";
import "./auditing.mjs";
import "./earning.mjs";
import "./differing.mjs";
import "./signing.mjs";

test("no error, no request elsewhere, nothing the content security policy forbids", () => {
  assert.deepEqual(stage.complaints, []);
});
