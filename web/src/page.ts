// What a page of the dashboard is. One module has all of it; the frame, the sidebar, the keys and the router follow.

import type { ComponentType } from "preact";
import type { Live, Stream } from "./live";
import type { Hello } from "./messages";
import type { Theme } from "./theme";

export type Changes = Readonly<Record<string, string | null>>;

/** `L`: the states of the streams that the page follows, by the names it gave them. */
export interface PageProps<L = {}> {
  live: L;
  /** Of whichever stream is followed. */
  hello: Hello | null;
  /** The address's query. */
  search: string;
  /** To a page, with changes to the query: a step that can be taken back. */
  go: (path: string, changes?: Changes) => void;
  /** Changes the query where the reader is. */
  change: (changes: Changes) => void;
  theme: Theme;
}

/** Event streams that a page follows: where to find each, by the page's query. */
export type Streams = Readonly<Record<string, { stream: Stream<Live>; address: (search: string) => string }>>;

export interface Page {
  /** One of its own, as its key. The program answers it with the dashboard. */
  path: string;
  /** The letter after `g`. */
  key: string;
  title: string;
  /** Of what it shows just now. */
  titleOf?: (search: string) => string | null;
  /** What the sidebar's link changes in the query: it leads to the page's beginning. */
  start?: Changes;
  /** No more than it shows: a browser has six connections to a host. */
  streams: Streams;
  // Which states it takes, `page` has checked.
  View: ComponentType<PageProps<any>>;
}

type StatesOf<F extends Streams> = { [Name in keyof F]: F[Name]["stream"]["nothing"] };

/** A page whose view takes the states of the streams that it names. */
export function page<F extends Streams>(one: Page & { streams: F; View: ComponentType<PageProps<StatesOf<F>>> }): Page {
  return one;
}
