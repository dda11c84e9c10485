import { expect, test } from "vitest";
import { keptSeconds } from "./history";
import { neighbour, rangeOf, ranges, withQuery } from "./range";

test("the address names the range", () => {
  expect(rangeOf("?range=15m").seconds).toBe(900);
  expect(rangeOf("").key).toBe("1m");
  expect(rangeOf("?range=nonsense").key).toBe("1m");
});

test("what else stands in the address stays", () => {
  expect(withQuery("?day=2026-11-21&range=1m", { range: "1h" })).toBe("?day=2026-11-21&range=1h");
  expect(withQuery("?object=%2Fa&range=1m", { object: null, range: null })).toBe("");
});

test("arrows stop at both ends, and from a range of one's own lead to the last", () => {
  const [first] = ranges;
  const last = ranges.at(-1)!;
  expect(neighbour(ranges, first.key, -1)).toBe(first);
  expect(neighbour(ranges, first.key, 1)).toBe(ranges[1]);
  expect(neighbour(ranges, last.key, 1)).toBe(last);
  expect(neighbour(ranges, "custom", -1)).toBe(last);
});

test("no range asks for more than is kept", () => {
  for (const range of ranges) expect(range.seconds).toBeLessThanOrEqual(keptSeconds);
});
