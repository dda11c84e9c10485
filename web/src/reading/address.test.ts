import { expect, test } from "vitest";
import {
  activityAddress, actorOf, circleOf, personPath, popularAddress, readsAddress, takeBackAddress, trendingAddress, windowOf,
} from "./address";

test("a person, a window and a circle stand in the address", () => {
  expect(actorOf("?actor=zo%C3%AB%20b")).toBe("zoë b");
  expect(actorOf("?actor=")).toBeNull();
  expect(windowOf("?window=7d").key).toBe("7d");
  expect(windowOf("?window=8d").key).toBe("24h");
  expect(windowOf("").key).toBe("24h");
  expect(circleOf("?actor=a&scope=friends")).toBe("friends");
  expect(circleOf("?scope=friends"), "of nobody there are no friends").toBe("all");
});

test("each list is asked for where the server has it", () => {
  expect(popularAddress("", 10)).toBe("/api/v1/reading/popular?scope=all&window=24h&limit=10");
  expect(popularAddress("?actor=a%26b&scope=friends&window=1h", 5))
    .toBe("/api/v1/reading/popular?scope=friends&actor=a%26b&window=1h&limit=5");
  expect(popularAddress("?actor=a", 10), "what all read is asked of nobody").not.toContain("actor");
  expect(trendingAddress(10)).toBe("/api/v1/reading/trending?limit=10");
  expect(activityAddress("a b", 20)).toBe("/api/v1/reading/activity?actor=a%20b&limit=20");
  expect(personPath("a/b")).toBe("/api/v1/people/a%2Fb");
  expect(personPath("..")).toMatchObject({ kind: "failed" });
  expect(readsAddress("/p", 100)).toBe("/p/reads?limit=100");
});

test("exactly one part is taken back", () => {
  expect(takeBackAddress("/p", { url: "https://a.example/b?c=d e" })).toBe("/p/reads?url=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd%20e");
  expect(takeBackAddress("/p", { site: "a.example" })).toBe("/p/reads?site=a.example");
  expect(takeBackAddress("/p", { from: "2026-11-28T10:00:00Z" })).toBe("/p/reads?from=2026-11-28T10%3A00%3A00Z");
  expect(takeBackAddress("/p", { all: "true" })).toBe("/p/reads?all=true");
});
