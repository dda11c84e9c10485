// How charts of the page System lie in time: by the reader's clock, over days by the day.

import { clock, dayText } from "../format";
import { day, hour, type Scale } from "../scale";
import type { Span } from "./address";

/** From the first step to the end of the last one, in a zone that is so many seconds ahead of UTC. */
export function spanScale({ seconds, step, interval }: Span, begin: number, end: number, ahead: number): Scale {
  return {
    unit: 1,
    per: "",
    column: "Time",
    name: ({ from }) => (seconds > day ? `${dayText(from + ahead, "short")}, ${clock(from, "minute")}` : clock(from, step < 60 ? "second" : "minute")),
    step: () => `one step is ${interval.replace(/(\d+)/, "$1 ")}`,
    tick: (time, distance) => (distance >= day ? dayText(time + ahead, "short") : clock(time, "minute")),
    distances: [600, 900, 1800, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 4 * day],
    space: 48,  // these charts are small
    // Midnight and noon are the reader's.
    ticks: (distance) => {
      const first = Math.ceil((begin + ahead) / distance) * distance - ahead;
      return Array.from({ length: Math.max(0, Math.floor((end - first) / distance) + 1) }, (_, at) => first + at * distance);
    },
    extent: [begin, end],
  };
}

/** Seconds that the reader's clock is ahead of UTC. */
export function aheadOf(second: number): number {
  return -60 * new Date(1000 * second).getTimezoneOffset();
}
