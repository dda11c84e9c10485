// What the server says over the event stream, read into the page's own words.
//
// The server is ours and of the same version, so a message that cannot be read is a defect: it throws, and the
// stream reports it, rather than letting the page show half a figure.

import type { Second } from "./history";

export interface Hello {
  version: string;
  mode: "demo" | "serve";
  /** Unix second at which the server began to count its seconds. */
  started: number;
  serveCommand: string;
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

export function readHello(text: string): Hello {
  const data = object(JSON.parse(text));
  return {
    version: string(data.version),
    mode: data.mode === "demo" ? "demo" : "serve",
    started: Math.floor(Date.parse(string(data.started)) / 1000),
    serveCommand: string(data.serve_command),
  };
}

export function readHistory(text: string): Second[] {
  return array(object(JSON.parse(text)).seconds).map((row) => {
    const [time, put, fresh, unsure, slowest] = array(row);
    return {
      time: number(time), put: number(put), fresh: number(fresh), unsure: number(unsure), slowest: numberOrNull(slowest),
    };
  });
}

export function readSecond(text: string): Second {
  const data = object(JSON.parse(text));
  return {
    time: number(data.time),
    put: number(data.put),
    fresh: number(data.new),
    unsure: number(data.unsure),
    slowest: numberOrNull(data.durable_ms),
  };
}

export function readLargest(text: string): Largest {
  const data = object(JSON.parse(text));
  return {
    counter: string(data.counter),
    counters: array(data.counters).map(readCounter),
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

function string(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("a text was expected");
  return value;
}

function number(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError("a number was expected");
  return value;
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : number(value);
}
