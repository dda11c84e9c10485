// What the address of the page "Audit" asks for, and where the server answers it.

import { withQuestion } from "../views_address";

export const headAddress = "/api/v1/audit/head";
/** Entries of one page. */
export const shownMost = 50;

/** The entry that the address names. Null: none, or what is no number. */
export function entryOf(search: string): number | null {
  return numberOf(new URLSearchParams(search).get("entry"));
}

/** The number above all that are shown; null: the newest are. */
export function beforeOf(search: string): number | null {
  return numberOf(new URLSearchParams(search).get("before"));
}

/** "17": a number of an entry. Null: it is none. */
export function numberOf(text: string | null): number | null {
  const number = text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/** The entries below `end`, as many as a page has; null: there are none. */
export function pageAddress(end: number): string | null {
  if (end <= 0) return null;
  const first = Math.max(0, end - shownMost);
  return listAddress(first, end - first, true);
}

export function entryAddress(entry: number): string {
  return listAddress(entry, 1, true);
}

/** The line of an entry as it is hashed: without what was said of persons, which is no part of it. */
export function lineAddress(entry: number): string {
  return listAddress(entry, 1, false);
}

export function proofAddress(entry: number, size: number): string {
  return withQuestion("/api/v1/audit/inclusion", new URLSearchParams({ entry: String(entry), size: String(size) }));
}

function listAddress(first: number, limit: number, opened: boolean): string {
  const asked = new URLSearchParams({ limit: String(limit) });
  if (first > 0) asked.set("after", String(first - 1));
  if (opened) asked.set("opened", "true");
  return withQuestion("/api/v1/audit", asked);
}
