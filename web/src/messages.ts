// What the server says over the event streams, read into the page's own words.
//
// The server is ours and of the same version, so a message that cannot be read is a defect: it throws, and the
// stream reports it, rather than letting the page show half a figure.

import type { EventPart, TokenPart } from "./account";
import type { Second } from "./history";

export interface Hello {
  version: string;
  mode: "demo" | "serve";
  /** Unix second at which the server began to count its seconds. */
  started: number;
  serveCommand: string;
  /** False where another process of the deployment takes events. */
  takesEvents: boolean;
}

export interface Counter {
  object: string;
  count: number;
  exact: boolean;
  atLeast: boolean;
}

export interface Largest {
  counter: string;
  counters: readonly Counter[];
  /** False while the server has not yet gone through every stored object. */
  complete: boolean;
}

export function readHello(value: unknown): Hello {
  const data = object(value);
  return {
    version: string(data.version),
    mode: data.mode === "demo" ? "demo" : "serve",
    started: Math.floor(Date.parse(string(data.started)) / 1000),
    serveCommand: string(data.serve_command),
    takesEvents: data.takes_events !== false,
  };
}

/** The seconds of a history, each read by its stream's own reader. */
export function readHistory<S>(value: unknown, second: (row: readonly unknown[]) => S): S[] {
  return array(object(value).seconds).map((row) => second(array(row)));
}

export function readTokenRow([time, put, fresh, unsure, slowest]: readonly unknown[]): Second<TokenPart> {
  return {
    time: number(time),
    parts: { fresh: number(fresh), already: number(put) - number(fresh) - number(unsure), unsure: number(unsure) },
    slowest: numberOrNull(slowest),
  };
}

export function readTokenSecond(value: unknown): Second<TokenPart> {
  const data = object(value);
  return readTokenRow([data.time, data.put, data.new, data.unsure, data.durable_ms]);
}

export function readEventRow([time, counted, refused]: readonly unknown[]): Second<EventPart> {
  return { time: number(time), parts: { counted: number(counted), refused: number(refused) }, slowest: null };
}

export function readEventSecond(value: unknown): Second<EventPart> {
  const data = object(value);
  return readEventRow([data.time, data.counted, data.refused]);
}

/** How many reports a stream left out. */
export function readLeftOut(value: unknown): number {
  return number(object(value).reports);
}

/** A page of counters, the largest first. */
export function readCounters(value: unknown): Counter[] {
  return array(object(value).counters).map(readCounter);
}

export function readLargest(value: unknown): Largest {
  const data = object(value);
  return {
    counter: string(data.counter),
    counters: readCounters(data),
    complete: data.complete === true,
  };
}

export function readCounter(value: unknown): Counter {
  const data = object(value);
  return {
    object: string(data.object),
    count: number(data.count),
    exact: data.exact === true,
    atLeast: data.at_least === true,
  };
}

export function object(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new TypeError("an object was expected");
  return value as Record<string, unknown>;
}

export function array(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError("a list was expected");
  return value;
}

export function string(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("a text was expected");
  return value;
}

export function number(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError("a number was expected");
  return value;
}

export function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : number(value);
}

export function stringOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : string(value);
}

/** A time in RFC 3339 as a unix second, with a fraction. */
export function instant(value: unknown): number {
  return number(Date.parse(string(value)) / 1000);
}
