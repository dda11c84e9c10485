// What a key of the scope "audience" is told: numbers with noise, and none of few people.

import { useEffect, useState } from "preact/hooks";
import { ask, type Asked } from "../ask";
import { array, numberOrNull, object, string } from "../messages";
import { overlapPath } from "./address";

export interface NoisyPair {
  one: string;
  other: string;
  /** Null: too few to be shown. */
  count: number | null;
  low: number | null;
  high: number | null;
}

export interface NoisyOverlap {
  sizes: readonly { name: string; people: number | null }[];
  pairs: readonly NoisyPair[];
  /** The UTC day that these numbers are of. */
  day: string;
}

export function readNoisy(value: unknown): NoisyOverlap {
  const { sizes, overlap, day } = object(value);
  return {
    sizes: Object.entries(object(sizes)).map(([name, people]) => ({ name, people: numberOrNull(people) })),
    pairs: array(overlap).map((each) => {
      const { segments, count, low, high } = object(each);
      const [one, other] = array(segments).map(string);
      return { one: one ?? "", other: other ?? "", count: numberOrNull(count), low: numberOrNull(low), high: numberOrNull(high) };
    }),
    day: string(day),
  };
}

/** How many numbers a question is: the size of each, and each pair. */
export function numbersOf(segments: number): number {
  return (segments * (segments + 1)) / 2;
}

/** Asked once for each set of names: an answer holds all day. */
export function useNoisy(names: readonly string[]): Asked<NoisyOverlap> {
  const body = names.length === 0 ? null : JSON.stringify({ segments: names });
  const [asked, setAsked] = useState<Asked<NoisyOverlap>>({ address: null, value: null, no: null });
  useEffect(() => {
    if (body === null) return;
    let over = false;
    void ask(overlapPath, readNoisy, fetch, {
      method: "POST", body, headers: { Accept: "application/json", "Content-Type": "application/json" },
    }).then((answer) => {
      if (!over) setAsked(answer.kind === "found" ? { address: body, value: answer.value, no: null } : { address: body, value: null, no: answer });
    });
    return () => { over = true; };
  }, [body]);
  return asked.address === body ? asked : { address: body, value: null, no: null };
}

