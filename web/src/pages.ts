// The pages of the dashboard, as data: the sidebar, the `g` keys and the router read this list and nothing else.

import type { ComponentType } from "preact";
import type { Live } from "./live";
import { Overview } from "./pages/overview";
import type { Range } from "./range";
import type { Theme } from "./theme";

export interface PageProps {
  live: Live;
  range: Range;
  chooseRange: (range: Range) => void;
  theme: Theme;
}

export interface Page {
  path: string;
  /** The letter after `g`. */
  key: string;
  title: string;
  View: ComponentType<PageProps>;
}

export const pages: readonly [Page, ...Page[]] = [
  { path: "/", key: "o", title: "Overview", View: Overview },
];

/** The page an address names; one that names none gets the first. */
export function pageAt(path: string): Page {
  return pages.find((page) => page.path === path) ?? pages[0];
}
