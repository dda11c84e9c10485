// The rule of a segment on the page Segments: said in words, written by its fields or as JSON, refused at the field, taken away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { standsOn } from "./matching.mjs";
import { assertAccessible, assertNoSidewaysScroll, picture } from "./page.mjs";
import { link, send, stage } from "./stage.mjs";

const long = `autumn letter (${"Wiedereinstiegsförderung-".repeat(8)})`;
const field = (name) => stage.page.locator(`.rule-form [aria-label=${JSON.stringify(name)}]`);
const words = (text) => stage.page.waitForFunction((wanted) => document.querySelector(".rule-words")?.textContent === wanted, text, { timeout: 10_000 });

test("a rule is written by its fields, makes its segment, and fills while it is looked at", async () => {
  for (const actor of ["r1", "r2", "r3"]) await send({ action: "like", object: "letter", actor });
  await stage.page.goto(`${stage.proxy.origin}/segments?compare=`);
  await link("live");
  await stage.page.fill("#rule-of", "keen");
  await stage.page.press("#rule-of", "Enter");
  await stage.page.click("text=Write a rule");
  await standsOn(".rule-form select");
  await field("Action").fill("like");
  await field("Of").selectOption("object");
  await field("Name of the object").fill("letter");
  await field("Times, at least").fill("0");
  await field("Within the last").press("Enter");
  await standsOn(".rule-form [aria-label='Times, at least']");
  assert.match(await stage.page.textContent(".rule-digits .refused"), /whole number from 1 to 100/, "in the server's words, at the field");
  await assertAccessible(stage.page, "a rule that is refused");
  await picture(stage.page, "rule-refused");
  await field("Times, at least").fill("1");
  await field("Times, at least").press("Enter");
  await words("People who liked “letter” within 30 days");
  await stage.page.waitForFunction(() => document.querySelector(".rule-people b")?.textContent === "3 people");
  await stage.page.waitForSelector(".rule >> text=It is in force");
  assert.equal(await stage.page.locator(".rule-people .mark-provisional").count(), 0);
});

test("what is deeper is written as JSON; long names keep to 320 px", async () => {
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await stage.page.emulateMedia({ colorScheme: "dark" });
  await stage.page.click("text=Change it");
  await stage.page.click(".rule-form >> text=Add a condition");
  await picture(stage.page, "rule-narrow-form");
  await assertNoSidewaysScroll(stage.page, "the form of a rule");
  await stage.page.click(".rule-form >> text=As JSON");
  await stage.page.fill(".rule-form textarea", '{"all":[{"segment":"keen"}]}');
  await stage.page.click("text=Write the rule");
  await stage.page.waitForSelector(".rule-form .refused >> text=rule:");
  await stage.page.fill(".rule-form textarea", JSON.stringify({ any: [{ event: { action: "like", object: "letter", within: "2h" } },
    { all: [{ datum: { name: "age", at_least: 18 } }, { not: { event: { action: "click", ad: long, times: 2, within: "30d" } } }] }] }));
  await stage.page.click("text=Write the rule");
  await stage.page.waitForFunction(() => document.querySelectorAll(".rule-words li").length === 4);
  assert.equal(await stage.page.textContent(".rule-words > ul > li:last-child li:last-child"), `not those who clicked ad “${long}” at least twice within 30 days`);
  await assertNoSidewaysScroll(stage.page, "a rule");
  await assertAccessible(stage.page, "a rule, dark, 320 px");
  await picture(stage.page, "rule-narrow");
  await stage.page.emulateMedia({ colorScheme: "light" });
  await stage.page.setViewportSize({ width: 1280, height: 860 });
});

test("it is taken away with a second click, and who was in it by the rule leaves", async () => {
  await stage.page.click(".rule >> text=Take it away");
  await standsOn(".rule .would-be");
  await stage.page.click("text=Take the rule away");
  await stage.page.waitForSelector(".rule >> text=It has no rule");
  await stage.page.waitForFunction(() => document.querySelector(".rule-people b")?.textContent === "0 people");
  await standsOn("#rule-title");
});
