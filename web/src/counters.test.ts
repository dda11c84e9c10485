import { expect, test } from "vitest";
import { eventCommand, getCommand, lookUp, putCommand, segment } from "./counters";

const answering = (status: number, body: string) =>
  (async () => new Response(body, { status })) as unknown as typeof fetch;

test("names become one path segment that a shell leaves alone", () => {
  expect(segment("/r/pics?x=1 y")).toBe("%2Fr%2Fpics%3Fx%3D1%20y");
  expect(segment("it's (a)*!")).toBe("it%27s%20%28a%29%2A%21");
  expect(segment("größe")).toBe("gr%C3%B6%C3%9Fe");
});

test("commands can be pasted as they are", () => {
  const to = (origin: string, keyed = false) => ({ origin, keyed });
  expect(putCommand(to("http://localhost:8080"))).toBe("curl -X PUT -d token http://localhost:8080/api/v1/counter/object_id");
  expect(getCommand(to("http://[::1]:8080"), "a")).toBe("curl 'http://[::1]:8080/api/v1/counter/a'");
  expect(eventCommand(to("http://h"), "it's")).toBe("curl -H 'Content-Type: application/json' -d "
    + "'{\"action\":\"view\",\"object\":\"it'\\''s\",\"actor\":\"u1\"}' http://h/api/v1/events");
  expect(getCommand(to("http://h"), "..")).toBe("curl --path-as-is http://h/api/v1/counter/..");
  expect(getCommand(to("http://h", true), "a")).toBe('curl -u ":$FOOTFALL_KEY" http://h/api/v1/counter/a');
});

test("a counter is found, also at zero", async () => {
  const body = '{"object":"a","counter":"default","count":0,"exact":true,"at_least":false,"limit":100000}';
  expect(await lookUp("a", answering(200, body))).toEqual({
    kind: "found", value: { counter: { object: "a", count: 0, exact: true, atLeast: false }, limit: 100000 },
  });
});

test("a refusal keeps the server's own words", async () => {
  const body = '{"type":"about:blank","title":"Name too long","status":414,"detail":"at most 1024 bytes"}';
  expect(await lookUp("a", answering(414, body)))
    .toEqual({ kind: "refused", status: 414, title: "Name too long", detail: "at most 1024 bytes" });
});

test("no answer and a broken answer are failures, not refusals", async () => {
  const away = (async () => { throw new TypeError("network"); }) as unknown as typeof fetch;
  expect((await lookUp("a", away)).kind).toBe("failed");
  expect((await lookUp("a", answering(502, "<html>"))).kind).toBe("failed");
  expect((await lookUp("\ud800", away)).kind).toBe("failed");
  expect((await lookUp("..", away)).kind).toBe("failed");
});
