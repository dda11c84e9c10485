// What the address of the page "Views & rules" asks for, and where the server answers it.

import { addressOf } from "./counters";
import type { No } from "./ask";
import { dayQuery, dayRangeOf, type DayRange } from "./day_range";
import type { LiveSeconds } from "./live";

/** Null: all objects. */
export function objectOf(search: string): string | null {
  return new URLSearchParams(search).get("object") || null;
}

export function rangeNow(search: string): DayRange {
  return dayRangeOf(search, Date.now() / 1000);
}

/** Where the report is asked for, or why a browser cannot ask. */
export function reportAddress(object: string | null, range: DayRange): string | No {
  const path = object === null ? "/api/v1/views" : addressOf("/api/v1/views/", object);
  return typeof path === "string" ? withQuestion(path, dayQuery(range)) : path;
}

/** Whether people are asked for by profile, too. */
export function isByProfile(search: string): boolean {
  return new URLSearchParams(search).get("by") === "profile";
}

/** Where they are; null: a browser cannot ask, or nobody does of all objects. */
export function profilesAddress(object: string | null, range: DayRange): string | null {
  const path = object === null ? null : addressOf("/api/v1/views/", object);
  if (typeof path !== "string") return null;
  const query = dayQuery(range);
  query.delete("group_by");
  query.set("by", "profile");
  return withQuestion(path, query);
}

export function eventsAddress(object: string | null): string {
  const query = new URLSearchParams();
  if (object !== null) query.set("object", object);
  query.set("limit", "50");
  return withQuestion("/api/v1/events", query);
}

/** The stream of an object tells of its whole life; of another range it says when to ask again. */
export function streamAddress(search: string): string {
  const object = objectOf(search);
  return withQuestion("/api/v1/live/views", new URLSearchParams(object === null ? [] : [["object", object]]));
}

/** Seconds after the last event. The server's lists follow within ten seconds or a minute, and an answer may be ten seconds old. */
const listsFollow = [12, 24, 48, 96];

/**
 * Changes when what was asked of all objects may have changed: with each second in which something happened, a few times more
 * while the lists that the server makes from time to time follow, and when the stream comes back.
 */
export function newsOf({ link, history: { seconds, end } }: Pick<LiveSeconds, "link" | "history">): string {
  const last = seconds.at(-1)?.time ?? 0;
  const quiet = end === null ? 0 : end - last;
  return `${link} ${last} ${listsFollow.filter((seconds) => quiet > seconds).length}`;
}

/** A space is written as %20: the server takes a plus for a plus. */
export function withQuestion(path: string, query: URLSearchParams): string {
  const text = query.toString().replaceAll("+", "%20");
  return text === "" ? path : `${path}?${text}`;
}
