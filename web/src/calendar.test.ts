import { expect, test } from "vitest";
import { rowOf, type Account } from "./account";
import { beginOf, inUnits, nextOf, unitBetween } from "./calendar";
import { dayStart, type DayRow } from "./days";
import { day } from "./scale";

test("a quarter is told by days, a year by weeks, three years by months", () => {
  expect(unitBetween("2026-11-27", "2026-11-27")).toBe("day");
  expect(unitBetween("2026-07-31", "2026-11-27")).toBe("day");
  expect(unitBetween("2026-07-30", "2026-11-27")).toBe("week");
  expect(unitBetween("2024-11-27", "2026-11-27")).toBe("week");
  expect(unitBetween("2023-11-28", "2026-11-27")).toBe("month");
});

test("a week begins on Monday, also over the turn of a year, and a month on its first", () => {
  expect(["2026-11-23", "2026-11-27", "2026-11-29"].map((name) => beginOf("week", name))).toEqual(Array(3).fill("2026-11-23"));
  expect(beginOf("week", "2027-01-01")).toBe("2026-12-28");
  expect(beginOf("month", "2026-11-27")).toBe("2026-11-01");
  expect(beginOf("day", "2026-11-27")).toBe("2026-11-27");
});

test("a unit ends where the next begins", () => {
  expect(nextOf("week", "2026-11-29")).toBe("2026-11-30");
  expect(["2026-02-14", "2028-02-29", "2026-12-01"].map((name) => nextOf("month", name))).toEqual(["2026-03-01", "2028-03-01", "2027-01-01"]);
  expect(nextOf("day", "2026-12-31")).toBe("2027-01-01");
});

test("rows of days become weeks, with those of nothing between them, and end where the days end", () => {
  const account: Account = { noun: "events", all: "events", one: "event", parts: [{ key: "counted", label: "", tone: "counted", column: "" }] };
  const row = (name: string, days: number, counted: number): DayRow => ({ ...rowOf(dayStart(name), days * day, { counted }), people: null });
  // A Friday, then nothing up to the Monday after the next.
  const rows = [row("2026-11-06", 1, 3), row("2026-11-07", 9, 0), row("2026-11-16", 1, 4), row("2026-11-17", 1, 5)];
  expect(inUnits(account, rows, "week").map(({ from, seconds, all }) => [from, seconds / day, all])).toEqual([
    [dayStart("2026-11-06"), 3, 3], [dayStart("2026-11-09"), 7, 0], [dayStart("2026-11-16"), 2, 9],
  ]);
  expect(inUnits(account, rows, "month").map(({ seconds, all }) => [seconds / day, all])).toEqual([[12, 12]]);
  expect(inUnits(account, rows, "day")).toEqual(rows);
  expect(inUnits(account, [], "week")).toEqual([]);
});
