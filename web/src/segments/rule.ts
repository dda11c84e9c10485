// By what a segment fills itself: as the server says it, and in words.

import { ask, type Answer } from "../ask";
import { segment as pathPart } from "../counters";
import { array, instant, number, object, string, stringOrNull } from "../messages";

export interface EventTerm {
  action: string;
  object: string | null;
  ad: string | null;
  reseller: string | null;
  publisher: string | null;
  times: number;
  /** "30d" or "90s". */
  within: string;
}

export interface DatumTerm {
  name: string;
  /** What it is; undefined: bounds are given. */
  is?: string | number | boolean;
  atLeast: number | null;
  atMost: number | null;
}

export type Rule =
  | { kind: "event"; event: EventTerm }
  | { kind: "datum"; datum: DatumTerm }
  | { kind: "segment"; name: string }
  | { kind: "all" | "any"; parts: readonly Rule[] }
  | { kind: "not"; part: Rule };

/** A segment as it is now, with its rule if it has one. */
export interface Ruled {
  people: number;
  exact: boolean;
  error: number;
  rule: { is: Rule; json: unknown; author: string; since: number; inForce: boolean } | null;
}

export function ruleAddress(name: string): string {
  return `/api/v1/segments/${pathPart(name)}`;
}

export function readRuled(value: unknown): Ruled {
  const { people, exact, error, rule, rule_author: author, rule_since: since, rule_in_force: inForce } = object(value);
  return {
    people: number(people), exact: exact === true, error: number(error),
    rule: rule === undefined || rule === null ? null
      : { is: readRule(rule), json: rule, author: string(author), since: instant(since), inForce: inForce === true },
  };
}

export function readRule(value: unknown): Rule {
  const [[kind, part] = ["", null]] = Object.entries(object(value));
  switch (kind) {
    case "event": {
      const { action, object: what, ad, reseller, publisher, times, within } = object(part);
      return { kind, event: {
        action: string(action), object: stringOrNull(what), ad: stringOrNull(ad), reseller: stringOrNull(reseller),
        publisher: stringOrNull(publisher), times: times === undefined ? 1 : number(times), within: string(within),
      } };
    }
    case "datum": {
      const { name, is, at_least: atLeast, at_most: atMost } = object(part);
      const known = typeof is === "string" || typeof is === "number" || typeof is === "boolean" ? { is } : {};
      return { kind, datum: { name: string(name), ...known, atLeast: bound(atLeast), atMost: bound(atMost) } };
    }
    case "segment": return { kind, name: string(part) };
    case "all": case "any": return { kind, parts: array(part).map(readRule) };
    case "not": return { kind, part: readRule(part) };
    default: throw new TypeError("a rule was expected");
  }
}

/** Null takes the rule away. */
export function writeRule(name: string, rule: unknown, by: typeof fetch = fetch): Promise<Answer<null>> {
  return ask(ruleAddress(name), () => null, by, {
    method: "PUT", headers: { Accept: "application/json", "Content-Type": "application/json" }, body: JSON.stringify({ rule }),
  });
}

/** A sentence, or one that a list of further ones follows. */
export interface Words {
  text: string;
  parts: readonly Words[];
}

/** Whom it holds for, behind "People": "who clicked ad “spring” at least twice within 30 days". */
export function wordsOf(rule: Rule): Words {
  switch (rule.kind) {
    case "event": return leaf(eventWords(rule.event));
    case "datum": return leaf(datumWords(rule.datum));
    case "segment": return leaf(`who are in “${rule.name}”`);
    case "all": return { text: "of whom all of this holds:", parts: rule.parts.map(wordsOf) };
    case "any": return { text: "of whom any of this holds:", parts: rule.parts.map(wordsOf) };
    case "not": {
      const { text, parts } = wordsOf(rule.part);
      return { text: `not those ${text}`, parts };
    }
  }
}

const verbs: Readonly<Record<string, string>> = { click: "who clicked", view: "who viewed", like: "who liked", share: "who shared", sale: "who bought" };

function eventWords({ action, object: what, ad, reseller, publisher, times, within }: EventTerm): string {
  return [
    verbs[action] ?? `who did “${action}”`,
    what !== null && (action in verbs ? `“${what}”` : `on “${what}”`),
    ad !== null && (action === "click" ? `ad “${ad}”` : `by ad “${ad}”`),
    reseller !== null && `through reseller “${reseller}”`,
    publisher !== null && `at publisher “${publisher}”`,
    times === 2 ? "at least twice" : times > 2 && `at least ${times} times`,
    `within ${withinText(within)}`,
  ].filter((part) => part !== false).join(" ");
}

function datumWords({ name, is, atLeast, atMost }: DatumTerm): string {
  if (is !== undefined) return `whose “${name}” is ${typeof is === "string" ? `“${is}”` : String(is)}`;
  const bounds = [atLeast !== null && `at least ${atLeast}`, atMost !== null && `at most ${atMost}`].filter((one) => one !== false);
  return `whose “${name}” is ${bounds.join(" and ")}`;
}

const units = { d: "day", h: "hour", m: "minute", s: "second" } as const;
export type Unit = keyof typeof units;
const seconds: Readonly<Record<Unit, number>> = { d: 86_400, h: 3600, m: 60, s: 1 };

/** In the largest unit that it is whole in: 7200s are 2 hours. Null: it is none. */
export function withinOf(within: string): { count: number; unit: Unit } | null {
  const [, digits, letter] = /^(\d+)([dhms])$/.exec(within) ?? [];
  if (digits === undefined) return null;
  const all = Number(digits) * seconds[letter as Unit];
  const unit = (["d", "h", "m"] as const).find((one) => all % seconds[one] === 0) ?? "s";
  return { count: all / seconds[unit], unit };
}

function withinText(within: string): string {
  const known = withinOf(within);
  if (known === null) return within;
  return known.count === 1 ? `a${known.unit === "h" ? "n" : ""} ${units[known.unit]}` : `${known.count} ${units[known.unit]}s`;
}

function leaf(text: string): Words {
  return { text, parts: [] };
}

function bound(value: unknown): number | null {
  return value === undefined ? null : number(value);
}
