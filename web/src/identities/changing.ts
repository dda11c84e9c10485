// What the page changes: ids or facts are detached from a profile, shared ids lifted, decisions made and revoked.

import { ask, type Answer } from "../ask";
import { withQuestion } from "../views_address";
import { profilePath, written, type Id } from "./address";
import { readDecision, readDetached, type Detached } from "./answers";

/** What is taken out of a profile: ids, which then are in none with the rest, or facts, which then do not hold. */
export type Part = { ids: readonly Id[] } | { facts: readonly string[] };

/** `dry`: nothing is recorded; the answer says what would follow. */
export function detach(sid: string, part: Part, reason: string, dry: boolean, by: typeof fetch = fetch): Promise<Answer<Detached>> {
  const said = "ids" in part ? { ids: part.ids.map(written) } : part;
  return ask(`${profilePath(sid)}/detach${dry ? "?dry_run=true" : ""}`, readDetached, by, sent({ ...said, reason }));
}

/** Lets a shared id unite again. `dry`: nothing is recorded; the answer says what would follow. */
export function lift(id: Id, reason: string, dry: boolean, by: typeof fetch = fetch): Promise<Answer<Detached>> {
  return ask(`/api/v1/identities/decisions${dry ? "?dry_run=true" : ""}`, readDetached, by, sent({ kind: "lift", id: written(id), reason }));
}

export type Verdict = "accept" | "reject" | "revoke";

/** Lets a contested link hold, or no link; or takes a parting, an accept, a reject or a lift back. */
export function decide(verdict: Verdict, fact: string, reason: string, by: typeof fetch = fetch): Promise<Answer<string>> {
  const path = "/api/v1/identities/decisions";
  if (verdict !== "revoke") return ask(path, readDecision, by, sent({ kind: verdict, fact, reason }));
  return ask(withQuestion(`${path}/${fact}`, new URLSearchParams({ reason })), readDecision, by, { method: "DELETE" });
}

function sent(body: unknown): RequestInit {
  return { method: "POST", headers: { Accept: "application/json", "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
