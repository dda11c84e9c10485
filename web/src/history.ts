// What was counted in each closed second of the last hour, and the sums the page shows of it.
//
// Plain values and pure functions: the stream feeds them, the page reads them. Seconds in which nothing happened
// are not kept; a second that is not here counts as zero.

/** The longest range the page offers, and so the most seconds worth keeping. */
export const keptSeconds = 3600;

/**
 * One closed second. `fresh` and `unsure` are parts of `put`: new for certain, and neither new nor old for certain,
 * for their object is above its counter's limit; the rest was counted already. `slowest` is the slowest durable commit
 * in it, in milliseconds; null when nothing was written.
 */
export interface Second {
  time: number;
  put: number;
  fresh: number;
  unsure: number;
  slowest: number | null;
}

/** `end` is the newest closed second the server told of; null until it has told of one. */
export interface History {
  seconds: readonly Second[];
  end: number | null;
}

/** One row of the chart's table: `seconds` closed seconds from `from` on. */
export interface Bucket extends Total {
  from: number;
  seconds: number;
  slowest: number | null;
}

/** `put` is the sum of the others. */
export interface Total {
  put: number;
  fresh: number;
  already: number;
  unsure: number;
}

export const emptyHistory: History = { seconds: [], end: null };

/**
 * Takes over a whole history as the server sends it after each connect. It replaces what was known: the server counts,
 * the page only repeats, so nothing may be added up over a reconnect.
 */
export function replaceHistory(before: History, seconds: readonly Second[]): History {
  const byTime = new Map<number, Second>();
  for (const second of seconds) byTime.set(second.time, second);
  const sorted = [...byTime.values()].sort((a, b) => a.time - b.time);
  const newest = sorted.at(-1)?.time ?? null;
  // A server that was idle sends no newest second; the one heard before keeps the window from jumping back.
  const end = newest === null ? before.end : Math.max(newest, before.end ?? newest);
  return { seconds: keep(sorted, end), end };
}

/** Adds one closed second; the same second told twice stands once, with what was said last. */
export function addSecond(history: History, second: Second): History {
  const others = history.seconds.filter((known) => known.time !== second.time);
  if (second.put > 0 || second.slowest !== null) {
    const later = others.findIndex((known) => known.time > second.time);
    others.splice(later < 0 ? others.length : later, 0, second);
  }
  // The server's clock decides what "now" is, also when it was set back.
  return { seconds: keep(others, second.time), end: second.time };
}

function keep(seconds: readonly Second[], end: number | null): readonly Second[] {
  if (end === null) return seconds;
  return seconds.filter((second) => second.time > end - keptSeconds);
}

/** The kept seconds among the `length` seconds up to and including `end`. */
export function lastSeconds(history: History, length: number): readonly Second[] {
  const { end } = history;
  if (end === null) return [];
  return history.seconds.filter((second) => second.time > end - length && second.time <= end);
}

export function total(seconds: readonly Pick<Second, "put" | "fresh" | "unsure">[]): Total {
  let put = 0;
  let fresh = 0;
  let unsure = 0;
  for (const second of seconds) {
    put += second.put;
    fresh += second.fresh;
    unsure += second.unsure;
  }
  return { put, fresh, already: put - fresh - unsure, unsure };
}

/** What the newest closed second brought; zero when nothing. */
export function newestSecond(history: History): Second {
  const last = history.seconds.at(-1);
  if (last !== undefined && last.time === history.end) return last;
  return { time: history.end ?? 0, put: 0, fresh: 0, unsure: 0, slowest: null };
}

/** The newest second in which something was written. */
export function lastCommit(history: History): Second | null {
  return history.seconds.findLast((second) => second.slowest !== null) ?? null;
}

/**
 * Cuts the last `length` seconds into buckets of `width` seconds, oldest first, empty ones included.
 *
 * Buckets start at multiples of `width`, so that a row keeps its time while the window moves on; the first and the
 * last are therefore shorter most of the time. Together they cover exactly the window: their sum is `total` of it.
 */
export function buckets(history: History, length: number, width: number): Bucket[] {
  const { end } = history;
  if (end === null) return [];
  const begin = end - length + 1;
  const result: Bucket[] = [];
  for (let start = Math.floor(begin / width) * width; start <= end; start += width) {
    const from = Math.max(start, begin);
    const to = Math.min(start + width - 1, end);
    result.push({ from, seconds: to - from + 1, put: 0, fresh: 0, already: 0, unsure: 0, slowest: null });
  }
  const firstStart = Math.floor(begin / width);
  for (const second of lastSeconds(history, length)) {
    const bucket = result[Math.floor(second.time / width) - firstStart];
    if (bucket === undefined) continue;
    bucket.put += second.put;
    bucket.fresh += second.fresh;
    bucket.already += second.put - second.fresh - second.unsure;
    bucket.unsure += second.unsure;
    if (second.slowest !== null) bucket.slowest = Math.max(second.slowest, bucket.slowest ?? 0);
  }
  return result;
}
