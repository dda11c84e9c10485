// How many people segments were over time.

import { array, instant, number, object, string } from "../messages";
import { segment } from "../counters";
import { withQuestion } from "../views_address";

export const spans = [
  { key: "24h", label: "24 hours", seconds: 86_400, ago: "a day ago" },
  { key: "30d", label: "30 days", seconds: 30 * 86_400, ago: "30 days ago" },
] as const;
export type Span = (typeof spans)[number];

/** What the address of the page asks for. */
export function spanOf(search: string): Span {
  const key = new URLSearchParams(search).get("over");
  return spans.find((one) => one.key === key) ?? spans[0];
}

export interface SizeThen {
  /** Unix second from which on it was so. */
  at: number;
  people: number;
}

export interface Sizes {
  name: string;
  from: number;
  to: number;
  rows: readonly SizeThen[];
}

export function readSizes(value: unknown): Sizes {
  const { name, from, to, sizes } = object(value);
  return {
    name: string(name), from: instant(from), to: instant(to),
    rows: array(sizes).map((each) => {
      const { at, people } = object(each);
      return { at: instant(at), people: number(people) };
    }),
  };
}

export function sizesAddress(name: string, from: number, to: number): string {
  const stamp = (second: number) => new Date(second * 1000).toISOString();
  return withQuestion(`/api/v1/segments/${segment(name)}/sizes`, new URLSearchParams({ from: stamp(from), to: stamp(to) }));
}

export interface Line {
  name: string;
  /** What held at the beginning, or what was known first. Null: nothing was written yet. */
  first: number | null;
  now: number | null;
  least: number;
  most: number;
  /** Known from then on: before, the segment was not there or nobody counted. */
  since: number;
  rows: readonly SizeThen[];
}

/** A segment over the time asked for; what stands in the list now is its last size. */
export function lineOf({ name, from, rows }: Sizes, now: number | null): Line {
  const before = rows.filter(({ at }) => at <= from).at(-1);
  const within = rows.filter(({ at }) => at > from);
  const all = before === undefined ? within : [{ at: from, people: before.people }, ...within];
  const last = now ?? all.at(-1)?.people ?? null;
  const people = [...all.map((one) => one.people), ...(last === null ? [] : [last])];
  return {
    name, rows: all, now: last, first: all[0]?.people ?? null,
    least: Math.min(...people), most: Math.max(...people), since: all[0]?.at ?? from,
  };
}

/** The points of a line in steps, in a box of this width and height. A line that never moves lies in the middle. */
export function pointsOf({ rows, least, most, now }: Line, from: number, to: number, width: number, height: number): string {
  const x = (at: number) => round((width * (Math.min(at, to) - from)) / (to - from));
  const y = (people: number) => round(most === least ? height / 2 : height - (height * (people - least)) / (most - least));
  const points: string[] = [];
  rows.forEach(({ at, people }, index) => {
    const before = rows[index - 1];
    if (before !== undefined) points.push(`${x(at)},${y(before.people)}`);
    points.push(`${x(at)},${y(people)}`);
  });
  const last = rows.at(-1);
  if (last !== undefined) points.push(`${width},${y(last.people)}`);
  if (now !== null && last !== undefined && now !== last.people) points.push(`${width},${y(now)}`);
  return points.join(" ");
}

/** "+12", "−3", "0" */
export function changeText(first: number | null, now: number | null): string {
  if (first === null || now === null) return "–";
  const by = now - first;
  return by === 0 ? "0" : `${by > 0 ? "+" : "−"}${Math.abs(by).toLocaleString("en-US")}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
