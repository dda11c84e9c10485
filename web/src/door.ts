// Who may see the page. Without API keys everybody on the machine; with them whoever has signed in.

import { useEffect, useState } from "preact/hooks";
import { ask, refusals, type Answer, type No } from "./ask";
import type { Target } from "./counters";
import { array, object } from "./messages";

/** `unknown`: not asked yet. `open`: nobody signs in. `closed`: somebody has to; `why`, where that is news. */
export type Door =
  | { kind: "unknown" }
  | { kind: "open" }
  | { kind: "signed"; name: string }
  | { kind: "closed"; why: string | null };

export interface Caller {
  /** Null where there are no keys. */
  name: string | null;
  scopes: readonly string[];
}

export const session = "/api/v1/session";

export function readCaller(value: unknown): Caller {
  const { name, scopes } = object(value);
  return { name: typeof name === "string" ? name : null, scopes: array(scopes).map(String) };
}

/** What the door is after the server said who asks; an answer that says nothing of it changes nothing. */
export function doorAfter(before: Door, answer: Answer<Caller>): Door {
  if (answer.kind === "found") {
    const { name, scopes } = answer.value;
    if (name === null) return { kind: "open" };
    if (scopes.includes("read") || scopes.includes("admin")) return { kind: "signed", name };
    return { kind: "closed", why: `The key ${name} has not the scope read, which this page needs.` };
  }
  if (answer.kind === "refused" && answer.status === 401) {
    if (before.kind === "signed") return { kind: "closed", why: "You were signed out: the session or its key has ended." };
    if (before.kind === "open") return { kind: "closed", why: "An API key was added: from now on this page needs one, too." };
    return before.kind === "closed" ? before : { kind: "closed", why: null };
  }
  return before.kind === "unknown" ? { kind: "open" } : before;
}

let door: Door = { kind: "unknown" };
const watching = new Set<(door: Door) => void>();
let knocking = false;

function show(next: Door) {
  door = next;
  for (const one of watching) one(door);
}

/** Asks who we are to the server, once at a time. */
export async function knock(): Promise<void> {
  if (knocking) return;
  knocking = true;
  const answer = await ask(session, readCaller);
  knocking = false;
  show(doorAfter(door, answer));
}

/** Exchanges a key for a cookie. Null when that was done; else why not. */
export async function signIn(key: string): Promise<No | null> {
  const answer = await ask(session, readCaller, fetch, { method: "POST", body: JSON.stringify({ key }) });
  if (answer.kind === "found") {
    show(doorAfter(door, answer));
    return null;
  }
  // The last key was revoked meanwhile: nobody has to sign in.
  if (answer.kind === "refused" && answer.status === 409) {
    await knock();
    return null;
  }
  return answer;
}

export async function signOut(): Promise<void> {
  await fetch(session, { method: "DELETE" }).catch(() => undefined);
  show({ kind: "closed", why: null });
  await knock();
}

/** The door as it is now. Whatever is refused for want of a key has it looked at again. */
export function useDoor(): Door {
  const [seen, setSeen] = useState(door);
  useEffect(() => {
    watching.add(setSeen);
    setSeen(door);
    return () => { watching.delete(setSeen); };
  }, []);
  return seen;
}

/** For commands that a page shows: this server, and whether it asks for a key. */
export function useTarget(): Target {
  return { origin: location.origin, keyed: useDoor().kind === "signed" };
}

refusals.listen((status) => {
  if (status === 401 && door.kind !== "closed") void knock();
});
