// Names that begin alike, as addresses of one site do, can be told apart wherever they are listed, also at 320 px.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, assertNoSidewaysScroll, picture, seen } from "./page.mjs";
import { link, put, send, stage } from "./stage.mjs";

const start = "https://example.org/articles/2026/11/";
const campaign = "?utm_source=newsletter&utm_medium=email&utm_campaign=november-2026&utm_content=header-link";
/** What tells each from the others, and the whole name. */
const names = [
  ["title-a", `${start}some-long-title-a`],
  ["title-b", `${start}some-long-title-b`],
  ["are-salty", `${start}why-the-seas-of-the-world-are-salty${campaign}`],
  ["are-not-salty", `${start}why-the-seas-of-the-world-are-not-salty${campaign}`],
  ["lakes", `${start}why-the-lakes-of-the-world-and-its-rivers-that-lead-to-the-seas-are-sweet${campaign}`],
];

/** Of every name that is listed, what tells it from the others is to be seen. */
async function assertToldApart(list) {
  await stage.page.waitForFunction(([selector, wanted]) => {
    const titles = [...document.querySelectorAll(`${selector} .name`)].map((one) => one.title);
    return wanted.every((name) => titles.includes(name));
  }, [list, names.map(([, name]) => name)], { timeout: 30_000 });
  const titles = await stage.page.$$eval(`${list} .name`, (all) => all.map((one) => one.title));
  const texts = await seen(stage.page, `${list} .name`);
  for (const [differs, name] of names) {
    const text = texts[titles.indexOf(name)];
    assert.ok(text.includes(differs), `${list}: of ${name} is to be seen: ${text}`);
  }
  assert.equal(new Set(texts).size, new Set(titles).size, `${list}: ${texts.join("\n")}`);
}

test("320 px: names that begin alike are told apart in every list", async () => {
  for (const [actor, name] of names) {
    await send({ object: name, actor });
    await put(name, actor);
  }
  await stage.page.setViewportSize({ width: 320, height: 700 });
  await stage.page.goto(`${stage.proxy.origin}/views`);
  await link("live");
  await assertToldApart(".events");
  await assertToldApart(".most");
  await assertNoSidewaysScroll(stage.page, "long names");
  await assertAccessible(stage.page, "long names, 320 px");
  await picture(stage.page, "names-narrow");

  const [, longest] = names.at(-1);
  await stage.page.focus(`.most .name[title="${longest}"]`);
  await stage.page.keyboard.press("Shift+Tab");
  await stage.page.keyboard.press("Tab");
  const [whole] = await seen(stage.page, ".most .name:focus");
  assert.equal(whole, longest, "focus shows all of it");
  await stage.page.keyboard.press("Enter");
  await stage.page.waitForFunction((name) => document.querySelector("h1").textContent === name, longest);
  await assertNoSidewaysScroll(stage.page, "a long name as the title");
  await assertAccessible(stage.page, "a long name as the title");
  await picture(stage.page, "names-narrow-title");

  await stage.page.goto(stage.proxy.origin);
  await link("live");
  await assertToldApart(".most");
  await assertToldApart(".largest");
  await assertNoSidewaysScroll(stage.page, "long names on the Overview");
  await picture(stage.page, "names-narrow-overview");
  await stage.page.setViewportSize({ width: 1280, height: 860 });
  await picture(stage.page, "names-wide");
});
