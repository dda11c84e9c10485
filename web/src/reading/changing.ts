// What the page changes: how a person shares, and what they take back.

import { ask, type Answer } from "../ask";
import { timestamp } from "../format";
import { takeBackAddress, type Part } from "./address";
import { readPerson, readTakenBack, type Person, type Reading } from "./answers";

/** Says how a person shares from now on; with whom, and on which sites, stays. `until`: a unix second, of a pause. */
export function share(
  path: string, before: Person, reading: Reading, until: number | null = null, by: typeof fetch = fetch,
): Promise<Answer<Person>> {
  const said = { reading, to: before.to, ...(before.sites !== null && { sites: before.sites }), ...(until !== null && { until: timestamp(until) }) };
  return ask(path, readPerson, by, {
    method: "PUT", headers: { Accept: "application/json", "Content-Type": "application/json" }, body: JSON.stringify(said),
  });
}

/** How many reads were taken back. */
export function takeBack(path: string, part: Part, by: typeof fetch = fetch): Promise<Answer<number>> {
  return ask(takeBackAddress(path, part), readTakenBack, by, { method: "DELETE" });
}

export interface Pause {
  key: string;
  label: string;
  /** Null: it does not end by itself. */
  seconds: number | null;
}

export const pauses: readonly [Pause, ...Pause[]] = [
  { key: "1h", label: "for an hour", seconds: 3600 },
  { key: "1d", label: "for a day", seconds: 86_400 },
  { key: "7d", label: "for a week", seconds: 7 * 86_400 },
  { key: "open", label: "until further notice", seconds: null },
];

/** A whole second: the server keeps no less. */
export function endOf({ seconds }: Pause, now: number): number | null {
  return seconds === null ? null : Math.ceil(now + seconds);
}

/** What a field for a local time says, in RFC 3339. Null: it says nothing yet. */
export function instantText(local: string): string | null {
  const time = Date.parse(local);
  return Number.isNaN(time) ? null : timestamp(Math.floor(time / 1000));
}
