// A ledger that differs from its clicks: the nightly check found it, and the page says so above everything else.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { stopServer } from "./server.mjs";
import { link, restart, send, stage } from "./stage.mjs";

/** A program of the tests: changes a row while nobody serves it, then holds the ledger to its clicks. */
const changer = process.env.FOOTFALL_CHANGED_LEDGER;
const reseller = "reseller-of-a-changed-row";

/** Resolves with the number of differences that the check found. */
async function checkAfter(micros) {
  await stopServer(stage.server);
  const { stdout } = await promisify(execFile)(changer, [stage.data, reseller, "EUR", String(micros)]);
  await restart();
  await stage.page.goto(`${stage.proxy.origin}/clicks`);
  await link("live");
  return Number(stdout);
}

test("a ledger that differs from its clicks is said in red, until it no longer does",
  { skip: changer === undefined && "FOOTFALL_CHANGED_LEDGER names no program that changes a ledger" }, async () => {
    await send({ action: "sale", object: "differing", actor: "buyer", reseller, amount: "3", currency: "EUR" });
    const differences = await checkAfter(1_000_000);
    assert.ok(differences > 0);
    const panel = stage.page.locator(".problem-panel");
    await panel.waitFor();
    assert.match(await panel.textContent(), new RegExp(`verify ads found ${differences} differences? at .*seal nothing and pay nothing`));
    const listed = await panel.locator("li").allTextContents();
    assert.ok(listed.some((one) => one.includes("amount_by_day") && one.includes(reseller)), JSON.stringify(listed));
    const [colour, brick] = await stage.page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--brick)";
      return [getComputedStyle(document.querySelector(".problem-panel")).borderLeftColor, getComputedStyle(probe).color];
    });
    assert.equal(colour, brick);
    assert.equal(await stage.page.locator(".months >> text=no difference").count(), 0);
    for (const colorScheme of ["dark", "light"]) {
      await stage.page.emulateMedia({ colorScheme });
      await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
      await assertAccessible(stage.page, `a ledger that differs, ${colorScheme}`);
    }
    await picture(stage.page, "differing");
    await stage.page.setViewportSize({ width: 320, height: 700 });
    await assertNoSidewaysScroll(stage.page, "a ledger that differs");
    await stage.page.setViewportSize({ width: 1280, height: 860 });

    assert.equal(await checkAfter(-1_000_000), 0);
    await stage.page.waitForSelector(".months >> text=/Held to its clicks at .*: no difference/");
    assert.equal(await panel.count(), 0);
  });
