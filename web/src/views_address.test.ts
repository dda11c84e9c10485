import { expect, test } from "vitest";
import { dayRangeOf } from "./day_range";
import { eventsAddress, isByProfile, newsOf, objectOf, profilesAddress, reportAddress, streamAddress } from "./views_address";
import { viewStream } from "./view_stream";

const range = dayRangeOf("?from=2026-11-01&to=2026-11-03&tz=Europe%2FBerlin", 0);

test("an object's name goes through an address whole", () => {
  const name = "/a b?c=1&d=ü";
  const search = `?${new URLSearchParams({ object: name })}`;
  expect(objectOf(search)).toBe(name);
  expect(reportAddress(name, range)).toBe("/api/v1/views/%2Fa%20b%3Fc%3D1%26d%3D%C3%BC?from=2026-11-01&to=2026-11-03&tz=Europe%2FBerlin");
  expect(new URL(eventsAddress(name), "http://h").searchParams.get("object")).toBe(name);
  expect(new URL(streamAddress(search), "http://h").searchParams.get("object")).toBe(name);
});

test("without an object all are asked for", () => {
  expect(objectOf("?object=")).toBeNull();
  expect(reportAddress(null, dayRangeOf("", 0))).toBe("/api/v1/views");
  expect(streamAddress("?days=7d")).toBe("/api/v1/live/views");
});

test("people by profile are asked for of an object, by day alone", () => {
  expect(isByProfile("?by=profile")).toBe(true);
  expect(isByProfile("?by=actor")).toBe(false);
  expect(profilesAddress("/a", range)).toBe("/api/v1/views/%2Fa?from=2026-11-01&to=2026-11-03&tz=Europe%2FBerlin&by=profile");
  expect(profilesAddress("/a", dayRangeOf("?from=2026-11-01&to=2026-11-01", 0))).toBe(
    "/api/v1/views/%2Fa?from=2026-11-01&to=2026-11-01&by=profile");
  expect(profilesAddress("/a", dayRangeOf("", 0))).toBe("/api/v1/views/%2Fa?by=profile");
  expect(profilesAddress(null, range)).toBeNull();
  expect(profilesAddress("..", range)).toBeNull();
});

test("a name that a browser drops from an address is not asked for as another", () => {
  expect(reportAddress("..", range)).toMatchObject({ kind: "failed" });
});

test("news is a second in which something happened, the lists that follow, and a stream that is back", () => {
  const at = (end: number, last: number, link: "live" | "lost" = "live") => newsOf({
    ...viewStream.nothing, link,
    history: { zero: { counted: 0, refused: 0 }, end, seconds: [{ time: last, parts: { counted: 1, refused: 0 }, slowest: null }] },
  });
  expect(at(101, 100)).toBe(at(110, 100));
  expect(at(101, 101)).not.toBe(at(101, 100));
  expect(at(120, 100)).not.toBe(at(110, 100));
  expect(at(120, 100)).toBe(at(124, 100));
  expect(at(125, 100)).not.toBe(at(124, 100));
  expect(at(197, 100)).not.toBe(at(196, 100));
  expect(at(197, 100)).toBe(at(500, 100));
  expect(at(101, 100, "lost")).not.toBe(at(101, 100));
});
