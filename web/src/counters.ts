// Asking the server for one counter, and the commands that ask and count the same from a shell.

import { array, object, readCounter, type Counter } from "./messages";

/** What a look-up came back with. `refused`: the server said no, and why. `failed`: there was no answer to speak of. */
export type Answer =
  | { kind: "found"; counter: Counter; limit: number | null }
  | { kind: "refused"; status: number; title: string; detail: string }
  | { kind: "failed"; detail: string };

/** An object's name as one segment of a path, safe in an address and, without quotes, in a shell. */
export function segment(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

export async function lookUp(name: string, ask: typeof fetch = fetch): Promise<Answer> {
  if (name === "." || name === "..") {
    return { kind: "failed", detail: "A browser drops this name from an address. Ask with the command below." };
  }
  let response: Response;
  try {
    response = await ask(`/api/v1/counter/${segment(name)}`, {
      headers: { Accept: "application/json" }, cache: "no-store",
    });
  } catch (error) {
    if (error instanceof URIError) return { kind: "failed", detail: "This name is not valid Unicode text." };
    return { kind: "failed", detail: "The server cannot be reached just now. Try again in a moment." };
  }
  try {
    const data = object(await response.json());
    if (response.ok) {
      return { kind: "found", counter: readCounter(data), limit: typeof data.limit === "number" ? data.limit : null };
    }
    return { kind: "refused", status: response.status, title: text(data.title), detail: text(data.detail) };
  } catch {
    return { kind: "failed", detail: `The server answered ${response.status} with something that cannot be read.` };
  }
}

/** The largest counters, for a stream that has not told of them yet. */
export async function largestNow(ask: typeof fetch = fetch): Promise<Counter[]> {
  const response = await ask("/api/v1/counters?sort=count&limit=10", { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return array(object(await response.json()).counters).map(readCounter);
}

export function putCommand(origin: string, name = "object_id"): string {
  return `curl -X PUT -d token ${quoted(`${origin}/api/v1/counter/${segment(name)}`)}`;
}

export function getCommand(origin: string, name: string): string {
  const asIs = name === "." || name === ".." ? "--path-as-is " : "";
  return `curl ${asIs}${quoted(`${origin}/api/v1/counter/${segment(name)}`)}`;
}

/** Only an address with brackets ([::1]) means something to a shell. */
function quoted(address: string): string {
  return /[[\]]/.test(address) ? `'${address}'` : address;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
