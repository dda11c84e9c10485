// What the server says of people and of what they read.

import { array, instant, number, object, string } from "../messages";

/** An article that friends read. */
export interface FriendsArticle {
  url: string;
  /** Some of them, by name. */
  readers: readonly string[];
  /** All of them. */
  count: number;
  /** Unix second of the latest read; the server knows quarter-hours. */
  latest: number;
}

export interface Activity {
  articles: readonly FriendsArticle[];
  /** There are further ones. */
  more: boolean;
}

export function readActivity(value: unknown): Activity {
  const data = object(value);
  return {
    articles: array(data.urls).map((one) => {
      const article = object(one);
      return {
        url: string(article.url), readers: array(article.readers).map(string), count: number(article.count),
        latest: instant(article.latest),
      };
    }),
    more: data.more === true,
  };
}

export interface Popular {
  articles: readonly { url: string; readers: number }[];
  /** Fewer readers than this list no article. */
  floor: number;
  complete: boolean;
  provisional: boolean;
}

export function readPopular(value: unknown): Popular {
  const data = object(value);
  return {
    articles: array(data.urls).map((one) => {
      const { url, readers } = object(one);
      return { url: string(url), readers: number(readers) };
    }),
    floor: number(data.floor),
    complete: data.complete !== false,
    provisional: data.provisional === true,
  };
}

export interface TrendingArticle {
  url: string;
  score: number;
  /** Reads that fade within hours, and those that one would expect of them. */
  fast: number;
  expected: number;
  readers: number;
}

export interface Trending {
  articles: readonly TrendingArticle[];
  formula: string;
}

export function readTrending(value: unknown): Trending {
  const data = object(value);
  return {
    articles: array(data.urls).map((one) => {
      const article = object(one);
      return {
        url: string(article.url), score: number(article.score), fast: number(article.fast),
        expected: number(article.expected), readers: number(article.readers),
      };
    }),
    formula: string(object(data.formula).text),
  };
}

export type Reading = "shared" | "private" | "off";

export interface Person {
  actor: string;
  reading: Reading;
  /** Unix second at which a pause ends; null: by nobody's word but theirs. */
  until: number | null;
  /** Null: all. */
  sites: readonly string[] | null;
  to: "anyone" | "friends";
  since: number | null;
}

export function readPerson(value: unknown): Person {
  const { actor, reading, until, sites, to, since } = object(value);
  return {
    actor: string(actor),
    reading: reading === "shared" || reading === "private" ? reading : "off",
    until: instantOrNull(until),
    sites: sites === null || sites === undefined ? null : array(sites).map(string),
    to: to === "friends" ? "friends" : "anyone",
    since: instantOrNull(since),
  };
}

/** How many friends somebody lists. */
export function readFriends(value: unknown): number {
  return number(object(value).count);
}

/** What others may see of a person. */
export interface OwnRead {
  url: string;
  /** The quarter-hour of the latest read, and when nobody sees it any more. */
  time: number;
  until: number;
}

export interface OwnReads {
  reads: readonly OwnRead[];
  more: boolean;
}

export function readReads(value: unknown): OwnReads {
  const data = object(value);
  return {
    reads: array(data.reads).map((one) => {
      const { url, time, until } = object(one);
      return { url: string(url), time: instant(time), until: instant(until) };
    }),
    more: typeof data.next === "string",
  };
}

export function readTakenBack(value: unknown): number {
  return number(object(value).taken_back);
}

function instantOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : instant(value);
}
