import { describe, expect, test } from "vitest";
import { readRule, readRuled, withinOf, wordsOf, writeRule } from "./rule";
import { draftOf, faultAt, fresh, jsonOf, valueOf } from "./rule_draft";

const said = (json: unknown) => wordsOf(readRule(json));

describe("a rule in words", () => {
  test("by event, by datum, by segment", () => {
    expect(said({ event: { action: "click", ad: "spring", times: 2, within: "30d" } }).text).toBe("who clicked ad “spring” at least twice within 30 days");
    expect(said({ event: { action: "view", object: "post-1", reseller: "r", publisher: "p", times: 5, within: "7200s" } }).text)
      .toBe("who viewed “post-1” through reseller “r” at publisher “p” at least 5 times within 2 hours");
    expect(said({ event: { action: "vote", object: "x", within: "3600s" } }).text).toBe("who did “vote” on “x” within an hour");
    expect(said({ datum: { name: "city", is: "Oslo" } }).text).toBe("whose “city” is “Oslo”");
    expect(said({ datum: { name: "age", at_least: 18, at_most: 65 } }).text).toBe("whose “age” is at least 18 and at most 65");
    expect(said({ segment: "keen" }).text).toBe("who are in “keen”");
  });

  test("groups are lists in each other", () => {
    const words = said({ all: [{ segment: "a" }, { not: { any: [{ segment: "b" }, { datum: { name: "vip", is: true } }] } }] });
    expect(words.parts.map(({ text }) => text)).toEqual(["who are in “a”", "not those of whom any of this holds:"]);
    expect(words.parts[1]?.parts.map(({ text }) => text)).toEqual(["who are in “b”", "whose “vip” is true"]);
  });

  test("a time is told in the largest unit that it is whole in", () => {
    expect(withinOf("90s")).toEqual({ count: 90, unit: "s" });
    expect(withinOf("172800s")).toEqual({ count: 2, unit: "d" });
    expect(withinOf("soon")).toBeNull();
  });
});

describe("a rule that is written", () => {
  test("comes out of the form as it went in", () => {
    for (const json of [
      { event: { action: "click", ad: "spring", times: 2, within: "30d" } },
      { all: [{ event: { action: "view", times: 1, within: "2h" } }, { not: { segment: "keen" } }] },
      { any: [{ datum: { name: "age", at_least: 18 } }, { datum: { name: "zip", is: "0150" } }, { datum: { name: "vip", is: false } }] },
      { datum: { name: "code", is: "12" } },
    ]) {
      const draft = draftOf(readRule(json));
      expect(draft).not.toBeNull();
      expect(draft === null ? null : readRule(jsonOf(draft))).toEqual(readRule(json));
    }
  });

  test("of what the form has no fields for there is no draft", () => {
    for (const json of [
      { all: [{ any: [{ segment: "a" }] }] },
      { event: { action: "click", ad: "a", reseller: "r", within: "1d" } },
      { not: { not: { segment: "a" } } },
    ]) expect(draftOf(readRule(json))).toBeNull();
  });

  test("what is no number goes to the server as it was typed, to be refused there", () => {
    expect(jsonOf({ join: "all", conditions: [{ ...fresh, times: "often", within: "" }] }))
      .toEqual({ event: { action: "click", ad: "", times: "often", within: "d" } });
    expect([valueOf("12"), valueOf(" \"12\" "), valueOf("true"), valueOf("0.5")]).toEqual([12, "12", true, "0.5"]);
  });

  test("a fault is told at its condition", () => {
    const one = { join: "all", conditions: [fresh] } as const;
    expect(faultAt(one, "rule.event.within")).toEqual({ at: 0, part: "within" });
    const two = { join: "any", conditions: [fresh, { ...fresh, kind: "datum", negated: true }] } as const;
    expect(faultAt(two, "rule.any[1].not.datum.at_most")).toEqual({ at: 1, part: "at_most" });
    expect(faultAt(two, "rule.any[1].not.datum")).toEqual({ at: 1, part: "datum" });
    expect(faultAt(two, "rule")).toBeNull();
  });
});

test("a segment with its rule, and how a rule is sent", async () => {
  expect(readRuled({ name: "a", people: 3, exact: true, error: 0 }).rule).toBeNull();
  const { rule } = readRuled({
    name: "a", people: 3, exact: true, error: 0, rule: { segment: "b" }, rule_author: "ops", rule_since: "2026-11-30T00:00:00Z", rule_in_force: false,
  });
  expect(rule).toMatchObject({ is: { kind: "segment", name: "b" }, author: "ops", inForce: false });
  let sent: [string, unknown] | null = null;
  const by = async (address: string, more: RequestInit) => { sent = [address, more.body]; return new Response("{}"); };
  await writeRule("a/b", null, by as typeof fetch);
  expect(sent).toEqual(["/api/v1/segments/a%2Fb", '{"rule":null}']);
});
