import { expect, test } from "vitest";
import type { Answer } from "./ask";
import { doorAfter, readCaller, type Caller, type Door } from "./door";

const found = (name: string | null, ...scopes: string[]): Answer<Caller> => ({ kind: "found", value: { name, scopes } });
const refused = (status: number): Answer<Caller> => ({ kind: "refused", status, title: "", detail: "" });
const unknown: Door = { kind: "unknown" };
const open: Door = { kind: "open" };
const signed: Door = { kind: "signed", name: "ann" };
const closed: Door = { kind: "closed", why: null };

test("a caller is read as the server tells it", () => {
  expect(readCaller({ name: null, scopes: ["read"] })).toEqual({ name: null, scopes: ["read"] });
  expect(readCaller({ name: "ann", scopes: ["read", "write"] }).name).toBe("ann");
  expect(() => readCaller({ name: "ann" })).toThrow();
});

test("without keys the door is open; with one that reads, whoever shows it is in", () => {
  expect(doorAfter(unknown, found(null, "read"))).toEqual(open);
  expect(doorAfter(closed, found("ann", "read"))).toEqual(signed);
  expect(doorAfter(unknown, found("ann", "admin"))).toEqual(signed);
});

test("a key that may not read is not enough, and the page says so", () => {
  expect(doorAfter(closed, found("shop", "write"))).toMatchObject({ kind: "closed", why: expect.stringContaining("shop has not the scope read") });
});

test("a closed door says why where that is news", () => {
  expect(doorAfter(unknown, refused(401))).toEqual(closed);
  expect(doorAfter(signed, refused(401))).toMatchObject({ kind: "closed", why: expect.stringContaining("signed out") });
  expect(doorAfter(open, refused(401))).toMatchObject({ kind: "closed", why: expect.stringContaining("was added") });
  const told: Door = { kind: "closed", why: "told already" };
  expect(doorAfter(told, refused(401))).toEqual(told);
});

test("an answer that says nothing of keys changes nothing", () => {
  for (const before of [open, signed, closed]) {
    expect(doorAfter(before, refused(503))).toEqual(before);
    expect(doorAfter(before, { kind: "failed", detail: "" })).toEqual(before);
  }
  expect(doorAfter(unknown, refused(503))).toEqual(open);
});
