// What the server says of erasures: whom it may not say.

import { array, instant, number, numberOrNull, object, string, stringOrNull } from "../messages";

export const parts = ["tables", "log", "kafka", "compaction"] as const;
export type Part = (typeof parts)[number];

export interface Receipt {
  receipt: string;
  /** Empty: it is closed. */
  open: readonly string[];
  /** Unix second: what was recorded by then is erased. */
  at: number;
  kind: string;
  ids: number;
}

export function readReceipt(value: unknown): Receipt {
  const { receipt, open, at, kind, ids } = object(value);
  return { receipt: string(receipt), open: array(open).map(string), at: instant(at), kind: string(kind), ids: number(ids) };
}

export interface Receipts {
  receipts: readonly Receipt[];
  /** Of the next page; null: this was the last one. */
  next: string | null;
}

export function readReceipts(value: unknown): Receipts {
  const { erasures, next } = object(value);
  return { receipts: array(erasures).map(readReceipt), next: stringOrNull(next) };
}

/** What an erasure would take: how many, of what. */
export interface Trial {
  ids: number;
  /** Facts that only they name; null: of an actor nobody counts them. */
  facts: number | null;
  /** Facts that would be said without them. */
  changed: number | null;
  /** Rows, by job or by table, where the server counts them. */
  rows: readonly { of: string; rows: number }[];
}

export function readTrial(value: unknown): Trial {
  const { ids, facts, facts_changed: changed, ...more } = object(value);
  return {
    ids: number(ids), facts: numberOrNull(facts), changed: numberOrNull(changed),
    rows: Object.entries(more).flatMap(([name, each]) => rowsOf(name, each)),
  };
}

/** A number by its name; of an object or a list each by its own. */
function rowsOf(name: string, value: unknown): { of: string; rows: number }[] {
  if (typeof value === "number") return [{ of: name.replaceAll("_", " "), rows: value }];
  if (Array.isArray(value)) return value.flatMap((each) => {
    const { name: one, job, table, rows } = object(each);
    const of = [job, table, one].find((text) => typeof text === "string");
    return typeof of === "string" && typeof rows === "number" ? [{ of, rows }] : [];
  });
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(([each, rows]) => rowsOf(each, rows));
  return [];
}

/** The name of the receipt that was just written. */
export function readErased(value: unknown): string {
  return string(object(value).receipt);
}

export function readTag(value: unknown, answer: Response): { sid: string; tag: string } {
  return { sid: string(object(value).sid), tag: answer.headers.get("ETag") ?? "" };
}
