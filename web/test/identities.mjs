// Identities: a match is seen within two seconds; nothing is taken apart without a trial and a second click, and all of it comes back.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { because, id, match, open, profileOf, said, sidOf, standsOn } from "./matching.mjs";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { startServer, stopServer } from "./server.mjs";
import { binary, link, stage } from "./stage.mjs";

const injected = "web/name/<img src=x onerror=\"document.title='taken'\"> & Söhne";
const [www, mail, shop, tv] = ["www/id/w111", "crm/email/maren@example.org", "shop/customer/4410233", "tv/household/h-77"];

const member = (text) => `.members [data-id=${JSON.stringify(text)}]`;
const listed = (text, timeout = 10_000) => stage.page.waitForSelector(member(text), { timeout });
const gone = (text) => stage.page.waitForSelector(member(text), { state: "detached", timeout: 10_000 });
const facts = (effect) => stage.page.locator(`.chain-list > [data-effect="${effect}"]`);

test("g p leads to the page, which says what it is for and how two ids are matched", async () => {
  await stage.page.goto(`${stage.proxy.origin}/`);
  await link("live");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("g");
  await stage.page.keyboard.press("p");
  await link("live");
  assert.equal(new URL(stage.page.url()).pathname, "/identities");
  assert.match(await stage.page.textContent("[aria-labelledby='first-match-title'] .command code"), /^curl -H 'Content-Type: application\/json' -d '\{"ids":/);
  await assertAccessible(stage.page, "no id yet");
  await picture(stage.page, "identities-empty");
});

test("what is no id, what nobody has named, and a sid that was never given", async () => {
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("/");
  await standsOn("#find-name");
  await stage.page.keyboard.type("w111");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector("#unclear-title");
  await assertAccessible(stage.page, "no id");
  await stage.page.fill("#find-name", "0b1c2d3e-4f50-5a6b-8c7d-9e0f1a2b3c4d");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector("text=No profile has this sid");
  await stage.page.fill("#find-name", www);
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector("text=No profile has this id");
  assert.equal(new URL(stage.page.url()).searchParams.get("find"), www);
  assert.equal(await stage.page.title(), `${www} · Footfall`);
  await assertAccessible(stage.page, "an id that nobody has named");
  await picture(stage.page, "identities-unknown");
});

test("a match appears, with its facts as sentences, and those that follow within two seconds", async () => {
  await match([www, mail], { source: "newsletter" });
  await listed(mail);
  const took = [];
  for (const [one, other] of [[www, shop], [shop, tv], [tv, "app/device/d-1"]]) {
    const before = performance.now();
    await match([one, other], { source: "checkout" });
    await listed(other);
    took.push(performance.now() - before);
  }
  console.log(`# matches were shown after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
  assert.ok(Math.max(...took) < 2000, `shown after ${took.map((one) => one.toFixed(0)).join(", ")} ms`);
  await stage.page.waitForFunction(() => document.querySelectorAll(".chain-list > [data-effect=holds]").length === 4);
  const sentences = await stage.page.$$eval(".chain .says", (all) => all.map((one) => one.textContent));
  assert.match(sentences.at(-1), /tv\/household\/h-77/, "the newest last");
  assert.equal(await stage.page.textContent("[data-account=profile] .sum-line"), "4 facts = 4 links hold + 0 contested + 0 partings");
  assert.equal(await stage.page.textContent("[data-figure=ids] .value"), "5");
  await assertAccessible(stage.page, "a profile");
  await picture(stage.page, "identities");
});

test("the drawing has a line for each fact, and its table is one key away", async () => {
  assert.equal(await stage.page.locator(".graph-field .graph-fact.graph-holds").count(), 4);
  assert.equal(await stage.page.locator(".graph-names li").count(), 6, "five ids and the line of numbers");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector(".graph-table");
  const rows = await stage.page.$$eval(".graph-table tbody tr", (all) => all.map((row) => [row.querySelector(".name").title, row.cells[1].textContent]));
  assert.deepEqual(rows.sort(), [["4410233", "2, 3"], ["d-1", "4"], ["h-77", "3, 4"], ["maren@example.org", "1"], ["w111", "1, 2"]]);
  await assertAccessible(stage.page, "the table of the drawing");
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector(".graph");
});

test("ids are detached after a look at what would be, by a second click", async () => {
  const before = await profileOf(www);
  for (const one of [tv, "app/device/d-1"]) await stage.page.check(`${member(one)} input`);
  await stage.page.click(".members-act button");
  await standsOn(".members [name=reason]");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".members >> text=A reason is needed");
  await assertAccessible(stage.page, "a reason is missing");
  await because(".members", "the household called");
  await stage.page.waitForSelector(".would-be >> text=There would be 2 profiles");
  await standsOn(".would-be");
  const would = await stage.page.$$eval(".would-profiles > li", (all) => all.map((one) => [...one.querySelectorAll(".name")].map(({ title }) => title).sort()));
  assert.deepEqual(would.sort(), [["4410233", "maren@example.org", "w111"], ["d-1", "h-77"]]);
  await assertAccessible(stage.page, "before ids are detached");
  await picture(stage.page, "identities-detach");
  assert.deepEqual(await profileOf(www), before, "nothing happens without a yes");
  await stage.page.click(".would-be >> text=Leave it");
  await stage.page.waitForSelector(".would-be", { state: "detached" });
  await standsOn(".members-act button");
  assert.deepEqual(await profileOf(www), before);
  await stage.page.click(".members-act button");
  await because(".members", "the household called");
  await stage.page.click(".would-be .button-main");
  await said("Detached.");
  await standsOn(".identities-said");
  await gone(tv);
  assert.deepEqual(await profileOf(www), [mail, shop, www].sort());
  assert.deepEqual(await profileOf(tv), [tv, "app/device/d-1"].sort());
  await stage.page.waitForFunction(() => document.querySelectorAll(".chain-list > [data-effect=parting]").length === 1);
  assert.match(await facts("parting").textContent(), /the household called/);
  assert.equal(await facts("contested").count(), 1, "the link that was parted waits");
  await match([shop, tv], { source: "checkout" });
  assert.deepEqual(await profileOf(www), [mail, shop, www].sort(), "said again it stays undone");
  await assertAccessible(stage.page, "after ids were detached");
  await picture(stage.page, "identities-detached");
  await stage.page.click(".identities-said button");
  await listed(tv);
  assert.equal(new URL(stage.page.url()).searchParams.get("find"), await sidOf(tv));
  await assertAccessible(stage.page, "a profile by its sid");
  await stage.page.goBack();
  await listed(www);
});

test("a parting is revoked where it stands", async () => {
  await stage.page.click('[data-effect="parting"] [data-act^="revoke"]');
  await standsOn(".chain [name=reason]");
  await stage.page.keyboard.press("Escape");
  await standsOn('[data-act^="revoke"]');
  await stage.page.click('[data-effect="parting"] [data-act^="revoke"]');
  await because(".chain", "it was the same household");
  await said("Revoked.");
  await listed(tv);
  assert.equal((await profileOf(www)).length, 5);
  await stage.page.waitForFunction(() => document.querySelectorAll(".chain-list > [data-effect=over]").length === 1);
  assert.equal(await facts("contested").count(), 0);
});

test("a link is undone, and holds again once that is revoked", async () => {
  const first = facts("holds").first();
  const number = await first.getAttribute("value");
  await first.locator('[data-act^="undo"]').click();
  await because(".chain", "a typing error");
  await stage.page.waitForSelector(".chain .would-be >> text=There would be 2 profiles");
  await assertAccessible(stage.page, "before a link is undone");
  await stage.page.click(".chain .would-be .button-main");
  await said("Undone.");
  await gone(mail);
  assert.equal(await stage.page.getAttribute(`#fact-${number}`, "data-effect"), "over");
  await stage.page.click('[data-effect="decision"] [data-act^="revoke"]');
  await because(".chain", "it was none");
  await said("Revoked.");
  await listed(mail);
  assert.equal((await profileOf(www)).length, 5);
});

test("a kiosk is shared: it unites nobody, and says so; its links can be rejected", async () => {
  const kiosk = "kiosk/terminal/foyer-2";
  for (let number = 0; number < 66; number++) await match([kiosk, `visitor/id/v${number}`], { source: "kiosk" });
  await match([kiosk, www], { source: "kiosk" });
  await open(kiosk);
  await stage.page.waitForSelector("#shared-title");
  assert.deepEqual(await profileOf(kiosk), [kiosk]);
  await stage.page.waitForSelector(".chain-more >> text=Show the 17 earlier facts");
  assert.equal(await stage.page.textContent("[data-account=profile] .sum-line"), "67 facts = 0 links hold + 67 contested + 0 partings");
  await assertAccessible(stage.page, "a shared id");
  await picture(stage.page, "identities-shared");
  await stage.page.goto(`${stage.proxy.origin}/identities`);
  await link("live");
  await stage.page.waitForSelector(".shared-links >> text=67 links with a shared id");
  assert.equal(await stage.page.locator(".contested-links [data-fact]:visible").count(), 0, "those of a kiosk are out of the way");
  await stage.page.focus(".shared-links summary");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector(".shared-links [data-fact] >> text=foyer-2");
  assert.equal(await stage.page.locator('.shared-links [data-act^="accept"]').count(), 0);
  await assertAccessible(stage.page, "links with a shared id");
  await picture(stage.page, "identities-contested-shared");
  await open(www);
  const contested = '[data-effect="contested"]';
  await stage.page.waitForSelector(`${contested} >> text=it names a shared id`);
  assert.equal(await stage.page.locator(`${contested} [data-act^="accept"]`).count(), 0, "nothing can be accepted over that");
  await stage.page.click(`${contested} [data-act^="reject"]`);
  await because(".chain", "the kiosk stands in the foyer");
  await said("Rejected.");
  await stage.page.waitForSelector(contested, { state: "detached" });
});

test("data have a panel of their own: of each the value that wins, by which rule, who said it, and how many lost", async () => {
  const [card, member] = ["club/card/c-9", "club/member/m-1"];
  await match([card, member], { source: "till", time: "2026-03-01T08:00:00Z", data: { city: "Oslo", consent: "denied", born: 1971, about: "" } });
  await open(card);
  await listed(member);
  const cells = () => stage.page.$$eval(".ledger-data tbody tr", (rows) => rows.map((row) => [
    row.cells[0].textContent, row.cells[1].textContent, row.cells[2].firstChild.textContent, row.querySelector(".beneath").textContent,
    row.querySelector(".short").textContent, row.querySelector(".name").title,
  ]));
  await stage.page.waitForSelector(".ledger-data tbody tr");
  assert.deepEqual((await cells()).find(([name]) => name === "born"), ["born", "1971", "the latest", "no other value", "source till", "c-9"]);
  await match([member], { source: "desk", time: "2026-04-01T08:00:00Z", data: { city: "Bergen", consent: "granted", vip: true, note: "n".repeat(900) } });
  await stage.page.waitForSelector(".ledger-data [data-datum=city] >> text=Bergen");
  assert.deepEqual((await cells()).map((row) => [...row.slice(0, 1), row[1].slice(0, 20), ...row.slice(2)]), [
    ["about", "an empty text", "the latest", "no other value", "source till", "c-9"],
    ["born", "1971", "the latest", "no other value", "source till", "c-9"],
    ["city", "Bergen", "the latest", "1 other value lost", "source desk", "m-1"],
    ["consent", "denied", "the strictest", "1 other value lost", "source till", "c-9"],
    ["note", "n".repeat(20), "the latest", "no other value", "source desk", "m-1"],
    ["vip", "true", "the latest", "no other value", "source desk", "m-1"],
  ]);
  await facts("datum").nth(7).waitFor(); // the chain is asked beside the profile, and may come after it
  assert.equal(await facts("datum").count(), 8, "the chain has each of them");
  assert.match(await facts("datum").last().textContent(), /^\d+desk said that /);
  const drawn = await stage.page.locator(".graph-field .graph-fact").count();
  assert.equal(drawn, await facts("holds").count(), "none is drawn");
  assert.equal(await stage.page.textContent("[data-figure=links] .value"), String(drawn), "nor counted as a link");
  assert.match(await stage.page.textContent("[data-account=profile] .sum-line"), /0 partings \+ 8 data$/);
  await assertAccessible(stage.page, "data of a profile");
  await picture(stage.page, "identities-data");
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "data of a profile");
  await assertAccessible(stage.page, "data of a profile, 320 px");
  await picture(stage.page, "identities-data-narrow");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
  await open(www);
  await listed(mail);
  assert.equal(await stage.page.locator(".profile-data").count(), 0, "where there are none nothing speaks of them");
});

test("links that a guard objects to stand on the first page, and are decided about there", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "footfall-contested-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const server = await startServer(binary, folder, 0, ["--identities-profile-ids", "2"]);
  t.after(() => stopServer(server));
  const origin = `http://127.0.0.1:${server.port}`;
  const asked = async (path, body) => (await fetch(`${origin}/api/v1${path}`, body && {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  })).json();
  const page = await stage.page.context().newPage();
  t.after(() => page.close());
  const standsOnIt = (selector) => page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
  const rows = (count) => page.waitForFunction((wanted) => document.querySelectorAll(".contested-links [data-fact]").length === wanted, count);
  await page.goto(`${origin}/identities`);
  await page.waitForSelector(".contested-links >> text=None: no guard objects");

  const long = `${"n".repeat(256)}/${"i".repeat(256)}/${"v".repeat(256)}`;
  const subscriber = "newsletter/subscriber/hans-christian.andersen-von-und-zu-hohenlohe+weekly@subscriptions.example.co.uk";
  for (const other of [mail, shop, subscriber, long]) await asked("/identities/match", { ids: [www, other].map(id), source: "checkout" });
  await rows(3);
  assert.match(await page.textContent(".contested-links .panel-head"), /3 links, kept until/);
  assert.match(await page.textContent(".contested-links [data-fact]"), /Kept apart: more ids would be in a profile than may be\./);
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    await page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(page, `contested links, ${colorScheme}`);
    await picture(page, `identities-contested-${colorScheme}`);
  }

  const rowOf = (text) => page.locator(".contested-links [data-fact]", { has: page.locator(`[title=${JSON.stringify(id(text).id_value)}]`) });
  const accept = rowOf(shop).locator('[data-act^="accept"]');
  await accept.focus();
  await page.keyboard.press("Enter");
  await standsOnIt(".contested-links [name=reason]");
  await page.keyboard.press("Escape");
  await standsOnIt('[data-act^="accept"]');
  await page.keyboard.press("Enter");
  await standsOnIt(".contested-links [name=reason]");
  await page.keyboard.type("they called from this number");
  await assertAccessible(page, "before a link is accepted");
  await picture(page, "identities-contested-form");
  await page.keyboard.press("Enter");
  await standsOnIt("[data-decided=accept]");
  await rows(2);
  await assertAccessible(page, "a link was accepted");
  await picture(page, "identities-contested-accepted");
  const { sid } = await asked(`/identities/${www}`);
  assert.equal((await asked(`/profiles/${sid}`)).ids.length, 3, "they are one person over the guard");

  await page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(page, "contested links");
  await assertAccessible(page, "contested links, 320 px");
  await picture(page, "identities-contested-narrow");
  await rowOf(long).locator('[data-act^="reject"]').click();
  await standsOnIt(".contested-links [name=reason]");
  await assertNoSidewaysScroll(page, "the form below a contested link");
  await page.keyboard.type("nobody is called that");
  await page.keyboard.press("Enter");
  await standsOnIt("[data-decided=reject]");
  await rows(1);
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement?.closest("[data-decided]") !== null), "the ids of that link are the next step");
  await page.setViewportSize({ width: 1280, height: 860 });
  // A pointer's way would move under it: the long name on which the reader stands shows all of itself until they leave it.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.chain-list > [data-effect="over"] >> text=checkout said that');
  await page.waitForSelector('.chain-list > [data-effect="decision"] >> text=nobody is called that');
});

test("identities can be used by everyone: both themes, 320 px, long names and hostile ones", async () => {
  const long = ["n", "i", "v"].map((letter) => letter.repeat(256)).join("/");
  await match([www, long], { source: "s".repeat(256) });
  await match([www, injected], { source: injected });
  await open(www);
  await listed(injected);
  assert.equal(await stage.page.title(), `${www} · Footfall`, "a name is text");
  for (const colorScheme of ["dark", "light"]) {
    await stage.page.emulateMedia({ colorScheme });
    await stage.page.waitForSelector(`html[data-theme="${colorScheme}"]`);
    await assertAccessible(stage.page, `identities, ${colorScheme}`);
    await picture(stage.page, `identities-${colorScheme}`);
  }
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await assertNoSidewaysScroll(stage.page, "identities");
  await assertAccessible(stage.page, "identities, 320 px");
  await picture(stage.page, "identities-narrow");
  await stage.page.evaluate(() => document.activeElement?.blur());
  await stage.page.keyboard.press("t");
  await stage.page.waitForSelector(".graph-table");
  await assertNoSidewaysScroll(stage.page, "identities, the table");
  await assertAccessible(stage.page, "identities, the table, 320 px");
  await open(long);
  await listed(www);
  await assertNoSidewaysScroll(stage.page, "a long id as the title");
  await picture(stage.page, "identities-narrow-long");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});

test("while the server is away what stood is grey, and what is asked for anew says that there is no answer", async () => {
  await open(www);
  await listed(mail);
  stage.proxy.cut();
  await link("lost");
  assert.equal(await stage.page.locator(member(mail)).count(), 1, "the last known rows stay");
  await assertAccessible(stage.page, "a server that is away");
  await picture(stage.page, "identities-lost");
  await stage.page.fill("#find-name", shop);
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForSelector("[aria-label='No answer'] >> text=cannot be reached");
  assert.equal(await stage.page.locator(".members, [data-account=profile]").count(), 0, "nothing of somebody else");
  await assertAccessible(stage.page, "no answer");
  stage.proxy.heal();
  await link("live");
  await listed(shop);
});
