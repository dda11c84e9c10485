// What happened in each closed second of the last hour, and the sums the page shows of it.
//
// Plain values and pure functions: the streams feed them, the pages read them. Seconds in which nothing happened
// are not kept; a second that is not here counts as zero.

/** The longest range a page of seconds offers, and so the most seconds worth keeping. */
export const keptSeconds = 3600;

/** Numbers of tokens or events by what became of them. They are the whole: all of it is their sum. */
export type Parts<P extends string = string> = Readonly<Record<P, number>>;

export interface Total<P extends string = string> {
  /** The sum of the parts. */
  all: number;
  parts: Parts<P>;
}

/** One row of a chart's table: `seconds` seconds from `from` on. */
export interface Row<P extends string = string> extends Total<P> {
  from: number;
  seconds: number;
}

/**
 * One closed second. `slowest` is the slowest durable commit in it, in milliseconds; null when nothing was written, or
 * the stream does not tell.
 */
export interface Second<P extends string = string> {
  time: number;
  parts: Parts<P>;
  slowest: number | null;
}

/** `end` is the newest closed second the server told of; null until it has told of one. `zero` has every part. */
export interface History<P extends string = string> {
  zero: Parts<P>;
  seconds: readonly Second<P>[];
  end: number | null;
}

export interface Bucket<P extends string = string> extends Row<P> {
  slowest: number | null;
}

export function emptyHistory<P extends string>(zero: Parts<P>): History<P> {
  return { zero, seconds: [], end: null };
}

/**
 * Takes over a whole history as the server sends it after each connect. It replaces what was known: the server counts,
 * the page only repeats, so nothing may be added up over a reconnect.
 */
export function replaceHistory<P extends string>(before: History<P>, seconds: readonly Second<P>[]): History<P> {
  const byTime = new Map<number, Second<P>>();
  for (const second of seconds) byTime.set(second.time, second);
  const sorted = [...byTime.values()].sort((a, b) => a.time - b.time);
  const newest = sorted.at(-1)?.time ?? null;
  // A server that was idle sends no newest second; the one heard before keeps the window from jumping back. It was of a
  // clock that was ahead where it is later than all that is kept.
  const wasAhead = newest !== null && before.end !== null && before.end - newest > keptSeconds;
  const end = newest === null ? before.end : wasAhead ? newest : Math.max(newest, before.end ?? newest);
  return { ...before, seconds: keep(sorted, end), end };
}

/** Adds one closed second; the same second told twice stands once, with what was said last. */
export function addSecond<P extends string>(history: History<P>, second: Second<P>): History<P> {
  const others = history.seconds.filter((known) => known.time !== second.time);
  if (sumOf(second.parts) > 0 || second.slowest !== null) {
    const later = others.findIndex((known) => known.time > second.time);
    others.splice(later < 0 ? others.length : later, 0, second);
  }
  // The server's clock decides what "now" is, also when it was set back.
  return { ...history, seconds: keep(others, second.time), end: second.time };
}

function keep<P extends string>(seconds: readonly Second<P>[], end: number | null): readonly Second<P>[] {
  if (end === null) return seconds;
  return seconds.filter((second) => second.time > end - keptSeconds);
}

/** The kept seconds among the `length` seconds up to and including `end`. */
export function lastSeconds<P extends string>(history: History<P>, length: number): readonly Second<P>[] {
  const { end } = history;
  if (end === null) return [];
  return history.seconds.filter((second) => second.time > end - length && second.time <= end);
}

export function sumOf(parts: Parts): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/** `zero` has the parts to add up. */
export function total<P extends string>(zero: Parts<P>, rows: readonly { parts: Parts<P> }[]): Total<P> {
  const parts: Record<P, number> = { ...zero };
  for (const row of rows) for (const part in zero) parts[part] += row.parts[part];
  return { all: sumOf(parts), parts };
}

/** What the newest closed second brought; zero when nothing. */
export function newestSecond<P extends string>(history: History<P>): Second<P> {
  const last = history.seconds.at(-1);
  if (last !== undefined && last.time === history.end) return last;
  return { time: history.end ?? 0, parts: history.zero, slowest: null };
}

/** The newest second in which something was written. */
export function lastCommit<P extends string>(history: History<P>): Second<P> | null {
  return history.seconds.findLast((second) => second.slowest !== null) ?? null;
}

/**
 * Cuts the last `length` seconds into buckets of `width` seconds, oldest first, empty ones included.
 *
 * Buckets start at multiples of `width`, so that a row keeps its time while the window moves on; the first and the
 * last are therefore shorter most of the time. Together they cover exactly the window: their sum is `total` of it.
 */
export function buckets<P extends string>(history: History<P>, length: number, width: number): Bucket<P>[] {
  const { end } = history;
  if (end === null) return [];
  const begin = end - length + 1;
  const firstStart = Math.floor(begin / width);
  const held = new Map<number, Second<P>[]>();
  for (const second of lastSeconds(history, length)) {
    const at = Math.floor(second.time / width);
    const others = held.get(at);
    if (others === undefined) held.set(at, [second]);
    else others.push(second);
  }
  const result: Bucket<P>[] = [];
  for (let at = firstStart; at * width <= end; at++) {
    const from = Math.max(at * width, begin);
    const to = Math.min((at + 1) * width - 1, end);
    const seconds = held.get(at) ?? [];
    result.push({ from, seconds: to - from + 1, ...total(history.zero, seconds), slowest: slowest(seconds) });
  }
  return result;
}

export function slowest(rows: readonly { slowest: number | null }[]): number | null {
  return rows.reduce<number | null>(
    (worst, row) => (row.slowest === null ? worst : Math.max(row.slowest, worst ?? 0)), null);
}
