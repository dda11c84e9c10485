// A report's days as the rows of a chart: every day of the range, each refusal under its reason.

import { rowOf, zeroOf, type Account, type Tone } from "./account";
import { reasonText } from "./format";
import { sumOf, total, type Row, type Total } from "./history";
import type { Counts, Report } from "./reports";
import { day } from "./scale";

export interface DayRow extends Row {
  /** Null where people are not known by days: of a stretch without events, or in another zone than theirs. */
  people: number | null;
}

/** What the days of a report are read from; people, where they are known by days. */
interface Days extends Pick<Report, "from" | "to"> {
  days: readonly (Counts & { day: string; people?: number | null })[];
}

const shades: readonly Tone[] = ["refused-1", "refused-2", "refused-3", "refused-4"];

/** Counted, and each reason there is: what refused the most lies next to what was counted. */
export function reasonAccount({ refused }: Counts): Account {
  const reasons = Object.entries(refused).filter(([, events]) => events > 0);
  reasons.sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return {
    noun: "events",
    all: "events",
    one: "event",
    parts: [
      { key: "counted", label: "counted", tone: "counted", column: "counted" },
      ...reasons.map(([reason], i) => ({
        key: refusedKey(reason), label: reasonText(reason), tone: shades[i] ?? "refused-4" as const, column: `refused_${reason}`,
      })),
    ],
  };
}

export function dayTotal(account: Account, counts: Counts): Total {
  const parts: Record<string, number> = { ...zeroOf(account), counted: counts.counted };
  for (const [reason, events] of Object.entries(counts.refused)) parts[refusedKey(reason)] = events;
  return { all: sumOf(parts), parts };
}

/**
 * The days of a report, oldest first. Days without events between two others, and up to `today` or the range's ends, are
 * one row: a chart needs to show that nothing happened, a table does not need a line for each.
 */
export function dayRows(account: Account, report: Days, today: string): DayRow[] {
  const rows: DayRow[] = [];
  const quiet = (from: number, before: number) => {
    if (before > from) rows.push({ ...rowOf(from, before - from, zeroOf(account)), people: null });
  };
  const first = report.from ?? report.days[0]?.day;
  if (first === undefined) return [];
  let next = dayStart(first);
  for (const one of report.days) {
    const from = dayStart(one.day);
    quiet(next, from);
    rows.push({ ...rowOf(from, day, dayTotal(account, one).parts), people: one.people ?? null });
    next = from + day;
  }
  quiet(next, Math.min(dayStart(report.to ?? today), dayStart(today)) + day);
  return rows;
}

/** What the report's sums hold of days that it does not list; null when it lists all. */
export function earlier(account: Account, report: Report, rows: readonly DayRow[]): Total | null {
  if (!report.earlierDays) return null;
  const listed = total(zeroOf(account), rows);
  const parts = dayTotal(account, report).parts;
  const rest = Object.fromEntries(Object.entries(parts).map(([key, events]) => [key, events - (listed.parts[key] ?? 0)]));
  return { all: sumOf(rest), parts: rest };
}

/** The second at which the UTC day of this name begins: 2026-11-21. */
export function dayStart(name: string): number {
  return Date.parse(`${name}T00:00:00Z`) / 1000;
}

function refusedKey(reason: string): string {
  return `refused ${reason}`;
}
