// Changes that the page makes: a rate given or withdrawn, a month sealed.

import { ask, type Answer } from "../ask";
import { rateAddress } from "./address";
import { readChange, readTrial, type RateChange, type Trial } from "./rates";

/** A rate from a day on; without a fraction, the day's rate taken back. */
export interface Draft {
  day: string;
  fraction: string | null;
  reason: string;
}

/** What the draft would move; nothing is changed. `path`: the party's. */
export function tryRate(path: string, draft: Draft, by: typeof fetch = fetch): Promise<Answer<Trial>> {
  return send(path, draft, true, null, readTrial, by);
}

/** `recorded`: false where that rate held already. */
export interface Made {
  change: RateChange;
  recorded: boolean;
}

/** Makes the change, if the rates are still those of `etag`; else the server says 412. */
export function makeRate(path: string, draft: Draft, etag: string | null, by: typeof fetch = fetch): Promise<Answer<Made>> {
  return send(path, draft, false, etag, (data, answer) => ({ change: readChange(data), recorded: answer.status === 201 }), by);
}

function send<T>(
  path: string, { day, fraction, reason }: Draft, only: boolean, etag: string | null,
  read: (data: unknown, answer: Response) => T, by: typeof fetch,
): Promise<Answer<T>> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (etag !== null) headers["If-Match"] = etag;
  if (fraction === null) return ask(rateAddress(path, day, only, reason), read, by, { method: "DELETE", headers });
  const body = JSON.stringify({ reward_percent: fraction, reason });
  return ask(rateAddress(path, day, only, null), read, by, { method: "PUT", headers: { ...headers, "Content-Type": "application/json" }, body });
}

/** Seals a month and all before it, for ever. */
export function sealMonth(month: string, reason: string, by: typeof fetch = fetch): Promise<Answer<null>> {
  return ask(`/api/v1/ledger/months/${month}`, () => null, by, {
    method: "PUT", headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: JSON.stringify({ state: "sealed", reason }),
  });
}
