// What the address of the page System asks for, and where the server answers it: as Graphite does.

import type { Measure } from "./measures";

export interface Span {
  key: string;
  label: string;
  spoken: string;
  seconds: number;
  /** Seconds of a step of a chart, and in Graphite's words. Some 120 steps are a chart. */
  step: number;
  interval: string;
  /** Seconds after which there is another step to see, or enough of one. */
  again: number;
}

/** A server's own figures are kept so often, in seconds. */
export const every = 10;

export const spans: readonly [Span, ...Span[]] = [
  { key: "1h", label: "1 hour", spoken: "last hour", seconds: 3600, step: 30, interval: "30s", again: every },
  { key: "6h", label: "6 hours", spoken: "last 6 hours", seconds: 6 * 3600, step: 180, interval: "3min", again: 30 },
  { key: "24h", label: "24 hours", spoken: "last 24 hours", seconds: 86_400, step: 720, interval: "12min", again: 60 },
  { key: "7d", label: "7 days", spoken: "last 7 days", seconds: 7 * 86_400, step: 5400, interval: "90min", again: 300 },
];

export function spanOf(search: string): Span {
  const key = new URLSearchParams(search).get("range");
  return spans.find((one) => one.key === key) ?? spans[0];
}

/** The server that is asked for; null: whichever tells. */
export function serverOf(search: string): string | null {
  return new URLSearchParams(search).get("server") || null;
}

/** Who ever kept figures here. */
export const namesAddress = "/metrics/find?query=footfall.*";

/** Whose figures are of the last minute: each tells of the requests it answered. */
export const tellingAddress = renderAddress(["aliasByNode(footfall.*.http_requests_total,1)"], "-1min");

/** The newest of all that is drawn or listed, each by its key. */
export function nowAddress(server: string, all: readonly Measure[]): string {
  return renderAddress(all.map(({ key, target }) => `alias(${target(beginningOf(server))},"${key}")`), "-1min");
}

/** A measure, or some, over a range: in steps that begin where they begin whenever it is asked. */
export function lineAddress(server: string, all: readonly Measure[], { interval, seconds }: Span, format: "json" | "csv" = "json"): string {
  const targets = all.map(({ key, target, drawn }) =>
    `alias(summarize(${target(beginningOf(server))},"${interval}","${drawn}"),"${key}")`);
  return renderAddress(targets, `-${seconds}s`, format);
}

function beginningOf(server: string): string {
  return `footfall.${server}.`;
}

function renderAddress(targets: readonly string[], from: string, format = "json"): string {
  return `/render?${new URLSearchParams([...targets.map((one) => ["target", one]), ["from", from], ["format", format]])}`;
}
