import { expect, test } from "vitest";
import type { Person } from "./answers";
import { endOf, instantText, pauses, share, takeBack } from "./changing";

function server(answer: unknown) {
  const heard: { address: string; method: unknown; body: unknown }[] = [];
  const by = (async (address: string, { method, body }: RequestInit) => {
    heard.push({ address, method, body: body === undefined ? null : JSON.parse(String(body)) });
    return new Response(JSON.stringify(answer));
  }) as unknown as typeof fetch;
  return { heard, by };
}
const person: Person = { actor: "u1", reading: "shared", until: null, sites: null, to: "anyone", since: 0 };

test("who pauses keeps with whom and where they share", async () => {
  const { heard, by } = server({ actor: "u1", reading: "private" });
  const before: Person = { ...person, sites: ["a.example"], to: "friends" };
  expect(await share("/p", before, "private", 3600, by)).toMatchObject({ kind: "found", value: { reading: "private" } });
  expect(await share("/p", person, "off", null, by)).toMatchObject({ kind: "found" });
  expect(heard).toEqual([
    { address: "/p", method: "PUT", body: { reading: "private", to: "friends", sites: ["a.example"], until: "1970-01-01T01:00:00Z" } },
    { address: "/p", method: "PUT", body: { reading: "off", to: "anyone" } },
  ]);
});

test("a take-back says how many reads it took", async () => {
  const { heard, by } = server({ taken_back: 3 });
  expect(await takeBack("/p", { all: "true" }, by)).toEqual({ kind: "found", value: 3 });
  expect(heard).toEqual([{ address: "/p/reads?all=true", method: "DELETE", body: null }]);
});

test("a pause ends at a whole second, or not by itself", () => {
  expect(endOf(pauses[0], 100.2)).toBe(3701);
  expect(pauses.map((pause) => endOf(pause, 0))).toEqual([3600, 86_400, 604_800, null]);
});

test("a local time is told as an instant", () => {
  expect(instantText("")).toBeNull();
  expect(instantText("2026-11-28T12:30")).toBe(new Date(2026, 10, 28, 12, 30).toISOString().replace(".000Z", "Z"));
});
