// Identities: how two ids are tied, or what keeps them apart; a shared id is lifted; contested links are looked through by guard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, because, id, match, open, profileOf, said, standsOn } from "./matching.mjs";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, stage } from "./stage.mjs";

const [card, phone, desk, till] = ["club/card/t-1", "crm/phone/+47 1", "desk/customer/d-1", "till/receipt/r-1"];
const stranger = "club/card/t-2";
const start = async (search = "") => {
  await stage.page.goto(`${stage.proxy.origin}/identities${search}`);
  await link("live");
};
const result = (facts) => stage.page.waitForSelector(`.tied-result[data-facts="${facts}"]`);

async function inBothThemes(what, name) {
  for (const colorScheme of ["dark", "light"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(stage.page, `${what}, ${colorScheme}`);
    await picture(stage.page, `${name}-${colorScheme}`);
  }
}

async function narrow(what, name) {
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, what);
  await assertAccessible(stage.page, `${what}, 320 px`);
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await picture(stage.page, `${name}-narrow`);
  await stage.page.emulateMedia({ colorScheme: "light" });
  await stage.page.setViewportSize({ width: 1280, height: 860 });
}

test("two ids of one profile are tied by a chain of links, asked by the keyboard alone", async () => {
  await match([card, phone], { source: "till", time: "2026-03-01T08:00:00Z" });
  await match([phone, desk], { source: "desk", time: "2026-03-02T08:00:00Z" });
  await match([desk, till], { source: "till", time: "2026-03-03T08:00:00Z" });
  await match([card, phone], { source: "till", time: "2026-04-01T08:00:00Z" });
  await start();
  await stage.page.focus(".tied [name=from]");
  await stage.page.keyboard.type("t-1");
  await stage.page.keyboard.press("Enter");
  await standsOn(".tied [name=from]");
  await stage.page.waitForSelector(".tied >> text=An id has three parts");
  await assertAccessible(stage.page, "no id to ask of");
  await stage.page.fill(".tied [name=from]", card);
  await stage.page.keyboard.press("Tab");
  await stage.page.keyboard.type(till);
  await stage.page.keyboard.press("Enter");
  await result(3);
  assert.equal(await stage.page.textContent(".tied-result .sentence"), "They are one person: 3 links lead from one to the other.");
  const steps = await stage.page.$$eval(".tied-list > li", (all) => all.map((one) => [...one.querySelectorAll(".tied-step .name")].map(({ title }) => title)));
  assert.deepEqual(steps, [["t-1", "+47 1"], ["+47 1", "d-1"], ["d-1", "r-1"]]);
  assert.match(await stage.page.textContent(".tied-list > li"), /till said that club\/card\/t-1 and crm\/phone\/\+47 1 are one person.*said again until.*source till/);
  assert.equal(await stage.page.locator(".tied .graph-field .graph-fact.graph-holds").count(), 3);
  assert.equal(await stage.page.locator(".tied .graph-names li").count(), 5, "four ids and the line of numbers");
  const asked = new URL(stage.page.url()).searchParams;
  assert.deepEqual([asked.get("from"), asked.get("to")], [card, till], "the question can be sent to somebody");
  await inBothThemes("a way between two ids", "identities-tied");
  await narrow("a way between two ids", "identities-tied");
  await stage.page.locator(".tied-step button.name", { hasText: "d-1" }).first().click();
  await stage.page.waitForSelector(".members");
  assert.equal(new URL(stage.page.url()).searchParams.get("find"), desk);
  assert.equal(await stage.page.inputValue(".tied [name=from]"), desk, "from here one would ask on");
  assert.equal(await stage.page.locator(".tied-result").count(), 0);
});

test("what keeps two apart is told, also when nobody has said that they are one", async () => {
  await match([stranger, "desk/customer/d-2"], { source: "desk" });
  await open(card);
  await stage.page.waitForSelector(".members");
  await stage.page.fill(".tied [name=to]", stranger);
  await stage.page.keyboard.press("Enter");
  await result(0);
  assert.equal(await stage.page.textContent(".tied-result .sentence"), "They are two profiles: nobody has said that they are one person.");
  await assertAccessible(stage.page, "two whom nothing ties");
  await match([card, stranger], { source: "a typing error" });
  await result(1);
  assert.equal(await stage.page.textContent(".tied-result .sentence"), "They are one person: one link names both.", "it is told as it is now");
  const { sid } = await api("GET", `/identities/${stranger}`);
  await api("POST", `/profiles/${sid}/detach`, { ids: [stranger, "desk/customer/d-2"].map(id), reason: "two sisters" });
  await result(2);
  assert.match(await stage.page.textContent(".tied-result .sentence"), /2 facts name both, and none unites them/);
  await stage.page.waitForSelector(".tied-list >> text=Kept apart: its ids were parted.");
  await stage.page.waitForSelector(".tied-list >> text=Reason: two sisters");
  await inBothThemes("what keeps two apart", "identities-apart");
  await narrow("what keeps two apart", "identities-apart");
  await stage.page.fill(".tied [name=to]", card);
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".tied-result >> text=Both are the same id.");
  await stage.page.fill(".tied [name=to]", "club/card/nobody");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".tied .tied-no >> text=nobody has said anything of it");
  await assertAccessible(stage.page, "an id that nobody has named, to be tied");
  await stage.page.click(".tied >> text=Clear");
  await stage.page.waitForSelector(".tied .tied-no", { state: "detached" });
  await standsOn(".tied [name=from]");
});

test("long names and a server that is away", async () => {
  const long = ["n", "i", "v"].map((letter) => letter.repeat(256)).join("/");
  await match([card, long], { source: "s".repeat(256) });
  await start(`?from=${encodeURIComponent(till)}&to=${encodeURIComponent(long)}`);
  await result(4);
  await narrow("a way to a long name", "identities-tied-long");
  stage.proxy.cut();
  await link("lost");
  assert.equal(await stage.page.locator(".tied-list > li").count(), 4, "the last known way stays");
  await stage.page.fill(".tied [name=to]", desk);
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".tied >> text=cannot be reached");
  assert.equal(await stage.page.locator(".tied-list").count(), 0, "nothing of others");
  await assertAccessible(stage.page, "no answer to how two are tied");
  stage.proxy.heal();
  await link("live");
  await result(1);
});

test("a shared id says why, is lifted after a look at what would be, and shared again when that is revoked", async () => {
  const family = "kiosk/terminal/family";
  const others = Array.from({ length: 66 }, (_, number) => `family/member/f${number}`);
  for (const one of others) await match([family, one], { source: "family" });
  await open(family);
  await stage.page.waitForSelector(".shared-notice >> text=It was linked with more than 64 others");
  await stage.page.focus("[data-act=lift]");
  await stage.page.keyboard.press("Enter");
  await because(".shared-notice", "it is one household");
  await stage.page.waitForSelector(".would-be >> text=This id would be in one profile of 67 ids");
  await standsOn(".would-be");
  await inBothThemes("before an id is lifted", "identities-lift");
  await narrow("before an id is lifted", "identities-lift");
  assert.deepEqual(await profileOf(family), [family], "nothing happens without a yes");
  await stage.page.click(".would-be >> text=Leave it");
  await standsOn("[data-act=lift]");
  await stage.page.keyboard.press("Enter");
  await because(".shared-notice", "it is one household");
  await stage.page.click(".would-be .button-main");
  await said("Lifted.");
  await standsOn(".identities-said");
  assert.deepEqual(await profileOf(family), [family, ...others].sort());
  await stage.page.waitForSelector(".shared-notice", { state: "detached" });
  await stage.page.waitForSelector('.chain-list > [data-effect="decision"] >> text=it is one household');
  await assertAccessible(stage.page, "an id that was lifted");
  await picture(stage.page, "identities-lifted");
  await stage.page.click('[data-effect="decision"] [data-act^="revoke"]');
  await stage.page.waitForSelector(".chain >> text=its id is shared again");
  await because(".chain", "it was a hostel");
  await said("Revoked.");
  await stage.page.waitForSelector(".shared-notice");
  assert.deepEqual(await profileOf(family), [family]);
});

test("contested links are looked through by guard, page by page", async () => {
  const lines = Array.from({ length: 130 }, (_, number) => JSON.stringify({ ids: ["kiosk/terminal/hall", `guest/badge/g${number}`].map(id) }));
  const answer = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1/identities/match`, {
    method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: lines.join("\n"),
  });
  assert.ok(answer.ok);
  await answer.text();
  await start();
  await stage.page.selectOption(".contested-links [name=guard]", "profile_ids");
  await stage.page.waitForSelector(".contested-links >> text=None is kept apart by too many ids.");
  assert.equal(new URL(stage.page.url()).searchParams.get("guard"), "profile_ids");
  await assertAccessible(stage.page, "no links of a guard");
  await stage.page.selectOption(".contested-links [name=guard]", "parting");
  await stage.page.waitForSelector(".contested-links [data-fact] >> text=Kept apart: its ids were parted.");
  assert.equal(await stage.page.locator(".contested-links [data-fact]:visible").count(), await stage.page.locator(".contested-links [data-fact]").count());
  await stage.page.selectOption(".contested-links [name=guard]", "shared");
  await stage.page.waitForFunction(() => document.querySelectorAll(".contested-links [data-fact]").length === 100);
  const first = await stage.page.getAttribute(".contested-links [data-fact]", "data-fact");
  await stage.page.waitForSelector(".contested-links >> text=page 1");
  await inBothThemes("links of a guard", "identities-guard");
  await narrow("links of a guard", "identities-guard");
  await stage.page.focus(".contested-pages >> text=Further");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".contested-links >> text=page 2");
  await standsOn("#contested-title");
  assert.equal(await stage.page.locator(`.contested-links [data-fact="${first}"]`).count(), 0);
  await stage.page.click(".contested-pages >> text=Before");
  await stage.page.waitForSelector(`.contested-links [data-fact="${first}"]`);
  await stage.page.selectOption(".contested-links [name=guard]", "");
  assert.equal(new URL(stage.page.url()).searchParams.get("guard"), null);
});
