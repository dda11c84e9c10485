// A rule as it is being written: conditions side by side, of which all or any hold. What is deeper is written as JSON.

import { withinOf, type Rule, type Unit } from "./rule";

/** What of an event may be named in the form, one at a time. */
export const subjects = ["ad", "object", "reseller", "publisher"] as const;
export type Subject = (typeof subjects)[number];

export interface Condition {
  kind: "event" | "datum" | "segment";
  negated: boolean;
  action: string;
  subject: Subject | "";
  subjectName: string;
  times: string;
  within: string;
  unit: Unit;
  name: string;
  is: string;
  /** Instead of `is`. */
  between: boolean;
  atLeast: string;
  atMost: string;
  segment: string;
}

export interface Draft {
  join: "all" | "any";
  conditions: readonly Condition[];
}

export const fresh: Condition = {
  kind: "event", negated: false, action: "click", subject: "ad", subjectName: "", times: "1", within: "30", unit: "d",
  name: "", is: "", between: false, atLeast: "", atMost: "", segment: "",
};

/** Null: the form has not the fields for it. */
export function draftOf(rule: Rule): Draft | null {
  const join = rule.kind === "any" ? "any" : "all";
  const conditions = (rule.kind === "all" || rule.kind === "any" ? rule.parts : [rule]).map(conditionOf);
  return conditions.every((one) => one !== null) ? { join, conditions } : null;
}

function conditionOf(rule: Rule): Condition | null {
  switch (rule.kind) {
    case "not": {
      const one = conditionOf(rule.part);
      return one === null || one.negated ? null : { ...one, negated: true };
    }
    case "segment": return { ...fresh, kind: "segment", segment: rule.name };
    case "datum": {
      const { name, is, atLeast, atMost } = rule.datum;
      return {
        ...fresh, kind: "datum", name, between: is === undefined, is: is === undefined ? "" : typedValue(is),
        atLeast: atLeast === null ? "" : String(atLeast), atMost: atMost === null ? "" : String(atMost),
      };
    }
    case "event": {
      const { event } = rule;
      const named = subjects.filter((one) => event[one] !== null);
      const within = withinOf(event.within);
      if (named.length > 1 || within === null) return null;
      const [subject = ""] = named;
      return {
        ...fresh, action: event.action, subject, subjectName: subject === "" ? "" : event[subject] ?? "",
        times: String(event.times), within: String(within.count), unit: within.unit,
      };
    }
    default: return null;
  }
}

/** As the server takes it. Whether it is a rule the server says: numbers that are none go there as they were typed. */
export function jsonOf({ join, conditions }: Draft): unknown {
  const parts = conditions.map((one) => (one.negated ? { not: termOf(one) } : termOf(one)));
  return parts.length === 1 ? parts[0] : { [join]: parts };
}

function termOf(one: Condition): unknown {
  if (one.kind === "segment") return { segment: one.segment };
  if (one.kind === "datum") {
    if (!one.between) return { datum: { name: one.name, is: valueOf(one.is) } };
    return { datum: {
      name: one.name, ...(one.atLeast.trim() !== "" && { at_least: numberOr(one.atLeast) }), ...(one.atMost.trim() !== "" && { at_most: numberOr(one.atMost) }),
    } };
  }
  return { event: {
    action: one.action, ...(one.subject !== "" && { [one.subject]: one.subjectName }), times: numberOr(one.times), within: `${one.within.trim()}${one.unit}`,
  } };
}

/** A whole number, true and false are these; all else, and what stands in quotes, is text. */
export function valueOf(typed: string): string | number | boolean {
  const text = typed.trim();
  if (text === "true" || text === "false") return text === "true";
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return /^".*"$/.test(text) ? text.slice(1, -1) : text;
}

function typedValue(is: string | number | boolean): string {
  return typeof is === "string" && valueOf(is) !== is ? `"${is}"` : String(is);
}

function numberOr(typed: string): number | string {
  const text = typed.trim();
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The condition and its part that the server found fault with, by the field that it names: "rule.all[1].not.event.within". */
export function faultAt({ join, conditions }: Draft, field: string): { at: number; part: string } | null {
  for (const [at, one] of conditions.entries()) {
    const path = `rule${conditions.length === 1 ? "" : `.${join}[${at}]`}${one.negated ? ".not" : ""}.${one.kind}`;
    if (field === path) return { at, part: one.kind };
    if (field.startsWith(`${path}.`)) return { at, part: field.slice(path.length + 1) };
  }
  return null;
}
