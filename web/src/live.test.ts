import { expect, test } from "vitest";
import { lastSeconds, total } from "./history";
import { newsStream, type Live, type Stream } from "./live";
import { readHello, readLargest } from "./messages";
import { readEvents } from "./reports";
import { tokenStream } from "./token_stream";
import { keptEvents, newestFirst, viewStream } from "./view_stream";

type Message = readonly [kind: string, data: unknown];
const run = <S extends Live>(stream: Stream<S>, state: S, ...messages: Message[]) =>
  messages.reduce((before, [kind, data]) => stream.step(before, kind, data), state);
const hello: Message = [
  "hello", { version: "0.1.0", mode: "demo", started: "2026-11-21T10:00:00Z", serve_command: "footfall serve", takes_events: true },
];
const put = (time: number, count: number): Message => ["second", { time, put: count, new: 1, unsure: 0, durable_ms: 0.3 }];

test("figures are live only once a second was heard", () => {
  const connected = run(tokenStream, tokenStream.nothing, hello, ["history", { seconds: [[100, 3, 1, 0, null]] }]);
  expect(connected.link).toBe("waiting");
  expect(run(tokenStream, connected, put(101, 4)).link).toBe("live");
});

test("a lost stream keeps its figures and says so; history does not make it live again", () => {
  const live = run(tokenStream, tokenStream.nothing, hello, put(101, 4));
  const lost = run(tokenStream, live, ["lost", null]);
  expect(lost.link).toBe("lost");
  expect(lost.history).toBe(live.history);
  expect(run(tokenStream, lost, hello, ["history", { seconds: [] }]).link).toBe("lost");
});

test("a reconnect does not double", () => {
  const first = run(tokenStream, tokenStream.nothing, hello, ["history", { seconds: [[100, 3, 1, 0, 0.3]] }], put(101, 4));
  const again = run(tokenStream, first, ["lost", null], hello,
    ["history", { seconds: [[100, 3, 1, 0, 0.3], [101, 4, 1, 0, 0.3]] }], put(102, 1));
  expect(again.link).toBe("live");
  expect(total(again.history.zero, lastSeconds(again.history, 60)).all).toBe(8);
});

test("a stream that says that something is new is live once it is open, and a reconnect is news", () => {
  const stream = newsStream("tally");
  const open = run(stream, stream.nothing, hello);
  expect(open).toMatchObject({ link: "live", hello: { mode: "demo" }, news: 1 });
  const told = run(stream, open, ["tally", { actions: [] }]);
  expect(told.news).not.toBe(open.news);
  const lost = run(stream, told, ["lost", null]);
  expect(lost).toMatchObject({ link: "lost", news: told.news, end: told.end });
  expect(run(stream, lost, hello)).toMatchObject({ link: "live", news: told.news + 1 });
});

test("messages are read as the server writes them", () => {
  expect(readHello(hello[1]).started).toBe(1795255200);
  const heard = run(tokenStream, tokenStream.nothing,
    ["history", { seconds: [[1763719200, 123, 45, 6, 0.31], [1763719202, 1, 0, 0, null]] }],
    ["second", { time: 1763719203, put: 3, new: 2, unsure: 1, durable_ms: 0.5 }]);
  expect(heard.history.seconds).toEqual([
    { time: 1763719200, parts: { fresh: 45, already: 72, unsure: 6 }, slowest: 0.31 },
    { time: 1763719202, parts: { fresh: 0, already: 1, unsure: 0 }, slowest: null },
    { time: 1763719203, parts: { fresh: 2, already: 0, unsure: 1 }, slowest: 0.5 },
  ]);
  const views = run(viewStream, viewStream.nothing, ["history", { seconds: [[100, 3, 1]] }], ["second", { time: 101, counted: 0, refused: 2 }]);
  expect(views.history.seconds.map(({ parts }) => parts)).toEqual([{ counted: 3, refused: 1 }, { counted: 0, refused: 2 }]);
  expect(readLargest({ counter: "default", counters: [{ object: "/a", count: 43, exact: true, at_least: false }], complete: true }))
    .toEqual({ counter: "default", counters: [{ object: "/a", count: 43, exact: true, atLeast: false }], complete: true });
  expect(() => run(viewStream, viewStream.nothing, ["second", { time: "now" }])).toThrow(TypeError);
});

const event = (position: string, arrival: string) => ({
  id: position, position, arrival, time: arrival, action: "view", object: "post", door: "trusted",
  verdict: { counted: true, reason: null, rule: null, evidence: {}, rules_version: "1", why: "Counted: no rule objected.", shadow: [] },
});

test("events told twice stand once, the newest first, and no more than a page needs", () => {
  const told = readEvents({ events: [event("log-7-10", "2026-11-21T10:00:01Z"), event("log-7-8", "2026-11-21T10:00:00Z")] });
  const newer = readEvents({ events: [event("log-7-11", "2026-11-21T10:00:01Z"), event("log-7-10", "2026-11-21T10:00:01Z")] });
  expect(newestFirst(newer, told).map(({ id }) => id)).toEqual(["log-7-11", "log-7-10", "log-7-8"]);
  const many = Array.from({ length: 80 }, (_, i) => event(`p${i}`, `2026-11-21T10:00:${10 + (i % 50)}Z`));
  expect(run(viewStream, viewStream.nothing, ["events", { events: many }]).events).toHaveLength(keptEvents);
});

test("what a stream left out adds up until it is opened anew", () => {
  const told = run(viewStream, viewStream.nothing, hello, ["left_out", { reports: 3 }], ["left_out", { reports: 1 }]);
  expect(told.leftOut).toBe(4);
  expect(run(viewStream, told, ["second", { time: 101, counted: 0, refused: 2 }]).leftOut).toBe(4);
  expect(run(viewStream, told, ["lost", null], hello).leftOut).toBe(0);
  expect(() => run(viewStream, told, ["left_out", {}])).toThrow(TypeError);
});
