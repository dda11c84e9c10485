import { expect, test } from "vitest";
import { csvName, csvOf } from "./csv";

test("one line a row, nothing for a second without a commit", () => {
  expect(csvOf([
    { from: 1763719200, seconds: 5, put: 12, fresh: 5, already: 4, unsure: 3, slowest: 0.31 },
    { from: 1763719205, seconds: 2, put: 0, fresh: 0, already: 0, unsure: 0, slowest: null },
  ])).toBe("time,seconds,put,new,already_counted,above_limit,slowest_commit_ms\r\n"
    + "2025-11-21T10:00:00Z,5,12,5,4,3,0.31\r\n2025-11-21T10:00:05Z,2,0,0,0,0,\r\n");
});

test("the file's name is allowed on every system", () => {
  expect(csvName("15m", 1763719200)).toBe("footfall-tokens-15m-2025-11-21T100000Z.csv");
});
