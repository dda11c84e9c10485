// What a reseller or publisher earned, and the rows behind it.

import { array, instant, number, object, string, stringOrNull } from "../messages";
import { readAmount, sumOfAmounts } from "./money";

/** As the server groups rows; weeks are put together here. */
export type AskedGroup = "day" | "month" | "hour" | "ad" | "publisher" | "reseller";
export type Group = AskedGroup | "week";

export interface Clicks {
  clicks: number;
  sales: number;
  refunds: number;
}

export interface IncomeRow extends Clicks {
  /** The day, Monday of the week, month, hour with its offset, ad or publisher. */
  name: string;
  amount: string;
  /** A fraction; null where there was more than one, or the rows are not days. */
  fraction: string | null;
  income: string;
  /** Of a day; other rows have open and sealed days. */
  sealed: boolean;
}

export interface Adjustment {
  /** The day whose income changed; null where the rows are not by day. */
  day: string | null;
  /** The day on which the difference became money; null: its day changed at once. */
  posted: string | null;
  cause: string;
  was: string;
  is: string;
  difference: string;
  /** Unix second. */
  recorded: number | null;
  author: string | null;
  reason: string | null;
}

export interface Income extends Clicks {
  /** Both null: the whole life. */
  from: string | null;
  to: string | null;
  tz: string;
  currency: string;
  amount: string;
  /** The days' income; `corrected`: what was posted in the range for days before; `income` is both. */
  earned: string;
  corrected: string;
  income: string;
  /** All of it stands for ever. */
  sealed: boolean;
  provisional: boolean;
  group: Group;
  rows: readonly IncomeRow[];
  adjustments: readonly Adjustment[];
}

export function readIncome(group: AskedGroup): (value: unknown) => Income {
  return (value) => {
    const data = object(value);
    return {
      ...readClicks(data),
      from: stringOrNull(data.from),
      to: stringOrNull(data.to),
      tz: string(data.tz),
      currency: string(data.currency),
      amount: readAmount(data.amount),
      earned: readAmount(data.earned),
      corrected: readAmount(data.corrected),
      income: readAmount(data.income),
      sealed: data.sealed === true,
      provisional: data.provisional === true,
      group,
      rows: array(data[`${group}s`]).map((row) => readRow(group, row)),
      adjustments: array(data.adjustments).map(readAdjustment),
    };
  };
}

function readRow(group: AskedGroup, value: unknown): IncomeRow {
  const row = object(value);
  const fraction = row.reward_percent;
  return {
    ...readClicks(row),
    name: string(row[group]),
    amount: readAmount(row.amount),
    fraction: fraction === null || fraction === undefined ? null : readAmount(fraction),
    income: readAmount(row.income),
    sealed: row.sealed === true,
  };
}

function readAdjustment(value: unknown): Adjustment {
  const one = object(value);
  return {
    day: stringOrNull(one.day),
    posted: stringOrNull(one.posted),
    cause: string(one.cause),
    was: readAmount(one.was),
    is: readAmount(one.is),
    difference: readAmount(one.difference),
    recorded: one.recorded_at === null || one.recorded_at === undefined ? null : instant(one.recorded_at),
    author: stringOrNull(one.author),
    reason: stringOrNull(one.reason),
  };
}

function readClicks(data: Record<string, unknown>): Clicks {
  return { clicks: number(data.clicks), sales: number(data.sales), refunds: number(data.refunds) };
}

/** What one change did, the sum of its days. */
export interface ChangeMade extends Pick<Adjustment, "cause" | "recorded" | "author" | "reason" | "was" | "is" | "difference"> {
  /** The earliest day first. */
  days: readonly Adjustment[];
}

/** Adjustments that have one cause, and with it one reason, author and moment, put together: what was recorded last comes first. */
export function changesMade(adjustments: readonly Adjustment[]): ChangeMade[] {
  const groups = new Map<string, Adjustment[]>();
  for (const one of adjustments) {
    const key = JSON.stringify([one.cause, one.recorded, one.author, one.reason]);
    const days = groups.get(key);
    if (days === undefined) groups.set(key, [one]);
    else days.push(one);
  }
  return [...groups.values()].flatMap(changeOf).sort((a, b) => (b.recorded ?? 0) - (a.recorded ?? 0));
}

function changeOf(days: readonly Adjustment[]): ChangeMade[] {
  const [first] = days;
  if (first === undefined) return [];
  const { cause, recorded, author, reason } = first;
  const sum = (of: "was" | "is" | "difference") => sumOfAmounts(days.map((one) => one[of]));
  const sorted = [...days].sort((a, b) => ((a.day ?? "") < (b.day ?? "") ? -1 : 1));
  return [{ cause, recorded, author, reason, was: sum("was"), is: sum("is"), difference: sum("difference"), days: sorted }];
}
