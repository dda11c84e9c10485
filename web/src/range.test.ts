import { expect, test } from "vitest";
import { keptSeconds } from "./history";
import { neighbour, rangeOf, ranges, withRange } from "./range";

test("the address names the range", () => {
  expect(rangeOf("?range=15m").seconds).toBe(900);
  expect(rangeOf("").key).toBe("1m");
  expect(rangeOf("?range=nonsense").key).toBe("1m");
});

test("what else stands in the address stays", () => {
  expect(withRange("?day=2026-11-21&range=1m", rangeOf("?range=1h"))).toBe("?day=2026-11-21&range=1h");
});

test("arrows stop at both ends", () => {
  const [first] = ranges;
  const last = ranges.at(-1)!;
  expect(neighbour(first, -1)).toBe(first);
  expect(neighbour(first, 1)).toBe(ranges[1]);
  expect(neighbour(last, 1)).toBe(last);
});

test("no range asks for more than is kept", () => {
  for (const range of ranges) expect(range.seconds).toBeLessThanOrEqual(keptSeconds);
});
