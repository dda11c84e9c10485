// The pages of the dashboard: ours, and those of further folders that this build was given (vite.config.ts).

import further from "virtual:pages";
import type { Page } from "./page";
import audit from "./pages/audit";
import clicks from "./pages/clicks";
import erasures from "./pages/erasures";
import identities from "./pages/identities";
import overview from "./pages/overview";
import reading from "./pages/reading";
import segments from "./pages/segments";
import system from "./pages/system";
import views from "./pages/views";

export const pages: readonly [Page, ...Page[]] = [overview, views, clicks, reading, identities, segments, audit, erasures, system, ...further];

for (const what of ["path", "key"] as const) {
  const twice = pages.find((page, i) => pages.findIndex((other) => other[what] === page[what]) < i);
  // A build evaluates this, so it is the build that fails.
  if (twice !== undefined) throw new Error(`two pages have the ${what} ${twice[what]}; one is "${twice.title}"`);
}

/** The page an address names; one that names none gets the first. */
export function pageAt(path: string): Page {
  return pages.find((page) => page.path === path) ?? pages[0];
}
