import { expect, test } from "vitest";
import { lastSeconds, total, type Second } from "./history";
import { nothingHeard, step, type Live, type Message } from "./live";
import { readHello, readHistory, readLargest, readSecond } from "./messages";

const put = (time: number, count: number): Second => ({ time, put: count, fresh: 1, unsure: 0, slowest: 0.3 });
const run = (state: Live, ...messages: Message[]) => messages.reduce(step, state);
const hello: Message = {
  kind: "hello",
  hello: readHello('{"version":"0.1.0","mode":"demo","started":"2026-11-21T10:00:00Z","serve_command":"footfall serve"}'),
};

test("figures are live only once a second was heard", () => {
  const connected = run(nothingHeard, hello, { kind: "history", seconds: [put(100, 3)] });
  expect(connected.link).toBe("waiting");
  expect(step(connected, { kind: "second", second: put(101, 4) }).link).toBe("live");
});

test("a lost stream keeps its figures and says so; history does not make it live again", () => {
  const live = run(nothingHeard, hello, { kind: "second", second: put(101, 4) });
  const lost = step(live, { kind: "lost" });
  expect(lost.link).toBe("lost");
  expect(lost.history).toBe(live.history);
  expect(step(lost, { kind: "lost" })).toBe(lost);
  expect(run(lost, hello, { kind: "history", seconds: [] }).link).toBe("lost");
});

test("a reconnect does not double", () => {
  const first = run(nothingHeard, hello, { kind: "history", seconds: [put(100, 3)] }, { kind: "second", second: put(101, 4) });
  const again = run(first, { kind: "lost" }, hello, { kind: "history", seconds: [put(100, 3), put(101, 4)] },
    { kind: "second", second: put(102, 0) });
  expect(again.link).toBe("live");
  expect(total(lastSeconds(again.history, 60)).put).toBe(7);
});

test("messages are read as the server writes them", () => {
  expect(readHistory('{"seconds":[[1763719200,123,45,6,0.31],[1763719202,1,0,0,null]]}')).toEqual([
    { time: 1763719200, put: 123, fresh: 45, unsure: 6, slowest: 0.31 },
    { time: 1763719202, put: 1, fresh: 0, unsure: 0, slowest: null },
  ]);
  expect(readSecond('{"time":1763719201,"put":123,"new":45,"unsure":6,"durable_ms":0.31}'))
    .toEqual({ time: 1763719201, put: 123, fresh: 45, unsure: 6, slowest: 0.31 });
  expect(readLargest('{"counter":"default","counters":[{"object":"/a","count":43,"exact":true,"at_least":false}],"complete":true}'))
    .toEqual({ counter: "default", counters: [{ object: "/a", count: 43, exact: true, atLeast: false }], complete: true });
  expect(() => readSecond('{"time":"now"}')).toThrow(TypeError);
});
