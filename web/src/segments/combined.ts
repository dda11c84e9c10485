// Who is in exactly which of some segments: the rows of an UpSet plot (Lex and others, "UpSet: Visualization of Intersecting Sets", 2014).

import { whole } from "../format";
import type { Bounds } from "./answers";
import { within } from "./matrix";

export interface Combination {
  /** The segments that these people are in, in the order in which they were named; they are in no other of those. */
  segments: readonly string[];
  people: number;
  /** Of an estimate. */
  bounds?: Bounds;
}

/** As many are drawn; the table has all. */
export const drawnMost = 24;

/** Those with most people first; of as many, those of fewer segments. */
export function inOrder(combinations: readonly Combination[]): readonly Combination[] {
  return [...combinations].sort((left, right) => right.people - left.people || left.segments.length - right.segments.length);
}

/** The part of the line that a bar takes, of the longest one; never nothing where there is somebody. */
export function barOf(people: number, most: number): number {
  return most === 0 ? 0 : Math.max(0.5, Math.round((1000 * people) / most) / 10);
}

/** "300 people are in bought and spring, and in no other" */
export function spokenOf({ segments, people, bounds }: Combination, shown: (name: string) => string, of: number): string {
  const who = people === 1 && bounds === undefined ? "1 person is" : `${bounds === undefined ? "" : "about "}${whole(people)} people${within(bounds)} are`;
  const names = segments.map(shown);
  const listed = names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `${who} in ${listed}${segments.length === of ? ": in all" : of === 1 ? "" : ", and in no other"}`;
}
