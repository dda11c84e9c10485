// The commands by which somebody checks the log, past this page and the server that made it.

import { quoted } from "../counters";
import type { Target } from "../counters";

/** `footfall` finds a key in the reader's environment: a page shows none. */
export function headCommand({ origin }: Target): string {
  return `footfall audit head --server ${quoted(origin)} > kept.txt`;
}

export function verifyCommand({ origin }: Target): string {
  return `footfall audit verify --server ${quoted(origin)} --checkpoint kept.txt`;
}

export function proveCommand({ origin }: Target, entry: number): string {
  return `footfall audit prove --server ${quoted(origin)} --entry ${entry}`;
}
