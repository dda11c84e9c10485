import { expect, test } from "vitest";
import { dayRows, dayStart, dayTotal, earlier, reasonAccount } from "./days";
import { sumOf, total } from "./history";
import type { Report } from "./reports";
import { zeroOf } from "./account";

const report: Report = {
  object: "post", action: "view", events: 9, counted: 4, refused: { not_human: 2, repeat: 3 },
  people: 2, exact: true, error: 0, provisional: false, tz: "UTC", peopleTz: "UTC", from: null, to: null,
  earlierDays: false, hours: null,
  days: [
    { day: "2026-11-17", events: 4, counted: 3, refused: { repeat: 1 }, people: 2 },
    { day: "2026-11-20", events: 5, counted: 1, refused: { repeat: 2, not_human: 2 }, people: 1 },
  ],
};
const account = reasonAccount(report);

test("the reason that refused most lies next to what was counted", () => {
  expect(account.parts.map((part) => part.label)).toEqual(["counted", "repeat", "not human"]);
  expect(account.parts.map((part) => part.tone)).toEqual(["counted", "refused-1", "refused-2"]);
});

test("more reasons than shades share the last one, and none is left out", () => {
  const refused = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`r${i}`, 10 - i]));
  const { parts } = reasonAccount({ events: 49, counted: 0, refused });
  expect(parts).toHaveLength(8);
  expect(parts.slice(4).every((part) => part.tone === "refused-4")).toBe(true);
});

test("days add up to the report, whatever lies between them", () => {
  const rows = dayRows(account, report, "2026-11-22");
  expect(rows.map((row) => [row.from, row.seconds / 86_400, row.all, row.people])).toEqual([
    [dayStart("2026-11-17"), 1, 4, 2],
    [dayStart("2026-11-18"), 2, 0, null],
    [dayStart("2026-11-20"), 1, 5, 1],
    [dayStart("2026-11-21"), 2, 0, null],
  ]);
  expect(total(zeroOf(account), rows)).toEqual(dayTotal(account, report));
  for (const row of rows) expect(sumOf(row.parts)).toBe(row.all);
});

test("a range shows the whole range, but no day that is still to come", () => {
  const rows = dayRows(account, { ...report, from: "2026-11-15", to: "2026-11-30" }, "2026-11-21");
  expect(rows.map((row) => row.seconds / 86_400)).toEqual([2, 1, 2, 1, 1]);
});

test("events of tomorrow, in a zone that is ahead, are not cut off", () => {
  const rows = dayRows(account, report, "2026-11-19");
  expect(rows.at(-1)?.from).toBe(dayStart("2026-11-20"));
});

test("nothing is nothing", () => {
  const empty = { ...report, events: 0, counted: 0, refused: {}, days: [] };
  expect(dayRows(reasonAccount(empty), empty, "2026-11-21")).toEqual([]);
  expect(dayRows(reasonAccount(empty), { ...empty, from: "2026-11-20", to: "2026-11-21" }, "2026-11-21")).toHaveLength(1);
});

test("what happened before the listed days stands on its own, so that the table adds up", () => {
  const long = { ...report, events: 19, counted: 11, refused: { repeat: 6, not_human: 2 }, earlierDays: true };
  const rows = dayRows(account, long, "2026-11-20");
  expect(earlier(account, long, rows)).toEqual({ all: 10, parts: { counted: 7, "refused repeat": 3, "refused not_human": 0 } });
  expect(earlier(account, report, rows)).toBeNull();
});
