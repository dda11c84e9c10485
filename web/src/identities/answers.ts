// What the server says of ids, profiles, and the facts that hold them together.

import { array, instant, number, object, string, stringOrNull } from "../messages";
import type { Id } from "./address";

export interface Found {
  sid: string;
  /** It was linked with so many others that it stands for nobody, and unites nobody. */
  shared: boolean;
  /** Of a shared one: why. */
  sharedBy: SharedBy | null;
}

/** `most`: it is linked with more others than that. Null: its value is one of those that stand for nobody. */
export interface SharedBy {
  most: number | null;
}

export function readFound(value: unknown): Found {
  const { sid, shared, shared_by: by } = object(value);
  return { sid: string(sid), shared: shared === true, sharedBy: by === undefined || by === null ? null : readSharedBy(by) };
}

function readSharedBy(value: unknown): SharedBy {
  const { guard, most } = object(value);
  return { most: oneOf(["shared_above", "never"], guard) === "never" ? null : number(most) };
}

/** An id in a profile; `since`: the unix second of the fact that said it first. Null: it is shared, and nobody keeps that. */
export interface Member extends Id {
  since: number | null;
  source: string;
}

/** By what one value of a datum wins over the others. */
export type Wins = "latest" | "first" | "longest" | "sources" | "strictest";
export type DatumValue = string | number | boolean;

/** What is known of somebody under one name: the value that wins, and why. */
export interface Datum {
  name: string;
  value: DatumValue;
  wins: Wins;
  source: string;
  /** The unix second of which it was said. */
  time: number;
  of: Id;
  /** How many other values lost. */
  others: number;
}

export interface Profile {
  sid: string;
  ids: readonly Member[];
  data: readonly Datum[];
  provisional: boolean;
}

export function readProfile(value: unknown): Profile {
  const { sid, ids, data_why: data, provisional } = object(value);
  return {
    sid: string(sid),
    ids: array(ids).map((one) => {
      const { since, source } = object(one);
      return { ...readId(one), since: since === undefined || since === null ? null : instant(since), source: textOr(source) };
    }),
    data: array(data).map(readDatum),
    provisional: provisional === true,
  };
}

const rules: readonly Wins[] = ["latest", "first", "longest", "sources", "strictest"];

function readDatum(value: unknown): Datum {
  const { name, value: told, wins, source, time, of, others } = object(value);
  return {
    name: string(name), value: readValue(told), wins: oneOf(rules, wins), source: textOr(source), time: instant(time), of: readId(of),
    others: number(others),
  };
}

function readValue(value: unknown): DatumValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new TypeError("a text, a number, true or false was expected");
}

export type FactKind = "link" | "parting" | "accept" | "reject" | "revoke" | "datum" | "lift";
export type Guard = "per_profile" | "profile_ids" | "shared" | "parting";

export interface Fact {
  /** Its id; of a parting, accept, reject or lift the name under which it is revoked. */
  fact: string;
  kind: FactKind;
  ids: readonly Id[];
  /** Of a parting: those who are in no profile with one of `ids`. */
  others: readonly Id[];
  /** Of an accept, reject or revoke: the fact that it is about. */
  about: string | null;
  /** Unix seconds: when it was said of, and when it was taken in. */
  time: number;
  recorded: number;
  source: string;
  author: string;
  reason: string;
  says: string;
  /** Of a link that does not unite all of its ids: why. */
  contested: Guard | null;
  /** It does not hold any more. */
  revoked: boolean;
  /** Its time is over: nobody has said it again. */
  ended: boolean;
}

const kinds: readonly FactKind[] = ["link", "parting", "accept", "reject", "revoke", "datum", "lift"];
export const guards: readonly Guard[] = ["per_profile", "profile_ids", "shared", "parting"];

/** The facts of a profile, the newest last; of one match the link before its data. Whether a decision holds is said by whoever took it back. */
export function readWhy(value: unknown): Fact[] {
  const facts = array(object(value).facts).map(readFact);
  const takenBack = new Set(facts.flatMap(({ kind, about }) => (kind === "revoke" && about !== null ? [about] : [])));
  return facts
    .map((fact) => (fact.kind === "link" || fact.kind === "datum" ? fact : { ...fact, revoked: takenBack.has(fact.fact) }))
    .sort((one, other) => one.time - other.time || one.recorded - other.recorded || Number(one.kind === "datum") - Number(other.kind === "datum"));
}

function readFact(value: unknown): Fact {
  const { fact, kind, ids, others, about, time, recorded, source, author, reason, says, contested, revoked, ended } = object(value);
  return {
    fact: string(fact),
    kind: oneOf(kinds, kind),
    ids: array(ids).map(readId),
    others: others === undefined || others === null ? [] : array(others).map(readId),
    about: stringOrNull(about),
    time: instant(time), recorded: instant(recorded),
    source: textOr(source), author: textOr(author), reason: textOr(reason), says: string(says),
    contested: contested === undefined || contested === null ? null : oneOf(guards, contested),
    revoked: revoked === true,
    ended: ended === true,
  };
}

/** A link that ties two ids, and until when it was said. */
export interface Step {
  from: Id;
  to: Id;
  fact: Fact;
  last: number;
}

/** An id of which it was asked how it is tied to another. */
export interface End {
  id: Id;
  sid: string;
  shared: boolean;
}

/** How two ids are tied, or what keeps them apart. */
export interface Tie {
  together: boolean;
  from: End;
  to: End;
  path: readonly Step[];
  /** Links that name both profiles, and partings between them, the earliest first. */
  apart: readonly Fact[];
  provisional: boolean;
}

export function readTie(value: unknown): Tie {
  const { together, from, to, path, apart, provisional } = object(value);
  return {
    together: together === true, from: readEnd(from), to: readEnd(to),
    path: array(path).map((one) => {
      const step = object(one);
      return { from: readId(step.from), to: readId(step.to), fact: readFact(step.fact), last: instant(object(step.fact).last) };
    }),
    apart: array(apart).map(readFact),
    provisional: provisional === true,
  };
}

function readEnd(value: unknown): End {
  const { id, sid, shared } = object(value);
  return { id: readId(id), sid: string(sid), shared: shared === true };
}

/** A link that waits for somebody to decide about it, or for room. */
export interface Contested {
  fact: string;
  /** The two that are kept apart. */
  ids: readonly Id[];
  guard: Guard;
}

/** `next`: where others begin that are behind these. Null: there are none. */
export interface ContestedPage {
  links: readonly Contested[];
  next: string | null;
}

export function readContested(value: unknown): ContestedPage {
  const { contested, next } = object(value);
  return {
    links: array(contested).map((one) => {
      const { fact, ids, guard } = object(one);
      return { fact: string(fact), ids: array(ids).map(readId), guard: oneOf(guards, guard) };
    }),
    next: stringOrNull(next),
  };
}

/** What a detach or a lift did, or would do. */
export interface Detached {
  /** The name under which it can be revoked; null: nothing was recorded. */
  decision: string | null;
  /** In which profiles the ids are afterwards. */
  sids: readonly string[];
  profiles: readonly { sid: string; ids: readonly Id[] }[];
}

export function readDetached(value: unknown): Detached {
  const { decision, sids, profiles } = object(value);
  return {
    decision: decision === null || decision === undefined ? null : string(decision),
    sids: array(sids).map(string),
    profiles: array(profiles).map((one) => {
      const { sid, ids } = object(one);
      return { sid: string(sid), ids: array(ids).map(readId) };
    }),
  };
}

export function readDecision(value: unknown): string {
  return string(object(value).decision);
}

function readId(value: unknown): Id {
  const { identifier, id_name: idName, id_value: idValue } = object(value);
  return { identifier: string(identifier), idName: string(idName), idValue: string(idValue) };
}

function oneOf<T extends string>(list: readonly T[], value: unknown): T {
  const found = list.find((one) => one === value);
  if (found === undefined) throw new TypeError(`one of ${list.join(", ")} was expected`);
  return found;
}

function textOr(value: unknown): string {
  return value === null || value === undefined ? "" : string(value);
}
