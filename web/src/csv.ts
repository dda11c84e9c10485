// A chart's data as a file. Times are UTC and days are named, so that the file means the same on every desk.

import type { Account } from "./account";
import type { DayRow } from "./days";
import { timestamp } from "./format";
import type { Bucket, Row } from "./history";

export interface Column<R> {
  name: string;
  of: (row: R) => string | number | null;
}

/** Nothing is written of what is not known. */
export function csvOf<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  const lines = [columns.map(({ name }) => cell(name)), ...rows.map((row) => columns.map(({ of }) => cell(of(row) ?? "")))];
  return lines.map((cells) => cells.join(",") + "\r\n").join("");
}

/** What an account's rows have in common. */
function parts<P extends string, R extends Row<P>>(account: Account<P>): Column<R>[] {
  return [
    { name: account.all, of: (row) => row.all },
    ...account.parts.map(({ key, column }): Column<R> => ({ name: column, of: (row) => row.parts[key] })),
  ];
}

export function secondColumns<P extends string>(account: Account<P>, withCommits: boolean): Column<Bucket<P>>[] {
  return [
    { name: "time", of: (row) => timestamp(row.from) },
    { name: "seconds", of: (row) => row.seconds },
    ...parts<P, Bucket<P>>(account),
    ...(withCommits ? [{ name: "slowest_commit_ms", of: (row: Bucket<P>) => row.slowest }] : []),
  ];
}

export function dayColumns(account: Account): Column<DayRow>[] {
  return [
    { name: "day", of: (row) => timestamp(row.from).slice(0, 10) },
    ...parts<string, DayRow>(account),
    { name: "people", of: (row) => row.people },
  ];
}

export function hourColumns(account: Account): Column<Row>[] {
  return [{ name: "hour", of: (row) => timestamp(row.from) }, ...parts<string, Row>(account)];
}

/** footfall-tokens-1h-2025-11-21T100000Z.csv */
export function csvName(noun: string, range: string, end: string): string {
  return `footfall-${noun}-${range}-${end.replaceAll(":", "")}.csv`;
}

/** A name that others chose: a spreadsheet would take one that begins so for a formula. */
export function nameCell(name: string): string {
  return /^[=+\-@]/.test(name) ? `'${name}` : name;
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** A rule may give its reason any name. */
function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
