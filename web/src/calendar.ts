// Days put together, where they are too many to be told apart: weeks of the ISO calendar and months.

import { rowOf, zeroOf, type Account } from "./account";
import { dayName } from "./day_range";
import { dayStart, type DayRow } from "./days";
import { total } from "./history";
import { day, dayScale, type Scale } from "./scale";

export type Unit = "day" | "week" | "month";

/** A step of a chart has to be some pixels wide: more days than these are drawn by the week, and by the month. */
const mostDays = 120;
const mostWeeks = 2 * 366;

/** What a range of so many days is told by. */
export function unitOf(days: number): Unit {
  return days <= mostDays ? "day" : days <= mostWeeks ? "week" : "month";
}

/** The same of the days from one to another, both included. */
export function unitBetween(first: string, last: string): Unit {
  return unitOf((dayStart(last) - dayStart(first)) / day + 1);
}

/** The day with which the unit begins that this day is of: a week with its Monday. */
export function beginOf(unit: Unit, name: string): string {
  if (unit === "day") return name;
  if (unit === "month") return `${name.slice(0, 7)}-01`;
  const start = dayStart(name);
  return dayName(start - ((new Date(start * 1000).getUTCDay() + 6) % 7) * day);
}

/** The day with which the unit after this one begins. */
export function nextOf(unit: Unit, name: string): string {
  const begin = dayStart(beginOf(unit, name));
  if (unit === "month") return beginOf("month", dayName(begin + 31 * day));
  return dayName(begin + (unit === "week" ? 7 : 1) * day);
}

/** Rows of days by the week or month; the first and the last are as long as their days that the rows are of. */
export function inUnits(account: Account, rows: readonly DayRow[], unit: Unit): DayRow[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (unit === "day" || first === undefined || last === undefined) return [...rows];
  const held = new Map<string, DayRow[]>();
  for (const row of rows) {
    if (row.all === 0) continue;
    const begin = beginOf(unit, dayName(row.from));
    held.set(begin, [...held.get(begin) ?? [], row]);
  }
  const result: DayRow[] = [];
  const end = last.from + last.seconds;
  for (let begin = beginOf(unit, dayName(first.from)); dayStart(begin) < end; begin = nextOf(unit, begin)) {
    const from = Math.max(dayStart(begin), first.from);
    const seconds = Math.min(dayStart(nextOf(unit, begin)), end) - from;
    result.push({ ...rowOf(from, seconds, total(zeroOf(account), held.get(begin) ?? []).parts), people: null });
  }
  return result;
}

/** How such rows lie in time. Heights are still those of a day, so months of different lengths can be held against each other. */
export function unitScale(unit: Unit): Scale {
  if (unit === "day") return dayScale;
  return { ...dayScale, column: unit === "week" ? "Week" : "Month", step: () => `one step is the average of a ${unit}` };
}
