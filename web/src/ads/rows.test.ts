import { expect, test } from "vitest";
import { dayStart } from "../days";
import { day, hour } from "../scale";
import { changesMade, readIncome, type Adjustment, type AskedGroup, type Group } from "./income";
import { askedFor, groupedBy } from "./grouped";
import { moneyRows, moneyScale, monthText, nameOf, nextMonth } from "./rows";

const row = (group: AskedGroup, name: string) => ({
  [group]: name, clicks: 2, sales: 1, refunds: 0, amount: "1.5", reward_percent: "0.3", income: "0.45", sealed: false,
});
const told = (group: AskedGroup, names: readonly string[], more = {}) => readIncome(group)({
  reseller: "r", from: null, to: null, as_of: null, tz: "UTC", currency: "EUR", clicks: 4, sales: 2, refunds: 0, amount: "3",
  earned: "0.9", corrected: "0.1", income: "1", sealed: false, provisional: false,
  [`${group}s`]: names.map((name) => row(group, name)), adjustments: [], ...more,
});

test("income is read with its rows, its money as the server's text", () => {
  const income = told("day", ["2026-11-20"], { adjustments: [{
    day: "2026-10-15", posted: null, cause: "rate", clicks: 0, sales: 0, refunds: 0, amount: "0", was: "1.802500", is: "2.163",
    difference: "0.3605", recorded_at: "2026-11-10T09:00:00Z", author: "m.ito", reason: "volume bonus",
  }] });
  expect(income).toMatchObject({ earned: "0.9", corrected: "0.1", income: "1", currency: "EUR", clicks: 4 });
  expect(income.rows[0]).toEqual({
    name: "2026-11-20", clicks: 2, sales: 1, refunds: 0, amount: "1.5", fraction: "0.3", income: "0.45", sealed: false,
  });
  expect(income.adjustments[0]).toMatchObject({ posted: null, was: "1.802500", difference: "0.3605", author: "m.ito" });
  expect(() => told("day", [], { income: 1 })).toThrow(TypeError);
  expect(told("ad", ["banner"]).rows[0]?.name).toBe("banner");
});

test("between two days of events lies a stretch of none, and after the last one up to today", () => {
  const rows = moneyRows(told("day", ["2026-11-17", "2026-11-20"]), dayStart("2026-11-22"));
  expect(rows.map(({ from, seconds, row }) => [from, seconds / day, row?.income ?? null])).toEqual([
    [dayStart("2026-11-17"), 1, "0.45"], [dayStart("2026-11-18"), 2, null], [dayStart("2026-11-20"), 1, "0.45"],
    [dayStart("2026-11-21"), 2, null],
  ]);
});

test("a range is shown as a whole, but no day that is still to come", () => {
  const rows = moneyRows(told("day", ["2026-11-17"], { from: "2026-11-15", to: "2026-11-30" }), dayStart("2026-11-18") + 60);
  expect(rows.map(({ seconds }) => seconds / day)).toEqual([2, 1, 1]);
});

test("months are as long as they are, and hours as their offset says", () => {
  expect(moneyRows(told("month", ["2026-02", "2026-04"]), 0).map(({ seconds }) => seconds / day)).toEqual([28, 31, 30]);
  const hours = moneyRows(told("hour", ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"]), 0);
  expect(hours.map(({ from }) => from)).toEqual([Date.UTC(2026, 9, 25, 0) / 1000, Date.UTC(2026, 9, 25, 1) / 1000]);
  expect(moneyRows(told("ad", ["banner"]), 0)).toEqual([]);
});

test("months have names and a next one", () => {
  expect(monthText("2026-10")).toBe("October 2026");
  expect(nextMonth("2026-12")).toBe("2027-01");
  expect(nextMonth("2026-09")).toBe("2026-10");
  expect(nameOf("hour", "2026-10-25T02:00:00+02:00")).toBe("25 Oct, 02:00");
});

test("too many days to be told apart are weeks, then months; who wants days has them", () => {
  const days = ["2026-11-20", "2026-11-22", "2026-11-23", "2026-12-01"];
  const ranged = (from: string, to: string) => told("day", days, { from, to });
  const names = (by: Group | null, from: string) => groupedBy(by, ranged(from, "2026-12-01")).rows.map(({ name }) => name);
  expect(names(null, "2026-11-20")).toEqual(days);
  expect(names(null, "2026-01-01")).toEqual(["2026-11-16", "2026-11-23", "2026-11-30"]);
  expect(names(null, "2023-12-01")).toEqual(["2026-11", "2026-12"]);
  expect(names("week", "2026-11-20")).toEqual(["2026-11-16", "2026-11-23", "2026-11-30"]);
  expect(names("day", "2023-12-01")).toEqual(days);
  const months = groupedBy(null, ranged("2023-12-01", "2026-12-01"));
  expect(months).toMatchObject({ group: "month", income: "1" });
  expect(months.rows[0]).toEqual({
    name: "2026-11", clicks: 6, sales: 3, refunds: 0, amount: "4.5", income: "1.35", fraction: null, sealed: false,
  });
  expect([null, "week", "month", "ad"].map((group) => askedFor(group as Group | null))).toEqual(["day", "day", "month", "ad"]);
  expect(groupedBy("ad", told("ad", ["banner"])).group).toBe("ad");
});

test("a week is seven days, named by the first and the last of them", () => {
  const weeks = groupedBy("week", told("day", ["2026-11-20", "2026-11-23"]));
  expect(moneyRows(weeks, 0).map(({ from, seconds }) => [from, seconds / day])).toEqual([
    [dayStart("2026-11-16"), 7], [dayStart("2026-11-23"), 7],
  ]);
  expect(nameOf("week", "2026-11-16")).toBe("16 Nov to 22 Nov 2026");
});

test("a change is one line with the sum of its days, wherever they stand", () => {
  const one = (day: string, cause: string, recorded: number): Adjustment => ({
    day, posted: null, cause, was: "0.1", is: "0.3", difference: "0.2", recorded, author: "m.ito", reason: "bonus",
  });
  const made = changesMade([one("2026-10-16", "rate", 1), one("2026-10-16", "rate", 2), one("2026-10-15", "rate", 1), one("2026-10-17", "late", 2)]);
  expect(made.map(({ cause, recorded, difference, days }) => [cause, recorded, difference, days.map(({ day }) => day?.slice(8))])).toEqual([
    ["rate", 2, "0.2", ["16"]], ["late", 2, "0.2", ["17"]], ["rate", 1, "0.4", ["15", "16"]],
  ]);
  expect(made[2]).toMatchObject({ was: "0.2", is: "0.6", author: "m.ito", reason: "bonus" });
  expect(changesMade([])).toEqual([]);
});

test("an axis of hours names the day where one begins, in the zone of the rows", () => {
  const scale = moneyScale("hour", "Europe/Berlin", []);
  expect(scale.tick(Date.UTC(2026, 10, 20, 23) / 1000, 12 * hour)).toBe("21 Nov");
  expect(scale.tick(Date.UTC(2026, 10, 21, 11) / 1000, 12 * hour)).toBe("12:00");
  expect(scale.tick(Date.UTC(2026, 10, 21, 11) / 1000, day)).toBe("21 Nov");
});

test("an axis of months has as many of their beginnings as there is room for", () => {
  const begins = ["2026-09", "2026-10", "2026-11", "2026-12"].map((month) => dayStart(`${month}-01`));
  const ticks = (months: number) => moneyScale("month", "UTC", begins).ticks?.(months * 30 * day);
  expect(ticks(1)).toEqual(begins);
  expect(ticks(2)).toEqual([begins[0], begins[2]]);
});
