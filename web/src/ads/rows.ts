// Rows of income in time, as the chart draws them.

import { clock, dayOf, daysText, dayText } from "../format";
import { dayStart } from "../days";
import { instant } from "../messages";
import { day, dayScale, hour, type Scale } from "../scale";
import type { Group, Income, IncomeRow } from "./income";

export interface MoneyRow {
  /** Unix second. */
  from: number;
  seconds: number;
  /** Null: nothing happened in it. */
  row: IncomeRow | null;
}

/** Whether rows follow each other in time; others are a list. */
export function isInTime(group: Group): boolean {
  return group === "day" || group === "week" || group === "month" || group === "hour";
}

/** The rows oldest first, and one without a row for each stretch between two in which nothing happened, up to `now`. */
export function moneyRows({ group, rows, from, to, tz }: Income, now: number): MoneyRow[] {
  if (!isInTime(group) || rows.length === 0) return [];
  const result: MoneyRow[] = [];
  const quiet = (begin: number, end: number) => {
    if (end > begin) result.push({ from: begin, seconds: end - begin, row: null });
  };
  let next = group === "day" && from !== null ? dayStart(from) : undefined;
  for (const row of rows) {
    const [begin, end] = extentOf(group, row.name);
    quiet(next ?? begin, begin);
    result.push({ from: begin, seconds: end - begin, row });
    next = end;
  }
  if (group === "day" && next !== undefined) {
    const today = dayOf(now, tz);
    quiet(next, dayStart(to !== null && to < today ? to : today) + day);
  }
  return result;
}

function extentOf(group: Group, name: string): [begin: number, end: number] {
  if (group === "month") return [monthStart(name), monthStart(nextMonth(name))];
  if (group === "hour") return [instant(name), instant(name) + hour];
  return [dayStart(name), dayStart(name) + (group === "week" ? 7 : 1) * day];
}

/** 2026-12 -> 2027-01 */
export function nextMonth(month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  return number === 12 ? `${year + 1}-01` : `${month.slice(0, 4)}-${String(number + 1).padStart(2, "0")}`;
}

export function monthStart(month: string): number {
  return dayStart(`${month}-01`);
}

const monthForm = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

/** 2026-10 -> October 2026 */
export function monthText(month: string): string {
  return monthForm.format(monthStart(month) * 1000);
}

/** A row's name as people read it. */
export function nameOf(group: Group, name: string): string {
  if (group === "day") return dayText(dayStart(name));
  if (group === "week") return daysText(dayStart(name), dayStart(name) + 6 * day);
  if (group === "month") return monthText(name);
  if (group === "hour") return `${dayText(dayStart(name.slice(0, 10)), "short")}, ${name.slice(11, 16)}`;
  return name;
}

/** Heights are amounts of whole rows, so nothing is taken per day or hour. `begins`: of the rows. */
export function moneyScale(group: Group, tz: string, begins: readonly number[]): Scale {
  if (group === "month") {
    const every = (distance: number) => Math.max(1, Math.round(distance / (30 * day)));
    return {
      ...dayScale, unit: 1, per: "a month", column: "Month", tick: (time) => dayText(time, "month"),
      distances: [1, 2, 3, 6, 12, 24].map((months) => months * 30 * day),
      ticks: (distance) => begins.filter((_, i) => i % every(distance) === 0),
    };
  }
  if (group === "week") return { ...dayScale, unit: 1, per: "a week", column: "Week" };
  if (group !== "hour") return { ...dayScale, unit: 1 };
  return {
    ...dayScale, unit: 1, per: "an hour", column: "Hour",
    name: ({ from, seconds }) => `${hourAt(from, tz)} to ${hourAt(from + seconds, tz)}`,
    tick: (time, distance) => {
      const at = clock(time, "minute", tz);
      return distance >= day || at === "00:00" ? dayText(dayStart(dayOf(time, tz)), "short") : at;
    },
    distances: [...[1, 2, 3, 6, 12].map((hours) => hours * hour), ...dayScale.distances],
  };
}

function hourAt(time: number, tz: string): string {
  return `${dayText(dayStart(dayOf(time, tz)), "short")}, ${clock(time, "minute", tz)}`;
}
