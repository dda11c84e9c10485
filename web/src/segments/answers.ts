// What the server says of segments, and of what they share.

import { array, instant, number, object, string, stringOrNull } from "../messages";
import type { Combination } from "./combined";

export interface Segment {
  name: string;
  people: number;
  exact: boolean;
  error: number;
}

export interface SegmentPage {
  segments: readonly Segment[];
  /** There are further ones. */
  more: boolean;
}

export function readSegments(value: unknown): SegmentPage {
  const { segments, next } = object(value);
  return {
    segments: array(segments).map((one) => {
      const { name, people, exact, error } = object(one);
      return { name: string(name), people: number(people), exact: exact === true, error: number(error) };
    }),
    more: stringOrNull(next) !== null,
  };
}

/** What an estimate is worth: between `low` and `high` it is in 95 of 100 cases. */
export interface Bounds {
  low: number;
  high: number;
}

export interface Pair extends Bounds {
  one: string;
  other: string;
  count: number;
  exact: boolean;
  error: number;
}

export interface Overlap {
  sizes: ReadonlyMap<string, number>;
  /** Of sizes that are estimates, where people do not fit in the server's memory. */
  sizeBounds: ReadonlyMap<string, Bounds>;
  pairs: readonly Pair[];
  /** Who is in exactly which of them, and in no other. Null: that was not asked. */
  combinations: readonly Combination[] | null;
  /** The unix second before which all that was durable is in it. */
  asOf: number;
}

export function readOverlap(value: unknown): Overlap {
  const { sizes, size_bounds: bounds, overlap, combinations, as_of: asOf } = object(value);
  return {
    sizes: new Map(Object.entries(object(sizes)).map(([name, people]) => [name, number(people)])),
    sizeBounds: new Map(Object.entries(object(bounds ?? {})).map(([name, of]) => [name, readBounds(of)])),
    pairs: array(overlap).map((each) => {
      const { segments, count, exact, error } = object(each);
      const [one, other] = array(segments).map(string);
      return { one: one ?? "", other: other ?? "", count: number(count), exact: exact === true, error: number(error), ...readBounds(each) };
    }),
    combinations: combinations === undefined ? null : array(combinations).map((each) => {
      const { segments, people, exact } = object(each);
      return { segments: array(segments).map(string), people: number(people), ...(exact === false && { bounds: readBounds(each) }) };
    }),
    asOf: instant(asOf),
  };
}

function readBounds(value: unknown): Bounds {
  const { low, high } = object(value);
  return { low: number(low), high: number(high) };
}
