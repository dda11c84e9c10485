import { expect, test } from "vitest";
import { readEvent, readHot, readRanking, readReport, readRules, readTrends } from "./reports";

test("a report is read as the server writes it", () => {
  const report = readReport({
    object: "post", action: "view", events: 4, counted: 2, refused: { repeat: 1, repeat_fast: 1 }, people: 2, exact: false,
    error: 0.0076, provisional: false, tz: "Europe/Berlin", people_tz: "UTC", earlier_days: false,
    days: [{ day: "2026-11-20", events: 4, counted: 2, refused: { repeat: 1, repeat_fast: 1 }, people: null }],
  });
  expect(report).toMatchObject({ events: 4, refused: { repeat: 1, repeat_fast: 1 }, error: 0.0076, from: null, to: null, peopleTz: "UTC" });
  expect(report.days[0]).toEqual({ day: "2026-11-20", events: 4, counted: 2, refused: { repeat: 1, repeat_fast: 1 }, people: null });
});

const event = {
  id: "e1", time: "2026-11-21T10:00:00.5Z", action: "view", object: "post", actor: "u1", position: "log-1-2",
  arrival: "2026-11-21T10:00:01Z", door: "public",
};

test("a refused event has its reason, its evidence and what rules on trial said", () => {
  const shadow = { reason: "rate", rule: "rate_address", evidence: { limit: "10" } };
  const read = readEvent({
    ...event,
    verdict: {
      counted: false, reason: "repeat_fast", rule: "repeat_fast", evidence: { seconds: "20" }, rules_version: "3",
      why: "Not counted: …", shadow: [shadow],
    },
  });
  expect(read).toMatchObject({ time: 1795255200.5, actor: "u1", address: null, door: "public" });
  expect(read.verdict).toEqual({
    refusal: { reason: "repeat_fast", rule: "repeat_fast", evidence: [["seconds", "20"]] }, rulesVersion: "3",
    why: "Not counted: …", shadow: [{ reason: "rate", rule: "rate_address", evidence: [["limit", "10"]] }],
  });
});

test("a counted event has no reason", () => {
  const verdict = { counted: true, reason: null, rule: null, evidence: {}, rules_version: "1", why: "Counted.", shadow: [] };
  expect(readEvent({ ...event, verdict }).verdict.refusal).toBeNull();
  expect(() => readEvent({ ...event, time: "yesterday", verdict })).toThrow(TypeError);
});

test("rules are listed in the order they are asked", () => {
  const rule = { name: "repeat", kind: "repeat", reason: "repeat", mode: "shadow", door: "both", actions: ["view"], describes: "…" };
  expect(readRules({ version: "1", rules: [rule, { ...rule, name: "other", mode: "off" }] })).toEqual({
    version: "1", recorded: null,
    rules: [
      { name: "repeat", reason: "repeat", mode: "shadow", describes: "…" },
      { name: "other", reason: "repeat", mode: "off", describes: "…" },
    ],
  });
});

test("a ranking keeps the server's order", () => {
  const one = { object: "a", views: 9, refused: 1, people: 3, exact: true, error: 0 };
  expect(readRanking({ objects: [one, { ...one, object: "b" }], complete: false, formula: "people" }).objects.map(({ object }) => object))
    .toEqual(["a", "b"]);
});

test("what trends and what is hot are read as the server writes them", () => {
  const trending = { object: "post", score: 4.1, fast: 7.4, slow: 9.2, expected: 1.3, readers: 12 };
  expect(readTrends({ objects: [trending], provisional: true, formula: { text: "score = .." } })).toEqual({
    objects: [{ object: "post", readers: 12, score: 4.1, fast: 7.4, expected: 1.3 }], formula: "score = ..", provisional: true,
  });
  expect(readHot({ objects: [{ object: "post", events: 412 }], formula: { text: "..", halved_every: 10 } })).toEqual({
    objects: [{ object: "post", events: 412 }], halvedEvery: 10, provisional: false,
  });
});
