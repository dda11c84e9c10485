import { expect, test } from "vitest";
import type { Asked, No } from "./ask";
import { after } from "./use_watched";

const forbidden: No = { kind: "refused", status: 403, title: "", detail: "" };
const away: No = { kind: "failed", detail: "" };

test("what stands stays the same while the server says the same", () => {
  const nothing: Asked<{ n: number }> = { address: null, value: null, no: null };
  const first = after(nothing, "/a", { kind: "found", value: { n: 1 } });
  expect(first).toEqual({ address: "/a", value: { n: 1 }, no: null });
  expect(after(first, "/a", { kind: "found", value: { n: 1 } })).toBe(first);
  expect(after(first, "/a", { kind: "found", value: { n: 2 } }).value).toEqual({ n: 2 });
  const lost = after(first, "/a", away);
  expect(lost, "the last known value stands").toEqual({ address: "/a", value: { n: 1 }, no: away });
  const back = after(lost, "/a", { kind: "found", value: { n: 1 } });
  expect(back).toEqual(first);
  expect(back.value).toBe(first.value);
});

test("nothing of another, and nothing that one may not know, is left standing", () => {
  const of = { address: "/a", value: { n: 1 }, no: null };
  expect(after(of, "/b", away)).toEqual({ address: "/b", value: null, no: away });
  expect(after(of, "/b", { kind: "found", value: { n: 1 } }).address).toBe("/b");
  expect(after(of, "/a", forbidden)).toEqual({ address: "/a", value: null, no: forbidden });
});
