// The event streams and the state each leaves behind.
//
// A `Stream` is pure: state and message in, state out. `follow` owns the connection: it notices when it is silent, and
// opens it anew where the browser by itself would not.

import { useEffect, useState } from "preact/hooks";
import { eventAccount, tokenAccount, zeroOf, type EventPart, type TokenPart } from "./account";
import { knock } from "./door";
import { addSecond, emptyHistory, replaceHistory, type History, type Second } from "./history";
import {
  readEventRow, readEventSecond, readHello, readHistory, readLargest, readTokenRow, readTokenSecond, type Hello, type Largest,
} from "./messages";
import { readEvents, readReport, type JudgedEvent, type Report } from "./reports";

/** `waiting`: nothing heard yet. `live`: seconds arrive. `lost`: they did, or should, and do not. */
export type Link = "waiting" | "live" | "lost";

export interface Live<P extends string = string> {
  link: Link;
  /** Another one after each connect. */
  hello: Hello | null;
  history: History<P>;
}

export interface LiveTokens extends Live<TokenPart> {
  largest: Largest | null;
}

export interface LiveViews extends Live<EventPart> {
  /** Of the object that the stream was asked for; null until there was something to report. */
  report: Report | null;
  /** Of that object, those heard of since the page is open; the newest first. */
  events: readonly JudgedEvent[];
}

export interface Stream<S extends Live> {
  nothing: S;
  /** The kinds of messages, besides "lost", which is the connection's. */
  kinds: readonly string[];
  step: (state: S, kind: string, data: unknown) => S;
}

/** The most events worth keeping of a stream that does not end. */
export const keptEvents = 50;

export const tokenStream: Stream<LiveTokens> = {
  nothing: { ...nothingHeard(zeroOf(tokenAccount)), largest: null },
  kinds: ["hello", "history", "second", "largest"],
  step: (state, kind, data) => (kind === "largest"
    ? { ...state, largest: readLargest(data) }
    : { ...state, ...step<TokenPart>(state, kind, data, readTokenRow, readTokenSecond) }),
};

export const viewStream: Stream<LiveViews> = {
  nothing: { ...nothingHeard(zeroOf(eventAccount)), report: null, events: [] },
  kinds: ["hello", "history", "second", "report", "events"],
  step: (state, kind, data) => {
    if (kind === "report") return { ...state, report: readReport(data) };
    if (kind === "events") return { ...state, events: newestFirst(readEvents(data), state.events) };
    return { ...state, ...step<EventPart>(state, kind, data, readEventRow, readEventSecond) };
  },
};

function nothingHeard<P extends string>(zero: History<P>["zero"]): Live<P> {
  return { link: "waiting", hello: null, history: emptyHistory(zero) };
}

/** What all streams say of themselves and of their seconds. */
function step<P extends string>(
  state: Live<P>, kind: string, data: unknown,
  row: (row: readonly unknown[]) => Second<P>, second: (data: unknown) => Second<P>,
): Live<P> {
  const { link, hello, history } = state;
  switch (kind) {
    case "hello":
      return { link, hello: readHello(data), history };
    case "history":
      return { link, hello, history: replaceHistory(history, readHistory(data, row)) };
    case "second":
      // Only a second proves that the figures are of now; a hello or a history may come from a server that hangs.
      return { link: "live", hello, history: addSecond(history, second(data)) };
    default:
      return { link: "lost", hello, history };
  }
}

/** Lists of events put together; what stands in both stands once. */
export function newestFirst(newer: readonly JudgedEvent[], older: readonly JudgedEvent[]): JudgedEvent[] {
  const known = new Map([...older, ...newer].map((event) => [event.position, event]));
  return [...known.values()].sort((a, b) => b.arrival - a.arrival || offset(b) - offset(a)).slice(0, keptEvents);
}

/** The end of a position counts on within its lane: it tells apart what came in one moment. */
function offset({ position }: JudgedEvent): number {
  return Number(position.slice(position.lastIndexOf("-") + 1));
}

const silentAfter = 3500;
const reopenAfter = 10_000;
const retryAfter = 2000;
/** For the first word of a connection; twice as long each time it was too short, for slow links. */
const connectWithin = { first: 5000, most: 40_000 };

/** Follows the stream at `address` and hands each new state to `show`. Returns the function that stops it. */
export function follow<S extends Live>(stream: Stream<S>, address: string, show: (state: S) => void): () => void {
  let state = stream.nothing;
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heardAt = performance.now();
  let patience = connectWithin.first;

  const take = (kind: string, data: unknown) => {
    state = stream.step(state, kind, data);
    show(state);
  };
  const lose = () => {
    if (state.link !== "lost") take("lost", null);
  };

  const open = () => {
    clearTimeout(retry);
    heardAt = performance.now();
    source = new EventSource(address);
    for (const kind of stream.kinds) {
      source.addEventListener(kind, (event) => {
        heardAt = performance.now();
        patience = connectWithin.first;
        take(kind, JSON.parse((event as MessageEvent<string>).data));
      });
    }
    source.onerror = () => {
      lose();
      if (source.readyState !== EventSource.CLOSED) return;
      // The browser gives up for good on an answer that is not a stream, and does not say which it was: that of a server
      // that stops (503), or of one that wants to know who asks (401).
      void knock();
      retry = setTimeout(open, retryAfter);
    };
  };

  // A connection can die without a word: a machine asleep, a cable pulled. A server that counts sends each second. A new
  // stream may be given one of the connections that the browser kept, which died as silently, and wait on it for ever.
  const watch = setInterval(() => {
    if (document.hidden) return;
    const silence = performance.now() - heardAt;
    if (silence > silentAfter) lose();
    const connecting = source.readyState === EventSource.CONNECTING;
    if (source.readyState === EventSource.CLOSED || silence <= (connecting ? patience : reopenAfter)) return;
    if (connecting) patience = Math.min(patience * 2, connectWithin.most);
    source.close();
    open();
  }, 500);

  // A browser gives a host six connections, over all tabs: one that nobody looks at holds none. Looked at again, it is
  // told the history, as after any connect.
  const look = () => {
    clearTimeout(retry);
    source.close();
    if (!document.hidden) open();
  };
  document.addEventListener("visibilitychange", look);

  open();
  return () => {
    document.removeEventListener("visibilitychange", look);
    clearInterval(watch);
    clearTimeout(retry);
    source.close();
  };
}

/** Follows the stream at `address` for as long as it is asked for; null follows nothing. */
export function useStream<S extends Live>(stream: Stream<S>, address: string | null): S {
  const [heard, setHeard] = useState({ address, state: stream.nothing });
  useEffect(() => {
    if (address === null) return;
    return follow(stream, address, (state) => setHeard({ address, state }));
  }, [address]);
  // Of another address nothing is known yet.
  return heard.address === address ? heard.state : stream.nothing;
}
