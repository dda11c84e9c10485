// The chart's data as a file. Times are UTC, so that the file means the same on every desk.

import { timestamp } from "./format";
import type { Bucket } from "./history";

export function csvOf(rows: readonly Bucket[]): string {
  const lines = ["time,seconds,put,new,already_counted,above_limit,slowest_commit_ms"];
  for (const row of rows) {
    const { from, seconds, put, fresh, already, unsure, slowest } = row;
    lines.push([timestamp(from), seconds, put, fresh, already, unsure, slowest ?? ""].join(","));
  }
  return lines.join("\r\n") + "\r\n";
}

export function csvName(rangeKey: string, end: number): string {
  return `footfall-tokens-${rangeKey}-${timestamp(end).replaceAll(":", "")}.csv`;
}

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
