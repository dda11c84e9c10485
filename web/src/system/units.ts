// How figures of the page System are written: three digits or so, with their unit.

import { axisFigure, milliseconds, rate, whole } from "../format";

export type Unit = "rate" | "count" | "seconds" | "bytes";

/** Heights of a drawing are so many of these. */
export interface Measured {
  name: string;
  by: number;
}

const sizes = ["bytes", "KiB", "MiB", "GiB", "TiB"].map((name, at): Measured => ({ name, by: 1024 ** at }));
const second: Measured = { name: "s", by: 1 };
const spans: readonly Measured[] = [{ name: "ms", by: 0.001 }, second, { name: "min", by: 60 }, { name: "h", by: 3600 }];

/** The unit in which this is read best: the largest of which there is one at least. */
export function measuredIn(unit: Unit, most: number): Measured {
  switch (unit) {
    case "rate":
      return { name: "a second", by: 1 };
    case "count":
      return { name: "", by: 1 };
    case "seconds":
      return most === 0 ? second : largest(spans, most);
    case "bytes":
      return largest(sizes, most);
  }
}

function largest(units: readonly Measured[], most: number): Measured {
  const fitting = units.filter(({ by }) => by <= most);
  return fitting.at(-1) ?? (units[0] as Measured);
}

/** A figure in its unit, and that unit's name. */
export function figureOf(unit: Unit, value: number): { text: string; name: string } {
  const { name, by } = measuredIn(unit, value);
  if (unit === "count") return { text: whole(value), name };
  if (unit === "rate") return { text: value >= 1e6 ? axisFigure(value) : rate(value), name };
  if (name === "bytes" || value === 0) return { text: whole(value / by), name };
  return { text: milliseconds(value / by), name };
}

/** Both in one: 4.20 MiB, 12 a second. */
export function figureText(unit: Unit, value: number): string {
  const { text, name } = figureOf(unit, value);
  return name === "" ? text : `${text} ${name}`;
}

/** A part of a whole: 0.4 %, 12 %. What is there is never none. */
export function shareText(part: number, all: number): string {
  const percent = (100 * part) / all;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent < 10 ? Math.round(10 * percent) / 10 : whole(percent)} %`;
}
