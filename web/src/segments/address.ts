// What the address of the page "Segments" asks for, and where the server answers it.

import { withQuestion } from "../views_address";

/** So many are listed, and so many are shown beside each other: their numbers have to be read. */
export const listedMost = 100;
export const comparedMost = 16;
/** Of as many the server counts who is in exactly which. */
export const combinedMost = 8;
/** As many are compared until somebody chooses. */
export const comparedFirst = 8;

export const overlapPath = "/api/v1/segments/overlap";

/** How the names begin that are listed; "": any. */
export function prefixOf(search: string): string {
  return new URLSearchParams(search).get("prefix") ?? "";
}

/** The segment whose rule is shown; "": none. */
export function ruledOf(search: string): string {
  return new URLSearchParams(search).get("rule") ?? "";
}

/** Segments that somebody chose to compare. Null: nobody chose; a list without a name: none. */
export function comparedOf(search: string): readonly string[] | null {
  const text = new URLSearchParams(search).get("compare");
  if (text === null) return null;
  const names = text.split(",").filter((part) => part !== "").map(unescaped);
  return [...new Set(names)].slice(0, comparedMost);
}

/** The same as the address has it: names, with a comma and a % of their own escaped. */
export function comparedText(names: readonly string[]): string {
  return names.map((name) => name.replaceAll("%", "%25").replaceAll(",", "%2C")).join(",");
}

export function listAddress(prefix: string): string {
  const asked = new URLSearchParams({ limit: String(listedMost) });
  if (prefix !== "") asked.set("prefix", prefix);
  return withQuestion("/api/v1/segments", asked);
}

function unescaped(part: string): string {
  return part.replaceAll("%2C", ",").replaceAll("%25", "%");
}
