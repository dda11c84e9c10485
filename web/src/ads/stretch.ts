// Which stretch of the last hour the live chart shows.

import { lastSeconds, sumOf, type History } from "../history";
import { ranges, type Range } from "../range";

/**
 * The range from its first click on, but a minute at least: what was before tells nothing. Its steps are those of the
 * shortest range that is as long.
 */
export function sinceFirst(history: History, range: Range): Range {
  const first = lastSeconds(history, range.seconds).find(({ parts }) => sumOf(parts) > 0);
  if (first === undefined || history.end === null) return range;
  const seconds = Math.min(range.seconds, Math.max(ranges[0].seconds, history.end - first.time + 1));
  if (seconds === range.seconds) return range;
  const { width, step } = ranges.find((one) => one.seconds >= seconds) ?? range;
  const spoken = seconds === ranges[0].seconds ? ranges[0].spoken : `since the first click of the ${range.spoken}`;
  return { ...range, spoken, seconds, width, step };
}
