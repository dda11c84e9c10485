// What the address of the page "Reading" asks for, and where the server answers it.

import type { No } from "../ask";
import { addressOf } from "../counters";
import { withQuestion } from "../views_address";

/** The person whose reading is shown. Null: nobody is chosen. */
export function actorOf(search: string): string | null {
  return new URLSearchParams(search).get("actor") || null;
}

export interface Window {
  /** As the server names it. */
  key: string;
  label: string;
  spoken: string;
}

export const windows: readonly [Window, ...Window[]] = [
  { key: "1h", label: "1 h", spoken: "the last hour" },
  { key: "6h", label: "6 h", spoken: "the last 6 hours" },
  { key: "24h", label: "24 h", spoken: "the last 24 hours" },
  { key: "7d", label: "7 d", spoken: "the last 7 days" },
  { key: "30d", label: "30 d", spoken: "the last 30 days" },
];

export function windowOf(search: string): Window {
  const key = new URLSearchParams(search).get("window");
  return windows.find((window) => window.key === key) ?? windows[2] ?? windows[0];
}

/** Among whom popular articles are counted: all who share, unless the address says friends and whose. */
export type Circle = "all" | "friends";

export function circleOf(search: string): Circle {
  return actorOf(search) !== null && new URLSearchParams(search).get("scope") === "friends" ? "friends" : "all";
}

/** Where all that is known of a person begins, or why a browser cannot ask for it. */
export function personPath(actor: string): string | No {
  return addressOf("/api/v1/people/", actor);
}

export function activityAddress(actor: string, limit: number): string {
  return withQuestion("/api/v1/reading/activity", new URLSearchParams({ actor, limit: String(limit) }));
}

export function popularAddress(search: string, limit: number): string {
  const circle = circleOf(search);
  const query = new URLSearchParams({ scope: circle });
  if (circle === "friends") query.set("actor", actorOf(search) ?? "");
  query.set("window", windowOf(search).key);
  query.set("limit", String(limit));
  return withQuestion("/api/v1/reading/popular", query);
}

/** Whether anything is popular at all. */
export const anyPopularAddress = "/api/v1/reading/popular?scope=all&window=30d&limit=1";

export function trendingAddress(limit: number): string {
  return withQuestion("/api/v1/reading/trending", new URLSearchParams({ limit: String(limit) }));
}

export function readsAddress(path: string, limit: number): string {
  return withQuestion(`${path}/reads`, new URLSearchParams({ limit: String(limit) }));
}

/** Which of a person's reads are taken back: those of an article, of a site, since an instant, or all. */
export type Part = { url: string } | { site: string } | { from: string } | { all: "true" };

export function takeBackAddress(path: string, part: Part): string {
  return withQuestion(`${path}/reads`, new URLSearchParams(part));
}
