// The stream of events and of what an object's come to.

import { eventAccount, zeroOf, type EventPart } from "./account";
import { noSeconds, stepSeconds, type LiveSeconds, type Stream } from "./live";
import { readEventRow, readEventSecond, readLeftOut } from "./messages";
import { readEvents, readReport, type JudgedEvent, type Report } from "./reports";

export interface LiveViews extends LiveSeconds<EventPart> {
  /** Of the object that the stream was asked for; null until there was something to report. */
  report: Report | null;
  /** Of that object, those heard of since the page is open; the newest first. */
  events: readonly JudgedEvent[];
  /** Reports that this page did not get since it is connected, and with them perhaps events. */
  leftOut: number;
}

/** The most events worth keeping of a stream that does not end. */
export const keptEvents = 50;

export const viewStream: Stream<LiveViews> = {
  nothing: { ...noSeconds(zeroOf(eventAccount)), report: null, events: [], leftOut: 0 },
  kinds: ["hello", "history", "second", "report", "events", "left_out"],
  step: (state, kind, data) => {
    if (kind === "report") return { ...state, report: readReport(data) };
    if (kind === "events") return { ...state, events: newestFirst(readEvents(data), state.events) };
    if (kind === "left_out") return { ...state, leftOut: state.leftOut + readLeftOut(data) };
    const leftOut = kind === "hello" ? 0 : state.leftOut;
    return { ...state, leftOut, ...stepSeconds<EventPart>(state, kind, data, readEventRow, readEventSecond) };
  },
};

/** Lists of events put together; what stands in both stands once. */
export function newestFirst(newer: readonly JudgedEvent[], older: readonly JudgedEvent[]): JudgedEvent[] {
  const known = new Map([...older, ...newer].map((event) => [event.position, event]));
  return [...known.values()].sort((a, b) => b.arrival - a.arrival || offset(b) - offset(a)).slice(0, keptEvents);
}

/** The end of a position counts on within its lane: it tells apart what came in one moment. */
function offset({ position }: JudgedEvent): number {
  return Number(position.slice(position.lastIndexOf("-") + 1));
}
