import { quoted, type Target } from "../counters";

/** `footfall` finds a key in the reader's environment: a page shows none. */
export function eraseCommand({ origin }: Target): string {
  return `footfall erase --server ${quoted(origin)} --profile SID`;
}
