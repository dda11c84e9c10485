// What the server says of views, of the events behind them and of the rules that judged those, read into the page's words.

import { array, instant, number, numberOrNull, object, string, stringOrNull } from "./messages";

/** `events` is `counted` and all refused. */
export interface Counts {
  events: number;
  counted: number;
  refused: Readonly<Record<string, number>>;
}

/** How many people, and how far that can be trusted: `error` is the relative standard error, 0 when exact. */
export interface People {
  /** Null of reads, whose readers are known to reading alone. */
  people: number | null;
  exact: boolean;
  error: number;
}

export interface DayReport extends Counts {
  /** 2026-11-21, in the report's zone. */
  day: string;
  /** Null where people are not kept by days of that zone. */
  people: number | null;
}

export interface HourReport extends Counts {
  /** Unix second. */
  begin: number;
  /** What the clock of the report's zone shows then: 2026-10-25, 02:00, and how far it is ahead of UTC, +02:00. */
  day: string;
  clock: string;
  offset: string;
}

export interface Report extends Counts, People {
  /** Null: of all objects together. */
  object: string | null;
  action: string;
  provisional: boolean;
  tz: string;
  peopleTz: string;
  /** Both null: the whole life. */
  from: string | null;
  to: string | null;
  days: readonly DayReport[];
  /** There are days before these; they are in the sums alone. */
  earlierDays: boolean;
  /** Every hour of the range; null where they were not asked for. */
  hours: readonly HourReport[] | null;
}

/** Who it was, where actors of one profile are one person: counted from the events that are kept. */
export interface ProfileReport {
  actors: number;
  people: number;
  provisional: boolean;
  /** Unix second: of events before it some are kept no more; null: all are. */
  since: number | null;
  /** The range begins before that. */
  partial: boolean;
  tz: string;
}

export type Evidence = readonly (readonly [name: string, value: string])[];

/** What a rule said against an event. */
export interface Objection {
  reason: string;
  rule: string;
  evidence: Evidence;
}

export interface Verdict {
  /** Null: it counts. */
  refusal: Objection | null;
  rulesVersion: string;
  /** A sentence. */
  why: string;
  /** Of rules that are only tried. */
  shadow: readonly Objection[];
}

export interface JudgedEvent {
  id: string;
  /** Where it stands in the log: no two events have the same. */
  position: string;
  /** Unix seconds, with a fraction. */
  time: number;
  arrival: number;
  action: string;
  object: string;
  actor: string | null;
  address: string | null;
  agent: string | null;
  referrer: string | null;
  door: string;
  verdict: Verdict;
}

export interface Rule {
  name: string;
  reason: string;
  mode: "on" | "off" | "shadow";
  /** A sentence. */
  describes: string;
}

export interface Rules {
  version: string;
  /** Unix second; null for the rules a server has from the start. */
  recorded: number | null;
  rules: readonly Rule[];
}

export interface Ranked extends People {
  object: string;
  views: number;
  refused: number;
}

export interface Ranking {
  objects: readonly Ranked[];
  /** False while the server has not yet gone through every stored object. */
  complete: boolean;
  /** Somebody who counts did not answer: the latest events may be missing. */
  provisional: boolean;
}

export function readReport(value: unknown): Report {
  const data = object(value);
  return {
    ...readCounts(data),
    ...readPeople(data),
    object: stringOrNull(data.object),
    action: string(data.action),
    provisional: data.provisional === true,
    tz: string(data.tz),
    peopleTz: string(data.people_tz),
    from: stringOrNull(data.from),
    to: stringOrNull(data.to),
    days: array(data.days).map((one) => {
      const day = object(one);
      return { ...readCounts(day), day: string(day.day), people: numberOrNull(day.people) };
    }),
    earlierDays: data.earlier_days === true,
    hours: data.hours === undefined ? null : array(data.hours).map(readHour),
  };
}

export function readProfiles(value: unknown): ProfileReport {
  const data = object(value);
  return {
    actors: number(data.actors),
    people: number(data.people),
    provisional: data.provisional === true,
    since: data.since === null ? null : instant(data.since),
    partial: data.partial === true,
    tz: string(data.tz),
  };
}

function readHour(value: unknown): HourReport {
  const hour = object(value);
  const text = string(hour.hour);
  return { ...readCounts(hour), begin: instant(text), day: text.slice(0, 10), clock: text.slice(11, 16), offset: text.slice(19) };
}

export function readEvents(value: unknown): JudgedEvent[] {
  return array(object(value).events).map(readEvent);
}

export function readEvent(value: unknown): JudgedEvent {
  const data = object(value);
  const verdict = object(data.verdict);
  return {
    id: string(data.id),
    position: string(data.position),
    time: instant(data.time),
    arrival: instant(data.arrival),
    action: string(data.action),
    object: string(data.object),
    actor: stringOrNull(data.actor),
    address: stringOrNull(data.address),
    agent: stringOrNull(data.agent),
    referrer: stringOrNull(data.referrer),
    door: string(data.door),
    verdict: {
      refusal: verdict.counted === true ? null : readObjection(verdict),
      rulesVersion: string(verdict.rules_version),
      why: string(verdict.why),
      shadow: array(verdict.shadow).map(readObjection),
    },
  };
}

export function readRules(value: unknown): Rules {
  const data = object(value);
  return {
    version: string(data.version),
    recorded: typeof data.recorded === "string" ? instant(data.recorded) : null,
    rules: array(data.rules).map((one) => {
      const rule = object(one);
      return {
        name: string(rule.name),
        reason: string(rule.reason),
        mode: rule.mode === "off" || rule.mode === "shadow" ? rule.mode : "on",
        describes: string(rule.describes),
      };
    }),
  };
}

export function readRanking(value: unknown): Ranking {
  const data = object(value);
  return {
    objects: array(data.objects).map((one) => {
      const ranked = object(one);
      return {
        ...readPeople(ranked), object: string(ranked.object), views: number(ranked.views), refused: number(ranked.refused),
      };
    }),
    complete: data.complete === true,
    provisional: data.provisional === true,
  };
}

/** What more people than usual come to. */
export interface Trends {
  objects: readonly { object: string; readers: number; score: number; fast: number; expected: number }[];
  formula: string;
  provisional: boolean;
}

export function readTrends(value: unknown): Trends {
  const data = object(value);
  return {
    objects: array(data.objects).map((one) => {
      const trending = object(one);
      return {
        object: string(trending.object), readers: number(trending.readers), score: number(trending.score),
        fast: number(trending.fast), expected: number(trending.expected),
      };
    }),
    formula: string(object(data.formula).text),
    provisional: data.provisional === true,
  };
}

/** What most events are of just now. */
export interface Hot {
  objects: readonly { object: string; events: number }[];
  /** Seconds in which older events come to count half. */
  halvedEvery: number;
  provisional: boolean;
}

export function readHot(value: unknown): Hot {
  const data = object(value);
  return {
    objects: array(data.objects).map((one) => {
      const hot = object(one);
      return { object: string(hot.object), events: number(hot.events) };
    }),
    halvedEvery: number(object(data.formula).halved_every),
    provisional: data.provisional === true,
  };
}

function readCounts(data: Record<string, unknown>): Counts {
  const refused = Object.entries(object(data.refused)).map(([reason, events]) => [reason, number(events)]);
  return { events: number(data.events), counted: number(data.counted), refused: Object.fromEntries(refused) };
}

function readPeople(data: Record<string, unknown>): People {
  return { people: numberOrNull(data.people), exact: data.exact === true, error: numberOrNull(data.error) ?? 0 };
}

function readObjection(value: unknown): Objection {
  const data = object(value);
  return {
    reason: string(data.reason),
    rule: string(data.rule),
    evidence: Object.entries(object(data.evidence)).map(([name, said]) => [name, String(said)] as const),
  };
}
