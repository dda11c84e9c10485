// What some segments share, as a map: a line and a column for each, and how dark each field is.

import { whole } from "../format";
import type { Bounds, Overlap } from "./answers";

/** From none to all of the smaller segment; as many looks has the style sheet. */
export const steps = 5;

export interface Field {
  one: string;
  other: string;
  /** People in both; on the diagonal all of the segment. */
  count: number;
  /** Of an estimate. */
  bounds?: Bounds;
  /** Of the first, and of the second; null: nobody is in it. */
  ofOne: number | null;
  ofOther: number | null;
  /** 0: nobody is in both, to `steps`. */
  step: number;
}

/** A line for each of `names`, with a field for each. Names that the answer has not are left out. */
export function matrixOf(names: readonly string[], { sizes, sizeBounds, pairs }: Overlap): readonly (readonly Field[])[] {
  const known = names.filter((name) => sizes.has(name));
  const both = new Map(pairs.flatMap((pair) => [[key(pair.one, pair.other), pair], [key(pair.other, pair.one), pair]] as const));
  return known.map((one) => known.map((other) => {
    const pair = both.get(key(one, other));
    const count = one === other ? sizes.get(one) ?? 0 : pair?.count ?? 0;
    const bounds = one === other ? sizeBounds.get(one) : pair?.exact === false ? { low: pair.low, high: pair.high } : undefined;
    return { ...fieldOf(one, other, count, sizes.get(one) ?? 0, sizes.get(other) ?? 0), ...(bounds !== undefined && { bounds }) };
  }));
}

export function fieldOf(one: string, other: string, count: number, sizeOne: number, sizeOther: number): Field {
  const smaller = Math.min(sizeOne, sizeOther);
  const share = smaller === 0 ? 0 : count / smaller;
  return {
    one, other, count,
    ofOne: sizeOne === 0 ? null : count / sizeOne,
    ofOther: sizeOther === 0 ? null : count / sizeOther,
    step: count === 0 ? 0 : Math.min(steps, 1 + Math.floor(share * steps)),
  };
}

/** " (1,100 to 1,300)": behind an estimate, between which numbers it is. */
export function within(bounds: Bounds | undefined): string {
  return bounds === undefined ? "" : ` (${whole(bounds.low)} to ${whole(bounds.high)})`;
}

/** "12 %", "<1 %", "–" of nobody: a share is never rounded to none or to all. */
export function percent(share: number | null): string {
  if (share === null) return "–";
  const rounded = Math.round(share * 100);
  if (share > 0 && rounded === 0) return "<1 %";
  if (share < 1 && rounded === 100) return ">99 %";
  return `${rounded} %`;
}

/** As few letters as a field of the map has room for: "104k"; the readout and the table have all digits. */
export function short(count: number): string {
  if (count < 10_000) return whole(count);
  if (count < 1_000_000) return `${Math.floor(count / 1000)}k`;
  if (count < 10_000_000) return `${(Math.floor(count / 100_000) / 10).toFixed(1)}M`;
  return count < 1_000_000_000 ? `${Math.floor(count / 1_000_000)}M` : `${(Math.floor(count / 100_000_000) / 10).toFixed(1)}G`;
}

function key(one: string, other: string): string {
  return JSON.stringify([one, other]);
}
