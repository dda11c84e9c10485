// The event stream of the token counters and the state it leaves behind.
//
// `step` is pure: state and message in, state out. `follow` owns the connection: it notices when it is silent, and
// opens it anew where the browser by itself would not.

import { addSecond, emptyHistory, replaceHistory, type History, type Second } from "./history";
import { readHello, readHistory, readLargest, readSecond, type Hello, type Largest } from "./messages";

/** `waiting`: nothing heard yet. `live`: seconds arrive. `lost`: they did, or should, and do not. */
export type Link = "waiting" | "live" | "lost";

export interface Live {
  link: Link;
  hello: Hello | null;
  history: History;
  largest: Largest | null;
}

export type Message =
  | { kind: "hello"; hello: Hello }
  | { kind: "history"; seconds: readonly Second[] }
  | { kind: "second"; second: Second }
  | { kind: "largest"; largest: Largest }
  | { kind: "lost" };

export const nothingHeard: Live = { link: "waiting", hello: null, history: emptyHistory, largest: null };

export function step(state: Live, message: Message): Live {
  switch (message.kind) {
    case "hello":
      return { ...state, hello: message.hello };
    case "history":
      return { ...state, history: replaceHistory(state.history, message.seconds) };
    case "second":
      // Only a second proves that the figures are of now; a hello or a history may come from a server that hangs.
      return { ...state, link: "live", history: addSecond(state.history, message.second) };
    case "largest":
      return { ...state, largest: message.largest };
    case "lost":
      return state.link === "lost" ? state : { ...state, link: "lost" };
  }
}

const silentAfter = 3500;
const reopenAfter = 10_000;
const retryAfter = 2000;

/** Follows the stream at `address` and hands each new state to `show`. Returns the function that stops it. */
export function follow(address: string, show: (state: Live) => void): () => void {
  let state = nothingHeard;
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heardAt = performance.now();

  const apply = (message: Message) => {
    const next = step(state, message);
    if (next === state) return;
    state = next;
    show(state);
  };

  const open = () => {
    clearTimeout(retry);
    heardAt = performance.now();
    source = new EventSource(address);
    const on = (kind: string, read: (text: string) => Message) => {
      source.addEventListener(kind, (event) => {
        heardAt = performance.now();
        apply(read((event as MessageEvent<string>).data));
      });
    };
    on("hello", (text) => ({ kind: "hello", hello: readHello(text) }));
    on("history", (text) => ({ kind: "history", seconds: readHistory(text) }));
    on("second", (text) => ({ kind: "second", second: readSecond(text) }));
    on("largest", (text) => ({ kind: "largest", largest: readLargest(text) }));
    source.onerror = () => {
      apply({ kind: "lost" });
      // The browser gives up for good on an answer that is not a stream, as a draining server sends one (503).
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, retryAfter);
    };
  };

  // A connection can die without a word: a machine asleep, a cable pulled. A server that counts sends each second.
  const watch = setInterval(() => {
    const silence = performance.now() - heardAt;
    if (silence > silentAfter) apply({ kind: "lost" });
    if (silence > reopenAfter && source.readyState === EventSource.OPEN) {
      source.close();
      open();
    }
  }, 500);

  open();
  return () => {
    clearInterval(watch);
    clearTimeout(retry);
    source.close();
  };
}
