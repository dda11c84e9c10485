// What the server says of all parties together: the split, the lists, the ledger's months, the clicks.

import type { Counts } from "../reports";
import { array, instant, number, object, string, stringOrNull } from "../messages";
import { readAmount } from "./money";
import type { Clicks } from "./income";

/** Who gets what. The network has what is left of the amount, which may be below zero. */
export interface Split {
  currency: string | null;
  amount: string;
  resellers: string;
  publishers: string;
  network: string;
}

export function readSplit(value: unknown): Split {
  const data = object(value);
  return {
    currency: stringOrNull(data.currency),
    amount: readAmount(data.amount),
    resellers: readAmount(data.resellers),
    publishers: readAmount(data.publishers),
    network: readAmount(data.network),
  };
}

export interface ListedParty {
  name: string;
  /** Of each currency; currencies are never added. */
  amounts: readonly (readonly [currency: string, amount: string])[];
  clicks: number;
}

export interface Parties {
  parties: readonly ListedParty[];
  /** There are further ones. */
  more: boolean;
}

export function readParties(kind: "reseller" | "publisher"): (value: unknown) => Parties {
  return (value) => {
    const data = object(value);
    return {
      parties: array(data[`${kind}s`]).map((one) => {
        const party = object(one);
        return {
          name: string(party[kind]),
          amounts: Object.entries(object(party.amounts ?? {})).map(([currency, amount]) => [currency, readAmount(amount)] as const),
          clicks: number(party.clicks),
        };
      }),
      more: typeof data.next === "string",
    };
  };
}

export type MonthState = "open" | "sealing" | "sealed";

export interface Month {
  /** 2026-10 */
  month: string;
  state: MonthState;
  /** Unix second. */
  sealed: number | null;
  author: string | null;
  reason: string | null;
}

export interface Months {
  /** Of the ledger's days. */
  zone: string;
  months: readonly Month[];
}

export function readMonths(value: unknown): Months {
  const data = object(value);
  const months = array(data.months).map((one): Month => {
    const month = object(one);
    const at = stringOrNull(month.sealed_at);
    return {
      month: string(month.month),
      state: month.state === "sealed" || month.state === "sealing" ? month.state : "open",
      sealed: at === null ? null : instant(at),
      author: stringOrNull(month.author),
      reason: stringOrNull(month.reason),
    };
  });
  return { zone: string(data.zone), months: months.sort((a, b) => (a.month < b.month ? 1 : -1)) };
}

/** What `verify ads` found when it last held the ledger to its clicks. */
export interface Check {
  /** Unix second; null: it never did. */
  at: number | null;
  differences: number;
  first: readonly string[];
}

export function readCheck(value: unknown): Check {
  const data = object(value);
  const at = stringOrNull(data.checked_at);
  return { at: at === null ? null : instant(at), differences: number(data.differences), first: array(data.first).map(saying) };
}

function saying(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface ClickDay extends Clicks, Counts {
  day: string;
}

/** Events are clicks, sales, refunds and all refused. */
export interface ClickReport extends Clicks, Counts {
  days: readonly ClickDay[];
}

export function readClickReport(value: unknown): ClickReport {
  const data = object(value);
  return { ...readCounts(data), days: array(data.days).map((one) => ({ ...readCounts(object(one)), day: string(object(one).day) })) };
}

function readCounts(data: Record<string, unknown>): Clicks & Counts {
  const [clicks, sales, refunds] = [number(data.clicks), number(data.sales), number(data.refunds)];
  const refused = Object.entries(object(data.refused)).map(([reason, events]) => [reason, number(events)] as const);
  return { events: number(data.events), counted: clicks + sales + refunds, clicks, sales, refunds, refused: Object.fromEntries(refused) };
}
