import { expect, test } from "vitest";
import { readDecision, readDetached, readFound, readContested, readProfile, readTie, readWhy } from "./answers";

const noon = Date.UTC(2026, 10, 28, 12) / 1000;
const id = { identifier: "www", id_name: "id", id_value: "w111" };
const read = { identifier: "www", idName: "id", idValue: "w111" };

test("an id and its profile", () => {
  expect(readFound({ ...id, sid: "s", shared: false, provisional: false })).toEqual({ sid: "s", shared: false, sharedBy: null });
  expect(readFound({ ...id, sid: "s", shared: true, shared_by: { guard: "shared_above", most: 64 } })).toEqual({ sid: "s", shared: true, sharedBy: { most: 64 } });
  expect(readFound({ ...id, sid: "s", shared: true, shared_by: { guard: "never" } }).sharedBy).toEqual({ most: null });
  expect(() => readFound({ ...id, sid: "s", shared: true, shared_by: { guard: "mood" } })).toThrow(TypeError);
  expect(readProfile({ sid: "s", ids: [{ ...id, since: "2026-11-28T12:00:00Z", source: "crm" }], data: {}, data_why: [], provisional: true }))
    .toEqual({ sid: "s", ids: [{ ...read, since: noon, source: "crm" }], data: [], provisional: true });
});

test("data, of each the value that wins and why", () => {
  const datum = { name: "born", value: 1971, wins: "first", source: "crm", time: "2026-11-28T12:00:00Z", of: id, others: 2 };
  const profile = (...data: unknown[]) => readProfile({ sid: "s", ids: [], data: { born: 1971 }, data_why: data, provisional: false }).data;
  expect(profile(datum, { ...datum, name: "vip", value: false })).toEqual([
    { name: "born", value: 1971, wins: "first", source: "crm", time: noon, of: read, others: 2 },
    { name: "vip", value: false, wins: "first", source: "crm", time: noon, of: read, others: 2 },
  ]);
  expect(() => profile({ ...datum, wins: "loudest" })).toThrow(TypeError);
  expect(() => profile({ ...datum, value: null })).toThrow(TypeError);
});

test("facts, the newest last", () => {
  const link = {
    fact: "a1", kind: "link", ids: [id], time: "2026-11-28T12:00:00Z", recorded: "2026-11-28T12:00:00Z", source: "crm", author: "", reason: "",
    says: "crm said so.", contested: "shared",
  };
  const revoke = { ...link, fact: "c3", kind: "revoke", about: "b2", time: "2026-11-28T13:00:00Z", contested: undefined, revoked: true };
  const parting = { ...link, fact: "b2", kind: "parting", others: [id], time: "2026-11-28T11:00:00Z", contested: undefined };
  const [first, last, taken] = readWhy({ facts: [revoke, link, parting] });
  expect(first).toMatchObject({ fact: "b2", others: [read], contested: null, revoked: true });
  expect(taken, "nobody takes back what takes back").toMatchObject({ fact: "c3", about: "b2", revoked: false });
  expect(last).toEqual({
    fact: "a1", kind: "link", ids: [read], others: [], about: null, time: noon, recorded: noon, source: "crm", author: "", reason: "",
    says: "crm said so.", contested: "shared", revoked: false, ended: false,
  });
  expect(readWhy({ facts: [{ ...link, kind: "datum", contested: undefined, says: "crm said that city of www/id/w111 is \"Oslo\"." }] }))
    .toMatchObject([{ kind: "datum", ids: [read], contested: null, revoked: false }]);
  expect(readWhy({ facts: [{ ...link, kind: "datum" }, link] }).map(({ kind }) => kind), "a match tells data of whom it matches").toEqual(["link", "datum"]);
  expect(() => readWhy({ facts: [{ ...link, kind: "other" }] })).toThrow(TypeError);
});

test("what a detach would do, and did", () => {
  const profiles = [{ sid: "s", ids: [id] }];
  expect(readDetached({ decision: null, sids: ["s"], profiles })).toEqual({ decision: null, sids: ["s"], profiles: [{ sid: "s", ids: [read] }] });
  expect(readDetached({ decision: "ff", sids: [], profiles: [] }).decision).toBe("ff");
  expect(readDecision({ decision: "ff" })).toBe("ff");
});

test("contested links, and an id that is shared", () => {
  expect(readContested({ contested: [{ fact: "f", ids: [id, id], guard: "per_profile" }], next: "f", settling: false }))
    .toEqual({ links: [{ fact: "f", ids: [read, read], guard: "per_profile" }], next: "f" });
  expect(readContested({ contested: [], next: null, settling: false })).toEqual({ links: [], next: null });
  expect(readProfile({ sid: "s", ids: [id], data: {}, data_why: [], provisional: false }).ids).toEqual([{ ...read, since: null, source: "" }]);
});

test("how two ids are tied, or what keeps them apart", () => {
  const fact = { fact: "a1", kind: "link", ids: [id], time: "2026-11-28T12:00:00Z", last: "2026-11-28T12:01:00Z", recorded: "2026-11-28T12:00:00Z", source: "crm", author: "", reason: "", says: "so" };
  const end = { id, sid: "s", shared: false };
  const tie = (more: object) => readTie({ together: true, from: end, to: { ...end, shared: true }, path: [], apart: [], provisional: false, ...more });
  expect(tie({}).to).toEqual({ id: read, sid: "s", shared: true });
  expect(tie({ path: [{ from: id, to: id, fact }] }).path.map(({ from, last }) => [from, last])).toEqual([[read, noon + 60]]);
  const [apart] = tie({ together: false, apart: [{ ...fact, contested: "parting" }] }).apart;
  expect([apart?.says, apart?.contested, apart?.revoked]).toEqual(["so", "parting", false]);
  expect(() => tie({ path: [{ from: id, to: id, fact: 7 }] })).toThrow(TypeError);
});
