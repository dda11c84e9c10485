// Asking the server for one counter, and the commands that ask and count the same from a shell.

import { ask, type Answer, type No } from "./ask";
import { object, readCounter, type Counter } from "./messages";

export interface Found {
  counter: Counter;
  limit: number | null;
}

/** An object's name as one segment of a path, safe in an address and, without quotes, in a shell. */
export function segment(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

export async function lookUp(name: string, by: typeof fetch = fetch): Promise<Answer<Found>> {
  const address = addressOf("/api/v1/counter/", name);
  if (typeof address !== "string") return address;
  return ask(address, (data) => {
    const { limit } = object(data);
    return { counter: readCounter(data), limit: typeof limit === "number" ? limit : null };
  }, by);
}

/** The address of what the server keeps of an object, or why a browser cannot ask for it. */
export function addressOf(path: string, name: string): string | No {
  if (name === "." || name === "..") {
    return { kind: "failed", detail: "A browser drops this name from an address. Ask with a command from a shell." };
  }
  try {
    return path + segment(name);
  } catch {
    return { kind: "failed", detail: "This name is not valid Unicode text." };
  }
}

/** Where a command is to go, and whether a key has to be shown there. */
export interface Target {
  origin: string;
  keyed: boolean;
}

export function putCommand({ origin, keyed }: Target, name = "object_id"): string {
  return `${curl(keyed)} -X PUT -d token ${quoted(`${origin}/api/v1/counter/${segment(name)}`)}`;
}

export function getCommand({ origin, keyed }: Target, name: string): string {
  const asIs = name === "." || name === ".." ? "--path-as-is " : "";
  return `${curl(keyed)} ${asIs}${quoted(`${origin}/api/v1/counter/${segment(name)}`)}`;
}

/** The event that a first try sends, with what it needs besides, and a shell's way to send it. */
export function eventCommand({ origin, keyed }: Target, name = "post-1", more: Readonly<Record<string, string>> = {}): string {
  const event = JSON.stringify({ action: "view", object: name, actor: "u1", ...more });
  return `${curl(keyed)} -H 'Content-Type: application/json' -d ${inQuotes(event)} ${quoted(`${origin}/api/v1/events`)}`;
}

/** The key comes from the reader's environment: a page shows none. */
export function curl(keyed: boolean): string {
  return keyed ? 'curl -u ":$FOOTFALL_KEY"' : "curl";
}

/** Only an address with brackets ([::1]) means something to a shell. */
export function quoted(address: string): string {
  return /[[\]]/.test(address) ? `'${address}'` : address;
}

/** A text as a shell takes it, whatever is in it. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
