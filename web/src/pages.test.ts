import { expect, test } from "vitest";
import tally, { readTally } from "../../examples/jobs/tally/page";
import { pageAt, pages } from "./pages";

test("an address names a page, or the first", () => {
  for (const page of pages) expect(pageAt(page.path)).toBe(page);
  expect(pageAt("/nowhere").path).toBe("/");
});

test("a page follows what it shows, where its address says", () => {
  const followed = (path: string, search: string) => Object.values(pageAt(path).streams).map(({ address }) => address(search));
  expect(followed("/", "")).toEqual(["/api/v1/live/counters", "/api/v1/live/views"]);
  expect(followed("/clicks", "?reseller=a")).toEqual(["/api/v1/live/clicks?reseller=a"]);
  expect(followed("/views", "?object=a")).toEqual(["/api/v1/live/views?object=a"]);
  expect(followed("/reading", "?actor=a")).toEqual(["/api/v1/live/views"]);
  expect(followed("/identities", "?find=a%2Fb%2Fc")).toEqual(["/api/v1/live/views"]);
  expect(followed("/segments", "?prefix=a")).toEqual(["/api/v1/live/views"]);
  expect(followed("/system", "?range=6h")).toEqual(["/api/v1/live/views"]);
});

test("a page of another folder is a page like ours", () => {
  expect(tally.path).toBe("/tally");
  expect(pages.map(({ path }) => path)).not.toContain(tally.path);
  expect(tally.streams.tally?.address("")).toBe("/api/v1/live/tally");
  const actions = [{ action: "view", events: 123, days: [{ day: "2026-11-25", events: 12 }] }];
  expect(readTally({ actions, provisional: false })).toEqual({ actions, provisional: false });
  expect(() => readTally({ actions: [{ action: "view" }] })).toThrow(TypeError);
});
