// The event streams and the state each leaves behind.
//
// A `Stream` is pure: state and message in, state out. `follow` owns the connection: it notices when it is silent, and
// opens it anew where the browser by itself would not.

import { useEffect, useRef, useState } from "preact/hooks";
import { knock } from "./door";
import { addSecond, emptyHistory, replaceHistory, type History, type Parts, type Second } from "./history";
import { readHello, readHistory, type Hello } from "./messages";

/** `waiting`: nothing heard yet. `live`: what is new arrives. `lost`: it did, or should, and does not. */
export type Link = "waiting" | "live" | "lost";

/** What every stream leaves behind. */
export interface Live {
  link: Link;
  /** Another one after each connect. */
  hello: Hello | null;
  /** The unix second of which the figures are; null until one was told of. */
  end: number | null;
}

/** Of a stream that tells of every second. */
export interface LiveSeconds<P extends string = string> extends Live {
  history: History<P>;
}

/** Of a stream that says that something is new, not what. */
export interface LiveNews extends Live {
  /** Another one whenever there may be something new: a reason to ask again. */
  news: number;
}

export interface Stream<S extends Live> {
  nothing: S;
  /** The kinds of messages, besides "lost", which is the connection's. */
  kinds: readonly string[];
  /** Whether it may have nothing to say for long; others are lost when they are silent for some seconds. */
  quiet?: boolean;
  step(state: S, kind: string, data: unknown): S;
}

export const nothingHeard: Live = { link: "waiting", hello: null, end: null };

export function noSeconds<P extends string>(zero: Parts<P>): LiveSeconds<P> {
  return { ...nothingHeard, history: emptyHistory(zero) };
}

/** What all streams of seconds say; `row` and `second` read a second in a history and one that is told of by itself. */
export function stepSeconds<P extends string>(
  state: LiveSeconds<P>, kind: string, data: unknown,
  row: (row: readonly unknown[]) => Second<P>, second: (data: unknown) => Second<P>,
): LiveSeconds<P> {
  const { link, hello, history } = state;
  const of = (next: History<P>) => ({ hello, history: next, end: next.end });
  switch (kind) {
    case "hello":
      return { ...of(history), link, hello: readHello(data) };
    case "history":
      return { ...of(replaceHistory(history, readHistory(data, row))), link };
    case "second":
      // Only a second proves that the figures are of now; a hello or a history may come from a server that hangs.
      return { ...of(addSecond(history, second(data))), link: "live" };
    default:
      return { ...of(history), link: "lost" };
  }
}

/** A stream whose messages of this kind say that something is new; what it is, the page asks for. */
export function newsStream(kind: string): Stream<LiveNews> {
  return {
    nothing: { ...nothingHeard, news: 0 },
    kinds: ["hello", kind],
    quiet: true,
    step: (state, told, data) => {
      if (told === "lost") return { ...state, link: "lost" };
      // A connect, too: nobody told what happened before it.
      const hello = told === "hello" ? readHello(data) : state.hello;
      return { link: "live", hello, end: Math.floor(Date.now() / 1000), news: state.news + 1 };
    },
  };
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
    const connecting = source.readyState === EventSource.CONNECTING;
    if (stream.quiet === true && !connecting) return;
    if (silence > silentAfter) lose();
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

/** A stream, and where it is followed. */
export interface Followed {
  stream: Stream<Live>;
  address: string;
}

/** Follows these streams for as long as they are asked for, and answers the state of each; one that is still asked for goes on. */
export function useStreams(asked: readonly Followed[]): readonly Live[] {
  const [, show] = useState({});
  const open = useRef<readonly (Followed & { state: Live; stop: () => void })[]>([]);
  // Nothing is known yet of one that is not open.
  const known = ({ stream, address }: Followed) => open.current.find((one) => one.stream === stream && one.address === address);

  useEffect(() => {
    const before = open.current;
    open.current = asked.map((one) => known(one) ?? opened(one, () => show({})));
    for (const one of before) if (!open.current.includes(one)) one.stop();
  });
  useEffect(() => () => open.current.forEach(({ stop }) => stop()), []);
  return asked.map((one) => known(one)?.state ?? one.stream.nothing);
}

function opened({ stream, address }: Followed, changed: () => void) {
  const one = { stream, address, state: stream.nothing, stop: () => {} };
  one.stop = follow(stream, address, (state) => {
    one.state = state;
    changed();
  });
  return one;
}
