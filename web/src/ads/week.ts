// In which hours of the week clicks come.

import { dayStart } from "../days";
import type { IncomeRow } from "./income";

export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

export interface Week {
  /** Clicks of each day, Monday first, by the hour that the clock showed. */
  hours: readonly (readonly number[])[];
  most: number;
  all: number;
}

/** Rows by the hour, put together by weekday and hour. */
export function weekOf(rows: readonly Pick<IncomeRow, "name" | "clicks">[]): Week {
  const hours = weekdays.map(() => Array.from({ length: 24 }, () => 0));
  for (const { name, clicks } of rows) {
    const weekday = (new Date(dayStart(name.slice(0, 10)) * 1000).getUTCDay() + 6) % 7;
    const hour = Number(name.slice(11, 13));
    const line = hours[weekday];
    if (line !== undefined) line[hour] = (line[hour] ?? 0) + clicks;
  }
  const all = hours.flat();
  return { hours, most: Math.max(0, ...all), all: all.reduce((sum, clicks) => sum + clicks, 0) };
}

/** Where most clicks came: Friday, 18:00; null where none did. */
export function busiest({ hours, most }: Week): string | null {
  if (most === 0) return null;
  const weekday = hours.findIndex((line) => line.includes(most));
  const hour = hours[weekday]?.indexOf(most) ?? 0;
  return `${weekdays[weekday]}, ${hourText(hour)}`;
}

export function hourText(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
