import { expect, test } from "vitest";
import type { Id } from "./address";
import type { Fact } from "./answers";
import { actsOf, byNetwork, countEffects, effectOf, leavesTogether, valueText } from "./facts";

function fact(changes: Partial<Fact> = {}): Fact {
  return {
    fact: "f", kind: "link", ids: [], others: [], about: null, time: 0, recorded: 0, source: "", author: "", reason: "", says: "",
    contested: null, revoked: false, ended: false, ...changes,
  };
}
const id = (idValue: string, identifier = "www"): Id => ({ identifier, idName: "id", idValue });

test("what a fact does, and what can be done about it", () => {
  const cases = [
    [fact(), "holds", ["undo"]],
    [fact({ contested: "per_profile" }), "contested", ["accept", "reject"]],
    [fact({ contested: "profile_ids" }), "contested", ["accept", "reject"]],
    [fact({ contested: "shared" }), "contested", ["reject"]],
    [fact({ contested: "parting" }), "contested", ["reject"]],
    [fact({ kind: "parting" }), "parting", ["revoke"]],
    [fact({ kind: "accept" }), "decision", ["revoke"]],
    [fact({ kind: "lift" }), "decision", ["revoke"]],
    [fact({ kind: "revoke" }), "decision", []],
    [fact({ kind: "datum" }), "datum", []],
    [fact({ kind: "parting", revoked: true }), "over", []],
    [fact({ contested: "shared", revoked: true }), "over", []],
    [fact({ ended: true }), "over", []],
  ] as const;
  for (const [one, effect, acts] of cases) {
    expect(effectOf(one)).toBe(effect);
    expect(actsOf(one), `${one.kind} ${one.contested}`).toEqual(acts);
  }
  expect(countEffects(cases.map(([one]) => one))).toEqual({ holds: 1, contested: 4, parting: 1, decision: 3, datum: 1, over: 3 });
});

test("ids by network, as they were said", () => {
  const ids = [{ ...id("late"), since: 5 }, { ...id("a", "crm"), since: 3 }, { ...id("early"), since: 1 }];
  expect(byNetwork(ids).map(({ identifier, ids: list }) => [identifier, ...list.map(({ idValue }) => idValue)]))
    .toEqual([["www", "early", "late"], ["crm", "a"]]);
});

test("a detach that changes nothing is told from one that parts", () => {
  const [a, b] = [id("a"), id("b")];
  expect(leavesTogether([a, b], [{ ids: [b, a, id("c")] }])).toBe(true);
  expect(leavesTogether([a, b], [{ ids: [a] }, { ids: [b] }])).toBe(false);
});

test("a value stands as it was sent, and says so where a browser keeps fewer digits", () => {
  expect([1971, -3, true, false, "Oslo", "", 9007199254740991].map(valueText)).toEqual(["1971", "-3", "true", "false", "Oslo", "", "9007199254740991"]);
  expect(valueText(9223372036854775807)).toBe("about 9.22337203685e+18");
});
