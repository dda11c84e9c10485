import { expect, test } from "vitest";
import { makeRate, sealMonth, tryRate } from "./changing";

/** Answers with this, and keeps what was asked. */
function server(status: number, answer: unknown) {
  const heard: { address: string; method: unknown; body: unknown; match: string | null }[] = [];
  const by = (async (address: string, { method, body, headers }: RequestInit) => {
    heard.push({ address, method, body: body === undefined ? null : JSON.parse(String(body)), match: new Headers(headers).get("If-Match") });
    return new Response(JSON.stringify(answer), { status });
  }) as unknown as typeof fetch;
  return { heard, by };
}
const draft = { day: "2026-10-15", fraction: "0.3", reason: "volume bonus" };
const change = {
  reseller: "r", effective_since: "2026-10-15", reward_percent: "0.3", recorded_at: "2026-11-10T09:00:00Z", author: "m.ito",
  reason: "volume bonus", booked: "2026-11",
};

test("a rate is tried without a change, its percentage as text", async () => {
  const { heard, by } = server(200, { effective_since: "2026-10-15", reward_percent: "0.3", would_record: false, movements: [] });
  expect(await tryRate("/r", draft, by)).toMatchObject({ kind: "found", value: { wouldRecord: false } });
  expect(heard).toEqual([{
    address: "/r/rates/2026-10-15?dry_run=1", method: "PUT", body: { reward_percent: "0.3", reason: "volume bonus" }, match: null,
  }]);
});

test("a rate is made of the list that was seen, and a rate that held already is told apart", async () => {
  const made = server(201, change);
  expect(await makeRate("/r", draft, '"6"', made.by)).toMatchObject({ value: { recorded: true, change: { fraction: "0.3" } } });
  expect(made.heard[0]).toMatchObject({ address: "/r/rates/2026-10-15", match: '"6"' });
  expect(await makeRate("/r", draft, '"6"', server(200, change).by)).toMatchObject({ value: { recorded: false } });
  const late = server(412, { title: "Precondition failed", detail: "The rates changed meanwhile." });
  expect(await makeRate("/r", draft, '"6"', late.by)).toMatchObject({ kind: "refused", status: 412 });
});

test("a day's rate is taken back with a reason", async () => {
  const { heard, by } = server(201, { ...change, reward_percent: null });
  expect(await makeRate("/r", { ...draft, fraction: null, reason: "by mistake" }, '"7"', by))
    .toMatchObject({ value: { change: { fraction: null } } });
  expect(heard).toEqual([{ address: "/r/rates/2026-10-15?reason=by%20mistake", method: "DELETE", body: null, match: '"7"' }]);
});

test("a month is sealed with a reason", async () => {
  const { heard, by } = server(201, {});
  expect((await sealMonth("2026-10", "paid out", by)).kind).toBe("found");
  expect(heard).toEqual([{
    address: "/api/v1/ledger/months/2026-10", method: "PUT", body: { state: "sealed", reason: "paid out" }, match: null,
  }]);
});
