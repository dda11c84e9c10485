// What the server answers about its own figures, in Graphite's form.

import { array, number, numberOrNull, object, string } from "../messages";
import { every } from "./address";
import type { Unit } from "./units";

/** A value and the second it is of; null: nobody told. */
export interface Point {
  at: number;
  value: number | null;
}

export type Lines = Readonly<Record<string, readonly Point[]>>;

/** By the names that were given to them. */
export function readLines(data: unknown): Lines {
  return Object.fromEntries(array(data).map((each) => {
    const { target, datapoints } = object(each);
    return [string(target), array(datapoints).map((pair) => {
      const [value, at] = array(pair);
      return { at: number(at), value: numberOrNull(value) };
    })];
  }));
}

/** Names that an expression cannot hold are of nobody's own figures. */
const speakable = /^[^\s(){}[\],"'=;*?!~|]+$/;

/** Servers that kept figures, by name. */
export function readNames(data: unknown): string[] {
  return array(data).map(object).filter(({ leaf }) => leaf === 0).map(({ text }) => string(text))
    .filter((name) => speakable.test(name));
}

/** Whose figures stand if nobody is asked for: whoever tells now comes before who fell silent. */
export function firstOf(names: readonly string[], telling: readonly string[]): string | null {
  return names.find((name) => telling.includes(name)) ?? names[0] ?? null;
}

/** Of the last minute: of a rate the mean, of all else the newest. Null: nobody told. */
export function newest(unit: Unit, points: readonly Point[] | undefined): number | null {
  const known = (points ?? []).map(({ value }) => value).filter((value) => value !== null);
  if (unit === "rate" && known.length > 0) return known.reduce((sum, value) => sum + value, 0) / known.length;
  return known.at(-1) ?? null;
}

export interface Extent {
  least: number;
  most: number;
}

/** Between what a line moves; null: it has no value. */
export function extentOf(points: readonly Point[]): Extent | null {
  const known = points.map(({ value }) => value).filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), most: Math.max(...known) };
}

/**
 * Whether figures come yet. `off`: nobody keeps any, though the server is there for so long that it would have. `soon`: it
 * has just begun.
 */
export function stateOf(names: readonly string[], started: number | null, now: number | null): "there" | "soon" | "off" {
  if (names.length > 0) return "there";
  return started !== null && now !== null && now - started >= 2 * every ? "off" : "soon";
}
