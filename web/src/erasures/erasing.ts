// Erasing somebody: who is meant, what would go, and then for good.

import { ask, type Answer, type No } from "../ask";
import { addressOf } from "../counters";
import { idAddress, profilePath, wantedOf } from "../identities/address";
import { readFound } from "../identities/answers";
import { readErased, readTag, readTrial, type Trial } from "./answers";

export const kinds = ["profile", "actor"] as const;
export type Kind = (typeof kinds)[number];

/** Whom an erasure is of, as it was looked at. */
export interface Target {
  kind: Kind;
  /** Where it is erased. */
  path: string;
  /** Of a profile: its name, and the state that was looked at; erasing another one is refused. */
  sid: string | null;
  tag: string | null;
}

export interface Shown {
  target: Target;
  trial: Trial;
}

/** What would be erased. An id is that of its profile; nothing is recorded. */
export async function tryErasing(kind: Kind, text: string): Promise<Answer<Shown>> {
  const target = kind === "actor" ? actorOf(text) : await profileOf(text);
  if (target.kind !== "found") return target;
  const answer = await ask(`${target.value.path}?dry_run=true`, readTrial, fetch, removing(target.value));
  return answer.kind === "found" ? { kind: "found", value: { target: target.value, trial: answer.value } } : answer;
}

/** For good. The answer is the receipt's name. */
export function erase(target: Target): Promise<Answer<string>> {
  return ask(target.path, readErased, fetch, removing(target));
}

function actorOf(text: string): Answer<Target> {
  const path = addressOf("/api/v1/people/", text);
  return typeof path === "string" ? { kind: "found", value: { kind: "actor", path, sid: null, tag: null } } : path;
}

async function profileOf(text: string): Promise<Answer<Target>> {
  const wanted = wantedOf(text);
  if (wanted.kind === "unclear") return unclear;
  let sid = wanted.kind === "profile" ? wanted.sid : null;
  if (wanted.kind === "id") {
    const address = idAddress(wanted.id);
    if (typeof address !== "string") return address;
    const found = await ask(address, readFound);
    if (found.kind !== "found") return found;
    sid = found.value.sid;
  }
  if (sid === null) return unclear;
  const profile = await ask(profilePath(sid), readTag);
  if (profile.kind !== "found") return profile;
  return { kind: "found", value: { kind: "profile", path: profilePath(profile.value.sid), ...profile.value } };
}

const unclear: No = { kind: "failed", detail: "Write an id as network/id name/value, or the sid of a profile." };

function removing({ tag }: Target): RequestInit {
  return { method: "DELETE", headers: { Accept: "application/json", ...(tag !== null && tag !== "" && { "If-Match": tag }) } };
}
