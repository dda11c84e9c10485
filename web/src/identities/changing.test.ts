import { expect, test } from "vitest";
import { decide, detach, lift } from "./changing";

function server(answer: unknown) {
  const heard: { address: string; method: unknown; body: unknown }[] = [];
  const by = (async (address: string, { method, body }: RequestInit) => {
    heard.push({ address, method, body: body === undefined ? null : JSON.parse(String(body)) });
    return new Response(JSON.stringify(answer));
  }) as unknown as typeof fetch;
  return { heard, by };
}

test("ids or facts are detached, first as a trial", async () => {
  const { heard, by } = server({ decision: null, sids: ["t"], profiles: [] });
  const ids = [{ identifier: "www", idName: "id", idValue: "w111", since: 0, source: "" }];
  expect(await detach("s", { ids }, "a kiosk", true, by)).toEqual({ kind: "found", value: { decision: null, sids: ["t"], profiles: [] } });
  await detach("s", { facts: ["ff"] }, "a typo", false, by);
  expect(heard).toEqual([
    { address: "/api/v1/profiles/s/detach?dry_run=true", method: "POST",
      body: { ids: [{ identifier: "www", id_name: "id", id_value: "w111" }], reason: "a kiosk" } },
    { address: "/api/v1/profiles/s/detach", method: "POST", body: { facts: ["ff"], reason: "a typo" } },
  ]);
});

test("a shared id is lifted, first as a trial", async () => {
  const { heard, by } = server({ decision: null, decided: 1, sids: ["t"], profiles: [{ sid: "t", ids: [] }] });
  const id = { identifier: "kiosk", idName: "id", idValue: "k" };
  expect(await lift(id, "a family", true, by)).toEqual({ kind: "found", value: { decision: null, sids: ["t"], profiles: [{ sid: "t", ids: [] }] } });
  await lift(id, "a family", false, by);
  const body = { kind: "lift", id: { identifier: "kiosk", id_name: "id", id_value: "k" }, reason: "a family" };
  expect(heard).toEqual([
    { address: "/api/v1/identities/decisions?dry_run=true", method: "POST", body },
    { address: "/api/v1/identities/decisions", method: "POST", body },
  ]);
});

test("links are accepted or rejected, decisions revoked", async () => {
  const { heard, by } = server({ decision: "dd" });
  expect(await decide("accept", "ff", "seen the passport", by)).toEqual({ kind: "found", value: "dd" });
  await decide("revoke", "dd", "was & is wrong", by);
  expect(heard).toEqual([
    { address: "/api/v1/identities/decisions", method: "POST", body: { kind: "accept", fact: "ff", reason: "seen the passport" } },
    { address: "/api/v1/identities/decisions/dd?reason=was%20%26%20is%20wrong", method: "DELETE", body: null },
  ]);
});
