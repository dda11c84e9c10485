// What the address of the page "Erasures" asks for, and where the server answers it.

import { withQuestion } from "../views_address";

export const listedMost = 50;

/** The receipt that the address names. */
export function receiptOf(search: string): string | null {
  const text = new URLSearchParams(search).get("receipt");
  return text !== null && /^[0-9a-f]{48}$/.test(text) ? text : null;
}

export function cursorOf(search: string): string | null {
  return new URLSearchParams(search).get("after") || null;
}

export function receiptAddress(receipt: string): string {
  return `/api/v1/erasures/${receipt}`;
}

export function listAddress(cursor: string | null): string {
  return withQuestion("/api/v1/erasures", new URLSearchParams({ limit: String(listedMost), ...(cursor !== null && { cursor }) }));
}
