// Who is sent the changes of segments, and how far each receiver is.

import { ask, type Answer } from "../ask";
import { array, instant, number, object, string, stringOrNull } from "../messages";

export const webhooksPath = "/api/v1/webhooks";

export interface Webhook {
  name: string;
  segment: string;
  /** Null: ids of all networks. */
  network: string | null;
  url: string;
  state: "ok" | "failing" | "dead";
  /** It has all changes up to this one. */
  after: number;
  /** In a row. */
  failures: number;
  /** Why it failed last. */
  trouble: string | null;
  /** Unix seconds. */
  failingSince: number | null;
  nextTry: number | null;
  answered: number | null;
}

export function readWebhooks(value: unknown): readonly Webhook[] {
  return array(object(value).webhooks).map((one) => {
    const hook = object(one);
    return {
      name: string(hook.name),
      segment: string(hook.segment),
      network: stringOrNull(hook.network),
      url: string(hook.url),
      state: stateOf(string(hook.state)),
      after: number(hook.after),
      failures: number(hook.failures),
      trouble: stringOrNull(hook.trouble),
      failingSince: instantOrNull(hook.failing_since),
      nextTry: instantOrNull(hook.next_try),
      answered: instantOrNull(hook.answered),
    };
  });
}

/** Has it tried at once, from where it is. */
export function resume(name: string, by: typeof fetch = fetch): Promise<Answer<null>> {
  return ask(`${webhooksPath}/${encodeURIComponent(name)}/resume`, () => null, by, { method: "POST" });
}

function stateOf(state: string): Webhook["state"] {
  if (state !== "ok" && state !== "failing" && state !== "dead") throw new TypeError("a state of a webhook was expected");
  return state;
}

function instantOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : instant(value);
}
