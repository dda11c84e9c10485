// The ranges of days a page offers, and the one in its address: ?days=7d, or ?from=2026-11-01&to=2026-11-21. With it goes
// the zone in which a day is a day: ?tz=Europe/Berlin.

import { dayOf, daysText } from "./format";
import { dayStart } from "./days";
import { day } from "./scale";

export interface Preset {
  key: string;
  label: string;
  spoken: string;
  /** Up to today, today included; null: from the first day on. */
  days: number | null;
}

export const presets: readonly [Preset, ...Preset[]] = [
  { key: "today", label: "Today", spoken: "today", days: 1 },
  { key: "7d", label: "7 days", spoken: "last 7 days", days: 7 },
  { key: "30d", label: "30 days", spoken: "last 30 days", days: 30 },
  { key: "90d", label: "90 days", spoken: "last 90 days", days: 90 },
  { key: "all", label: "All", spoken: "all time", days: null },
];

/** Everything, for the log of last year is as good a beginning as the view of a minute ago. */
const standard = presets[4] ?? presets[0];

export interface DayRange {
  /** A preset's, or "custom". */
  key: string;
  spoken: string;
  /** Both null: the whole life. */
  from: string | null;
  to: string | null;
  tz: string;
}

/** `now` in unix seconds. What is no day, or ends before it begins, is not a range: then the standard one. */
export function dayRangeOf(search: string, now: number): DayRange {
  const query = new URLSearchParams(search);
  const tz = query.get("tz") || "UTC";
  const from = query.get("from");
  const to = query.get("to");
  if (isDay(from) && isDay(to) && from <= to) {
    return { key: "custom", spoken: daysText(dayStart(from), dayStart(to)), from, to, tz };
  }
  const preset = presets.find((one) => one.key === query.get("days")) ?? standard;
  if (preset.days === null) return { key: preset.key, spoken: preset.spoken, from: null, to: null, tz };
  const today = dayOf(now, tz);
  return { key: preset.key, spoken: preset.spoken, from: dayName(dayStart(today) - (preset.days - 1) * day), to: today, tz };
}

/** More hours than those of two days are neither a chart nor a table to read. */
const daysByHour = 2;

/** Whether the range is drawn by the hour. */
export function isByHour({ from, to }: DayRange): boolean {
  return from !== null && to !== null && dayStart(to) - dayStart(from) < daysByHour * day;
}

/** What the API is asked for. */
export function dayQuery(range: DayRange): URLSearchParams {
  const query = daysQuery(range);
  if (isByHour(range)) query.set("group_by", "hour");
  if (range.tz !== "UTC") query.set("tz", range.tz);
  return query;
}

/** The days alone. */
export function daysQuery({ from, to }: Pick<DayRange, "from" | "to">): URLSearchParams {
  return new URLSearchParams(from !== null && to !== null ? { from, to } : {});
}

export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && dayName(dayStart(text)) === text;
}

/** The UTC day that begins at this second. */
export function dayName(start: number): string {
  return Number.isFinite(start) ? new Date(start * 1000).toISOString().slice(0, 10) : "";
}

/** UTC, the reader's own, then all the browser knows. */
export function zones(own: string): string[] {
  return [...new Set(["UTC", own, ...Intl.supportedValuesOf("timeZone")])];
}
