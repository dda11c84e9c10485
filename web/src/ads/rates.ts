// The rates of a reseller or publisher: every change there was, which of them hold, and what a further one would move.

import { array, instant, number, object, string, stringOrNull } from "../messages";
import { readAmount } from "./money";

export interface RateChange {
  /** The day from which it holds: 2026-10-15. */
  day: string;
  /** A fraction as decimal text; null takes the rate of that day back. */
  fraction: string | null;
  /** Unix second. */
  recorded: number;
  author: string;
  reason: string;
  /** The ledger month in which the change stands, if it stands in one. */
  booked: string | null;
}

export interface Rates {
  /** The newest day first, and of one day what was recorded last. */
  changes: readonly RateChange[];
  /** Of the list as it was told: who changes it says which list that was. */
  etag: string | null;
}

export interface Movement {
  currency: string;
  days: number;
  first: string | null;
  last: string | null;
  before: string;
  after: string;
  difference: string;
}

/** What a change would do. */
export interface Trial {
  day: string;
  fraction: string | null;
  wouldRecord: boolean;
  movements: readonly Movement[];
}

export function readRates(value: unknown, answer: Response): Rates {
  return { changes: array(object(value).rates).map(readChange), etag: answer.headers.get("ETag") };
}

export function readChange(value: unknown): RateChange {
  const change = object(value);
  return {
    day: string(change.effective_since),
    fraction: fraction(change.reward_percent),
    recorded: instant(change.recorded_at),
    author: string(change.author),
    reason: string(change.reason),
    booked: stringOrNull(change.booked),
  };
}

export function readTrial(value: unknown): Trial {
  const trial = object(value);
  return {
    day: string(trial.effective_since),
    fraction: fraction(trial.reward_percent),
    wouldRecord: trial.would_record === true,
    movements: array(trial.movements).map((one) => {
      const movement = object(one);
      return {
        currency: string(movement.currency),
        days: number(movement.days),
        first: stringOrNull(movement.first_day),
        last: stringOrNull(movement.last_day),
        before: readAmount(movement.before),
        after: readAmount(movement.after),
        difference: readAmount(movement.difference),
      };
    }),
  };
}

function fraction(value: unknown): string | null {
  return value === null || value === undefined ? null : readAmount(value);
}

export interface Step {
  day: string;
  fraction: string;
}

/** The rates that hold, the earliest first: of each day what was recorded last, and none of a day that was taken back. */
export function stepsOf(changes: readonly RateChange[]): Step[] {
  return changes.flatMap((change, i) => (
    change.fraction !== null && isNewest(changes, i) ? [{ day: change.day, fraction: change.fraction }] : [])).reverse();
}

/** The rate of a day; none is 0. */
export function rateOn(steps: readonly Step[], day: string): string {
  return steps.findLast((step) => step.day <= day)?.fraction ?? "0";
}

/** `holds`, from its day on; `replaced` by a later record of the same day; `withdrawn` by one; the `withdrawal` itself. */
export type Standing = "holds" | "replaced" | "withdrawn" | "withdrawal";

/** What became of a change. */
export function standingOf(changes: readonly RateChange[], change: RateChange): Standing {
  const i = changes.indexOf(change);
  if (change.fraction === null) return "withdrawal";
  if (isNewest(changes, i)) return "holds";
  const newest = changes.find((other) => other.day === change.day);
  return newest?.fraction === null ? "withdrawn" : "replaced";
}

function isNewest(changes: readonly RateChange[], i: number): boolean {
  return changes[i - 1]?.day !== changes[i]?.day;
}
