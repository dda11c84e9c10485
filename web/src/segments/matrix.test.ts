import { expect, test } from "vitest";
import { comparedOf, comparedText, listAddress, prefixOf } from "./address";
import { readOverlap, readSegments } from "./answers";
import { spokenOf } from "./combined";
import { fieldOf, matrixOf, percent, short, steps, within } from "./matrix";

const overlap = readOverlap({
  sizes: { spring: 100, loyal: 40, nobody: 0 },
  overlap: [
    { segments: ["spring", "loyal"], count: 30, exact: true, error: 0, low: 30, high: 30 },
    { segments: ["spring", "nobody"], count: 0, exact: true, error: 0, low: 0, high: 0 },
    { segments: ["loyal", "nobody"], count: 0, exact: true, error: 0, low: 0, high: 0 },
  ],
  as_of: "2026-11-22T10:00:00Z",
});

test("a field is how many are in both, whichever is named first", () => {
  const fields = matrixOf(["loyal", "spring", "gone"], overlap);
  expect(fields.map((line) => line.map(({ count }) => count))).toEqual([[40, 30], [30, 100]]);
  expect(fields[0]?.[1]).toEqual({ one: "loyal", other: "spring", count: 30, ofOne: 0.75, ofOther: 0.3, step: 4 });
});

test("the more of the smaller one, the darker", () => {
  const step = (count: number) => fieldOf("a", "b", count, 100, 40).step;
  expect([0, 1, 8, 16, 24, 32, 40].map(step)).toEqual([0, 1, 2, 3, 4, 5, steps]);
  expect(fieldOf("a", "b", 0, 0, 0)).toMatchObject({ ofOne: null, ofOther: null, step: 0 });
});

test("a share is never rounded to none or to all", () => {
  expect([null, 0, 0.001, 0.25, 0.999, 1].map(percent)).toEqual(["–", "0 %", "<1 %", "25 %", ">99 %", "100 %"]);
});

test("a count is cut to what a field has room for", () => {
  expect([7, 9999, 10_000, 104_733, 1_250_000, 45_000_000, 1_900_000_000].map(short)).toEqual(["7", "9,999", "10k", "104k", "1.2M", "45M", "1.9G"]);
});

test("what is compared stands in the address, with any name", () => {
  const names = ["a,b", "100%", "ü %2C"];
  const search = `?${new URLSearchParams({ compare: comparedText(names) })}`;
  expect(comparedOf(search)).toEqual(names);
  expect(comparedOf("")).toBeNull();
  expect(comparedOf("?compare=")).toEqual([]);
  expect(prefixOf("?prefix=sp")).toBe("sp");
  expect(listAddress("a b+")).toBe("/api/v1/segments?limit=100&prefix=a%20b%2B");
});

test("what the server says is read, or is a defect", () => {
  const one = { name: "spring", people: 2, exact: true, error: 0, as_of: "2026-11-22T10:00:00Z" };
  expect(readSegments({ segments: [one], next: "x" })).toEqual({ segments: [{ name: "spring", people: 2, exact: true, error: 0 }], more: true });
  expect(() => readSegments({ segments: [{ name: "spring" }], next: null })).toThrow(TypeError);
});

test("what is estimated says between which numbers it is", () => {
  const overlap = readOverlap({
    sizes: { a: 1200, b: 80 }, size_bounds: { a: { error: 0.02, low: 1150, high: 1260 }, b: { error: 0.1, low: 66, high: 99 } },
    overlap: [{ segments: ["a", "b"], count: 40, exact: false, error: 0.2, low: 28, high: 58 }],
    combinations: [{ segments: ["a", "b"], people: 40, exact: false, error: 0.2, low: 28, high: 58 }, { segments: ["a"], people: 1 }],
    as_of: "2026-11-30T00:00:00Z",
  });
  const fields = matrixOf(["a", "b"], overlap);
  expect(fields.map((line) => line.map(({ count, bounds }) => `${count}${within(bounds)}`)))
    .toEqual([["1200 (1,150 to 1,260)", "40 (28 to 58)"], ["40 (28 to 58)", "80 (66 to 99)"]]);
  const said = overlap.combinations?.map((one) => spokenOf(one, (name) => name, 2));
  expect(said).toEqual(["about 40 people (28 to 58) are in a and b: in all", "1 person is in a, and in no other"]);
});
