// What the address of the page "Clicks & income" asks for, and where the server answers it.

import type { No } from "../ask";
import { addressOf, segment } from "../counters";
import { dayName, daysQuery, type DayRange } from "../day_range";
import { dayStart } from "../days";
import type { Changes } from "../page";
import { ranges, type Range } from "../range";
import { day } from "../scale";
import { withQuestion } from "../views_address";
import type { AskedGroup, Group } from "./income";

export const kinds = ["reseller", "publisher", "ad"] as const;
export type Kind = (typeof kinds)[number];

/** Whose clicks and income. */
export interface Party {
  kind: Kind;
  name: string;
}

/** Null: all together. */
export function partyOf(search: string): Party | null {
  const query = new URLSearchParams(search);
  for (const kind of kinds) {
    const name = query.get(kind);
    if (name) return { kind, name };
  }
  return null;
}

/** Leads to a party and away from any other. */
export function toParty(party: Party | null): Changes {
  const none: Changes = { reseller: null, publisher: null, ad: null, by: null };
  return party === null ? none : { ...none, [party.kind]: party.name };
}

/** How a party's rows may be grouped. */
export function groupsOf(kind: Kind): readonly Group[] {
  return ["day", "week", "month", "hour", "ad", kind === "publisher" ? "reseller" : "publisher"];
}

/** Null: none was chosen, so they are days, or as many of them together as there are too many. */
export function groupOf(search: string, kind: Kind): Group | null {
  const by = new URLSearchParams(search).get("by");
  return groupsOf(kind).find((group) => group === by) ?? null;
}

export function currencyOf(search: string): string | null {
  return new URLSearchParams(search).get("currency") || null;
}

/** How far back the live chart reaches: the hour that the server remembers, unless the address says less. */
export function stretchOf(search: string): Range {
  const key = new URLSearchParams(search).get("range");
  return ranges.find((range) => range.key === key) ?? ranges[ranges.length - 1] ?? ranges[0];
}

/** Live clicks are told of all, of an ad, or of a reseller. */
export function liveAddress(search: string): string {
  const party = partyOf(search);
  const asked = party === null || party.kind === "publisher" ? {} : { [party.kind]: party.name };
  return withQuestion("/api/v1/live/clicks", new URLSearchParams(asked));
}

/** Where all that is known of a party begins, or why a browser cannot ask for it. */
export function partyPath({ kind, name }: Party): string | No {
  return addressOf(`/api/v1/${kind}s/`, name);
}

export function incomeAddress(path: string, range: DayRange, group: AskedGroup): string {
  const query = daysQuery(range);
  if (range.tz !== "UTC") query.set("tz", range.tz);
  if (group !== "day") query.set("group_by", group);
  return withQuestion(`${path}/income`, query);
}

export function clicksAddress(path: string, range: DayRange): string {
  const query = daysQuery(range);
  if (range.tz !== "UTC") query.set("tz", range.tz);
  return withQuestion(`${path}/clicks`, query);
}

/** Days of the ledger's own zone. */
export function splitAddress(range: DayRange): string {
  return withQuestion("/api/v1/ledger/split", daysQuery(range));
}

export function inCurrency(address: string, currency: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}currency=${encodeURIComponent(currency)}`;
}

/** The largest in a currency, null: the ledger's own; or, by name, those whose name begins so. */
export function partiesAddress(kind: "reseller" | "publisher", prefix: string, currency: string | null, limit: number): string {
  const query = new URLSearchParams(prefix === "" ? { sort: "amount" } : { prefix });
  if (prefix === "" && currency !== null) query.set("currency", currency);
  query.set("limit", String(limit));
  return withQuestion(`/api/v1/${kind}s`, query);
}

/** A rate from a day on; `only`: say what it would move, and leave all as it is. */
export function rateAddress(path: string, onDay: string, only: boolean, withdrawn: string | null): string {
  const query = new URLSearchParams();
  if (withdrawn !== null) query.set("reason", withdrawn);
  if (only) query.set("dry_run", "1");
  return withQuestion(`${path}/rates/${segment(onDay)}`, query);
}

/** What the server writes to be printed. */
export function statementAddress(path: string, month: string, currency: string | null): string {
  const address = `${path}/statements/${segment(month)}`;
  return currency === null ? address : inCurrency(address, currency);
}

/** Whole weeks, so that every hour of the week is there as often as any other; the server answers hours of 31 days. */
const heatDays = 28;

/** The days whose hours are shown as a week: the range, or the last of it. */
export function weekRange(range: DayRange, today: string): DayRange {
  const to = range.to ?? today;
  const least = dayName(dayStart(to) - (heatDays - 1) * day);
  return { ...range, from: range.from !== null && range.from > least ? range.from : least, to };
}
