// What tests of identities ask, and how they move on the page.

import assert from "node:assert/strict";
import { link, stage } from "./stage.mjs";

/** network/id name/value, as the page writes it. */
export const id = (text) => {
  const [identifier, id_name, ...rest] = text.split("/");
  return { identifier, id_name, id_value: rest.join("/") };
};

/** Asks past the browser and the wire. */
export async function api(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${stage.server.port}/api/v1${path}`, {
    method, headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body),
  });
  assert.ok(response.ok, `${method} ${path}: ${await response.clone().text()}`);
  return response.json();
}

export const match = (ids, more = {}) => api("POST", "/identities/match", { ids: ids.map(id), ...more });
export const sidOf = async (text) => (await api("GET", `/identities/${text.split("/").map(encodeURIComponent).join("/")}`)).sid;
export const profileOf = async (text) => (await api("GET", `/profiles/${await sidOf(text)}`)).ids.map((one) => `${one.identifier}/${one.id_name}/${one.id_value}`).sort();

export async function open(text) {
  await stage.page.goto(`${stage.proxy.origin}/identities?find=${encodeURIComponent(text)}`);
  await link("live");
}

export const said = (text) => stage.page.waitForSelector(`.identities-said:has-text("${text}")`);

/** Waits until the reader stands on something of this kind. */
export const standsOn = (selector) => stage.page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

export async function because(within, reason) {
  await standsOn(`${within} [name=reason]`);
  await stage.page.fill(`${within} [name=reason]`, reason);
  await stage.page.keyboard.press("Enter");
}
