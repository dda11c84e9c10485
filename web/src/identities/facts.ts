// What facts do to a profile: which of them hold, why others do not, and what can be done about each.

import { idText, type Id } from "./address";
import type { DatumValue, Fact, Guard, Wins } from "./answers";

/**
 * `over`: it does not hold any more, since somebody took it back or nobody said it again. `decision`: an accept, reject or revoke, which is about another fact, or a lift. `datum`: it tells something of
 * an id, and neither unites ids nor keeps them apart.
 */
export type Effect = "holds" | "contested" | "parting" | "decision" | "datum" | "over";

export function effectOf({ kind, contested, revoked, ended }: Fact): Effect {
  if (revoked || ended) return "over";
  if (kind === "link") return contested === null ? "holds" : "contested";
  return kind === "parting" || kind === "datum" ? kind : "decision";
}

export const effects: readonly { key: Effect; one: string; many: string }[] = [
  { key: "holds", one: "link holds", many: "links hold" },
  { key: "contested", one: "contested", many: "contested" },
  { key: "parting", one: "parting", many: "partings" },
  { key: "decision", one: "decision", many: "decisions" },
  { key: "datum", one: "datum", many: "data" },
  { key: "over", one: "undone or ended", many: "undone or ended" },
];

/** How many facts have which effect. Together they are all facts. */
export function countEffects(facts: readonly Fact[]): Record<Effect, number> {
  const counts = { holds: 0, contested: 0, parting: 0, decision: 0, datum: 0, over: 0 };
  for (const fact of facts) counts[effectOf(fact)]++;
  return counts;
}

/** Why a link does not unite all of its ids. */
export const guardTexts: Record<Guard, string> = {
  per_profile: "more ids of one network would be in a profile than may be",
  profile_ids: "more ids would be in a profile than may be",
  shared: "it names a shared id, which unites nobody",
  parting: "its ids were parted",
};

/** What one asks for who wants to see links to which one guard objects. */
export const guardNames: Record<Guard, string> = {
  per_profile: "too many ids of one network", profile_ids: "too many ids", shared: "a shared id", parting: "a parting",
};

/** `undo`: the link is detached. The others are decisions. */
export type Act = "undo" | "accept" | "reject" | "revoke";

/** Whether an accept goes over what objects. */
export function goesOver(guard: Guard | null): boolean {
  return guard === "per_profile" || guard === "profile_ids";
}

/** Accepting goes over guards, and neither over a parting nor over a shared id, which stands for nobody. */
export function actsOf(fact: Fact): readonly Act[] {
  switch (effectOf(fact)) {
    case "holds": return ["undo"];
    case "contested": return goesOver(fact.contested) ? ["accept", "reject"] : ["reject"];
    case "parting": return ["revoke"];
    case "decision": return fact.kind === "revoke" ? [] : ["revoke"];
    case "datum":
    case "over": return [];
  }
}

/** By what a value wins, as one says it of the value. */
export const ruleTexts: Record<Wins, string> = {
  latest: "the latest", first: "the first", longest: "the longest", sources: "of the best source", strictest: "the strictest",
};

/** A value as it was sent: a number is no amount, so nothing groups its digits. The largest have more digits than a browser keeps. */
export function valueText(value: DatumValue): string {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return String(value);
  return `about ${value.toPrecision(12)}`;
}

/** Ids of one network. */
export interface Network<T extends Id> {
  identifier: string;
  ids: readonly T[];
}

/** By network, those with an id that was said first before the others. */
export function byNetwork<T extends Id & { since: number | null }>(ids: readonly T[]): Network<T>[] {
  const networks = new Map<string, T[]>();
  for (const id of [...ids].sort((one, other) => (one.since ?? 0) - (other.since ?? 0))) {
    const known = networks.get(id.identifier);
    if (known === undefined) networks.set(id.identifier, [id]);
    else known.push(id);
  }
  return [...networks].map(([identifier, list]) => ({ identifier, ids: list }));
}

/** Whether a detach would leave these ids together as they are. */
export function leavesTogether(ids: readonly Id[], profiles: readonly { ids: readonly Id[] }[]): boolean {
  const wanted = new Set(ids.map(idText));
  return profiles.some((profile) => {
    const found = new Set(profile.ids.map(idText));
    return [...wanted].every((id) => found.has(id));
  });
}
