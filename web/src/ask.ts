// Asking the server: one way to do it, with the server's own words where it says no.

import { useEffect, useRef, useState } from "preact/hooks";
import { object } from "./messages";

/**
 * `refused`: the server said no, and why; `field`: what of it was wrong; `currencies`: it would answer for each of these.
 * `failed`: there was no answer to speak of.
 */
export type No =
  | { kind: "refused"; status: number; title: string; detail: string; field?: string; currencies?: readonly string[] }
  | { kind: "failed"; detail: string };

/** Whether the one who asks may not know, whatever the answer is. */
export function isForbidden(no: No | null): boolean {
  return no?.kind === "refused" && no.status === 403;
}

export type Answer<T> = { kind: "found"; value: T } | No;

/** Makes a page's value of an answer's JSON; what the headers say besides is in the answer. */
export type Reader<T> = (data: unknown, answer: Response) => T;

/** Told of the status of every answer that is a refusal, whoever asked. */
export const refusals = {
  heard: (_status: number) => {},
  listen(heard: (status: number) => void) { this.heard = heard; },
};

/** Milliseconds for an answer: a connection that died without a word gives none, and a browser has six. */
const answerWithin = 20_000;

export async function ask<T>(
  address: string, read: Reader<T>, by: typeof fetch = fetch, more: RequestInit = {},
): Promise<Answer<T>> {
  let response: Response;
  const signal = AbortSignal.timeout(answerWithin);
  try {
    response = await by(address, { headers: { Accept: "application/json" }, cache: "no-store", signal, ...more });
  } catch {
    return { kind: "failed", detail: "The server cannot be reached just now. Try again in a moment." };
  }
  try {
    const data: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return { kind: "found", value: read(data, response) };
    refusals.heard(response.status);
    const { title, detail, field, currencies } = object(data);
    return {
      kind: "refused", status: response.status, title: text(title), detail: text(detail),
      ...(typeof field === "string" && { field }),
      ...(Array.isArray(currencies) && { currencies: currencies.map(String) }),
    };
  } catch {
    return { kind: "failed", detail: `The server answered ${response.status} with something that cannot be read.` };
  }
}

/** The newest answer to what a part of a page asks, and to which question: it may be the one before. */
export interface Asked<T> {
  address: string | null;
  value: T | null;
  no: No | null;
}

/**
 * Asks for `address`, at once when it is another one, and again when `news` changes, with `pause` milliseconds between two
 * askings at least. An answer stands until the next one: figures do not flicker. Null asks nothing.
 */
export function useAsked<T>(
  address: string | null, read: Reader<T>, news: unknown = null, pause = 3000,
): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ address: null, value: null, no: null });
  // Answers may overtake each other: an older one never replaces a newer one, nor one to another question.
  const state = useRef({ wanted: address, askedAt: 0, turn: 0, shown: 0 });

  useEffect(() => {
    const now = state.current;
    const wait = now.wanted === address ? Math.max(0, now.askedAt + pause - performance.now()) : 0;
    now.wanted = address;
    if (address === null) return;
    const go = async () => {
      const turn = ++now.turn;
      now.askedAt = performance.now();
      const answer = await ask(address, read);
      if (now.wanted !== address || turn < now.shown) return;
      now.shown = turn;
      setAsked((before) => {
        if (answer.kind === "found") return { address, value: answer.value, no: null };
        return { address, value: before.address === address ? before.value : null, no: answer };
      });
    };
    const timer = setTimeout(go, now.turn === 0 ? 0 : wait);
    return () => clearTimeout(timer);
  }, [address, news]);
  return asked;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
