// The pages of the dashboard, as data: the sidebar, the `g` keys, the router and the streams follow this list.

import type { ComponentType } from "preact";
import type { LiveTokens, LiveViews } from "./live";
import type { Hello } from "./messages";
import { Overview } from "./pages/overview";
import { Views } from "./pages/views";
import type { Theme } from "./theme";
import { objectOf, streamAddress } from "./views_address";

export type Changes = Readonly<Record<string, string | null>>;

export interface PageProps {
  tokens: LiveTokens;
  views: LiveViews;
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

export interface Page {
  path: string;
  /** The letter after `g`. */
  key: string;
  title: string;
  /** Of what it shows just now. */
  titleOf?: (search: string) => string | null;
  /** What the sidebar's link changes in the query: it leads to the page's beginning. */
  start?: Changes;
  /** Whether it follows the stream of the token counters. */
  tokens: boolean;
  /** The stream of views it follows; null for none. */
  views: (search: string) => string | null;
  View: ComponentType<PageProps>;
}

export const pages: readonly [Page, ...Page[]] = [
  { path: "/", key: "o", title: "Overview", tokens: true, views: () => "/api/v1/live/views", View: Overview },
  {
    path: "/views", key: "v", title: "Views & rules", titleOf: objectOf, start: { object: null },
    tokens: false, views: streamAddress, View: Views,
  },
];

/** The page an address names; one that names none gets the first. */
export function pageAt(path: string): Page {
  return pages.find((page) => page.path === path) ?? pages[0];
}
