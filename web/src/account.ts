// How an account is read: what its whole and its parts are called and how each looks. Chart, legend, table, sum line and
// file all follow it, so they name the same things in the same order.

import { sumOf, type Parts, type Row, type Total } from "./history";
import { whole } from "./format";

/** Teal is counted, brick is refused, gold a rate; the rest is plain. Several reasons are shades of brick, `refused-1` the palest. */
export type Tone = "counted" | "plain" | "unsure" | "rate" | "refused-1" | "refused-2" | "refused-3" | "refused-4";

export interface Part<P extends string = string> {
  key: P;
  label: string;
  tone: Tone;
  /** Its name in a file. */
  column: string;
  /** For a word that does not explain itself. */
  meaning?: string;
  /** Spoken of only where there is any. */
  rare?: boolean;
}

export interface Account<P extends string = string> {
  /** What is counted: "tokens". */
  noun: string;
  /** What the sum of the parts is called: "put"; and what one of it is, if that is another word. */
  all: string;
  one?: string;
  /** As they are stacked, from the ground up. */
  parts: readonly Part<P>[];
}

export type TokenPart = "fresh" | "already" | "unsure";

export const tokenAccount: Account<TokenPart> = {
  noun: "tokens",
  all: "put",
  parts: [
    { key: "fresh", label: "new", tone: "counted", column: "new" },
    { key: "already", label: "already counted", tone: "plain", column: "already_counted" },
    {
      key: "unsure", label: "above a limit", tone: "unsure", column: "above_limit", rare: true,
      meaning: "tokens of objects above their counter's limit; they are stored, but whether they are new is not looked up",
    },
  ],
};

export type EventPart = "counted" | "refused";

export const eventAccount: Account<EventPart> = {
  noun: "events",
  all: "events",
  one: "event",
  parts: [
    { key: "counted", label: "counted", tone: "counted", column: "counted" },
    { key: "refused", label: "refused", tone: "refused-1", column: "refused" },
  ],
};

export function zeroOf<P extends string>(account: Account<P>): Parts<P> {
  return Object.fromEntries(account.parts.map((part) => [part.key, 0])) as Record<P, number>;
}

/** The parts to speak of: all but the rare ones of which there is none. */
export function partsShown<P extends string>(account: Account<P>, sum: Total<P>): readonly Part<P>[] {
  return account.parts.filter((part) => part.rare !== true || sum.parts[part.key] > 0);
}

/** What so many of the whole are called: "1 event". */
export function allText(account: Account, all: number): string {
  return all === 1 ? account.one ?? account.all : account.all;
}

/** The line of the account in plain text: 15 put = 14 new + 1 already counted. */
export function sumText<P extends string>(account: Account<P>, sum: Total<P>): string {
  const parts = partsShown(account, sum).map((part) => `${whole(sum.parts[part.key])} ${part.label}`);
  return `${whole(sum.all)} ${allText(account, sum.all)} = ${parts.join(" + ")}`;
}

/** A row like another, with some parts merged or renamed. */
export function rowOf<P extends string>(from: number, seconds: number, parts: Parts<P>): Row<P> {
  return { from, seconds, all: sumOf(parts), parts };
}
