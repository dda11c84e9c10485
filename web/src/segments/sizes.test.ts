import { expect, test } from "vitest";
import { barOf, inOrder, spokenOf } from "./combined";
import { numbersOf, readNoisy } from "./for_audience";
import { changeText, lineOf, pointsOf, readSizes, sizesAddress, spanOf } from "./sizes";

const sizes = readSizes({
  name: "spring", from: "2026-11-22T10:00:00Z", to: "2026-11-22T11:00:00Z", step: 60,
  sizes: [{ at: "2026-11-22T09:00:00Z", people: 10 }, { at: "2026-11-22T10:30:00Z", people: 14 }],
});

test("a line begins with what held at the beginning, and ends with what is now", () => {
  const line = lineOf(sizes, 12);
  expect(line).toMatchObject({ first: 10, now: 12, least: 10, most: 14, since: sizes.from });
  expect(pointsOf(line, sizes.from, sizes.to, 100, 40)).toBe("0,40 50,40 50,0 100,0 100,20");
  expect(lineOf({ ...sizes, rows: sizes.rows.slice(1) }, 14).since).toBe(sizes.from + 1800);
  expect(lineOf({ ...sizes, rows: [] }, 3)).toMatchObject({ first: null, now: 3, least: 3, most: 3 });
  expect(pointsOf(lineOf({ ...sizes, rows: sizes.rows.slice(0, 1) }, 10), sizes.from, sizes.to, 100, 40)).toBe("0,20 100,20");
});

test("what is asked stands in the address", () => {
  expect(sizesAddress("a/b", 0, 86400)).toBe("/api/v1/segments/a%2Fb/sizes?from=1970-01-01T00%3A00%3A00.000Z&to=1970-01-02T00%3A00%3A00.000Z");
  expect([spanOf("?over=30d").key, spanOf("?over=x").key]).toEqual(["30d", "24h"]);
  expect([changeText(10, 12), changeText(1200, 0), changeText(3, 3), changeText(null, 3)]).toEqual(["+2", "−1,200", "0", "–"]);
});

test("combinations are read as sentences, most people first", () => {
  const [first, second] = inOrder([{ segments: ["a", "b"], people: 1 }, { segments: ["a"], people: 7 }]);
  const shown = (name: string) => name;
  expect(spokenOf(first!, shown, 3)).toBe("7 people are in a, and in no other");
  expect(spokenOf(second!, shown, 3)).toBe("1 person is in a and b, and in no other");
  expect(spokenOf(second!, shown, 2)).toBe("1 person is in a and b: in all");
  expect([barOf(7, 7), barOf(1, 7000), barOf(0, 0)]).toEqual([100, 0.5, 0]);
});

test("who sees noise is told what is not shown, too", () => {
  const pair = { segments: ["a", "b"], count: null, exact: false, error: null, low: null, high: null };
  expect(readNoisy({ sizes: { a: 300, b: null }, overlap: [pair], day: "2026-11-22" })).toEqual({
    sizes: [{ name: "a", people: 300 }, { name: "b", people: null }], pairs: [{ one: "a", other: "b", count: null, low: null, high: null }], day: "2026-11-22",
  });
  expect([numbersOf(1), numbersOf(8)]).toEqual([1, 36]);
});
