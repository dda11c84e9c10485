import { expect, test } from "vitest";
import { emptyHistory, replaceHistory, type History } from "../history";
import { ranges } from "../range";
import { sinceFirst } from "./stretch";

const hour = ranges[3] ?? ranges[0];

/** Clicks at these seconds; the last one is now. */
function clicks(...times: number[]): History {
  return replaceHistory(emptyHistory({ counted: 0 }), times.map((time) => ({ time, parts: { counted: 1 }, slowest: null })));
}

test("the chart begins with the first click, in steps that fit what is there", () => {
  expect(sinceFirst(clicks(10_000, 10_119), hour)).toMatchObject({ key: "1h", seconds: 120, width: 5, step: "5 seconds", spoken: "since the first click of the last hour" });
  expect(sinceFirst(clicks(10_000, 12_000), hour)).toMatchObject({ seconds: 2001, width: 60 });
});

test("it is a minute at least, and never longer than was chosen", () => {
  expect(sinceFirst(clicks(10_000, 10_003), hour)).toMatchObject({ seconds: 60, width: 1, spoken: "last minute" });
  expect(sinceFirst(clicks(10_000, 12_000), ranges[0])).toEqual(ranges[0]);
  expect(sinceFirst(clicks(10_000, 13_599), hour)).toEqual(hour);
});

test("without a click it is the range", () => {
  expect(sinceFirst(clicks(), hour)).toEqual(hour);
});
