// How a chart lies in time: by the clock, for what happens now, and by the calendar, for days. Hours of a zone are in
// hours.ts.

import { clock, daysText, dayText } from "./format";
import type { Row } from "./history";
import type { Range } from "./range";

export interface Scale {
  /** Seconds of what the heights are for: so many in each of these. */
  unit: number;
  /** After a number: "7 a second". */
  per: string;
  /** Heads the column of times. */
  column: string;
  /** When a row was. */
  name: (row: Pick<Row, "from" | "seconds">) => string;
  /** Said beside it where a step's height is not what was counted in it. */
  step: (row: Pick<Row, "from" | "seconds">) => string | null;
  tick: (time: number, distance: number) => string;
  /** Distances between ticks, in seconds. */
  distances: number[];
  /** How wide a tick is at most, in pixels. */
  space: number;
  /** The times that may have a tick, where they are no multiples of the distance. */
  ticks?: (distance: number) => number[];
  /** From when to when it is drawn; without it from the first row to the last. */
  extent?: readonly [number, number];
}

export const day = 86_400;
export const hour = 3600;

export function clockScale(range: Range): Scale {
  return {
    unit: 1,
    per: "a second",
    column: "Time",
    name: ({ from, seconds }) => (seconds > 1 ? `${clock(from)} to ${clock(from + seconds - 1)}` : clock(from)),
    step: () => (range.width > 1 ? `one step is the average of ${range.step === "minute" ? "a minute" : range.step}` : null),
    tick: (time, distance) => clock(time, distance < 60 ? "second" : "minute"),
    distances: [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
    space: 72,
  };
}

/** Of rows that begin at a UTC midnight: whatever the zone, a day is as wide as another. */
export const dayScale: Scale = {
  unit: day,
  per: "a day",
  column: "Day",
  name: ({ from, seconds }) => daysText(from, from + seconds - day),
  step: () => null,
  // Where years go by, the day matters less than which year it is of.
  tick: (time, distance) => dayText(time, distance > 56 * day ? "month" : "short"),
  distances: [1, 2, 7, 14, 28, 56, 112, 224, 448, 896].map((days) => days * day),
  space: 64,
};
