// The ranges the page offers, and the one that stands in its address (?range=15m).

export interface Range {
  key: string;
  label: string;
  /** How the sentences on the page name it. */
  spoken: string;
  seconds: number;
  /** Seconds in one point of the chart: every range has sixty, few enough to read as a table. */
  width: number;
  /** One point of the chart in words: "per second". */
  step: string;
}

export const ranges: readonly [Range, ...Range[]] = [
  { key: "1m", label: "1 min", spoken: "last minute", seconds: 60, width: 1, step: "second" },
  { key: "5m", label: "5 min", spoken: "last 5 minutes", seconds: 300, width: 5, step: "5 seconds" },
  { key: "15m", label: "15 min", spoken: "last 15 minutes", seconds: 900, width: 15, step: "15 seconds" },
  { key: "1h", label: "1 hour", spoken: "last hour", seconds: 3600, width: 60, step: "minute" },
];

/** The range an address names. One that names none, or none we know, gets the shortest. */
export function rangeOf(search: string): Range {
  const key = new URLSearchParams(search).get("range");
  return ranges.find((range) => range.key === key) ?? ranges[0];
}

/** The address's query with these changes; whatever else stands there stays. Null takes a name out. */
export function withQuery(search: string, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** The neighbour of one in a list of ranges; the first and the last have none beyond them. */
export function neighbour<R extends { key: string }>(list: readonly R[], key: string, step: -1 | 1): R | null {
  const at = list.findIndex((one) => one.key === key);
  // A range of one's own stands after all others.
  return list[at < 0 ? list.length - 1 : Math.min(Math.max(at + step, 0), list.length - 1)] ?? null;
}
