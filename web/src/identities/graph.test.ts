import { expect, test } from "vitest";
import type { Id } from "./address";
import type { Fact } from "./answers";
import { graphOf, numbersOf } from "./graph";

const [a, b, c, d] = ["a", "b", "c", "d"].map((idValue): Id => ({ identifier: "www", idName: "id", idValue })) as [Id, Id, Id, Id];
const fact = (changes: Partial<Fact>): Fact => ({
  fact: "f", kind: "link", ids: [], others: [], about: null, time: 0, recorded: 0, source: "", author: "", reason: "", says: "",
  contested: null, revoked: false, ended: false, ...changes,
});
const facts = [
  fact({ ids: [c, b] }), fact({ ids: [d, b], contested: "per_profile" }), fact({ ids: [a, c] }), fact({ kind: "parting", ids: [a], others: [d] }),
];

test("ids stand as facts name them, those of others below; each fact leads through its ids", () => {
  const graph = graphOf([a, b, c], facts);
  expect(graph.rows.map(({ id, inside, first, last }) => [id.idValue, inside, first, last]))
    .toEqual([["c", true, 0, 2], ["b", true, 0, 1], ["a", true, 2, 3], ["d", false, 1, 3]]);
  expect(graph.columns.map(({ effect, rows, others }) => [effect, rows, others]))
    .toEqual([["holds", [0, 1], []], ["contested", [1, 3], []], ["holds", [0, 2], []], ["parting", [2], [3]]]);
  expect(graph.left).toEqual({ ids: 0, facts: 0 });
  expect(numbersOf(graph, 0, "holds")).toEqual([1, 3]);
  expect(numbersOf(graph, 3, "parting")).toEqual([4]);
});

test("a datum has no line, and the others keep the numbers of the chain", () => {
  const graph = graphOf([a, b], [fact({ kind: "datum", ids: [c] }), fact({ ids: [a, b] }), fact({ kind: "datum", ids: [a] }), fact({ kind: "accept", ids: [a] })]);
  expect(graph.columns.map(({ number, effect }) => [number, effect])).toEqual([[2, "holds"], [4, "decision"]]);
  expect(graph.rows.map(({ id, first, last }) => [id.idValue, first, last])).toEqual([["a", 0, 1], ["b", 0, 0]]);
  expect(numbersOf(graph, 0, "decision")).toEqual([4]);
  expect(graph.left).toEqual({ ids: 0, facts: 0 });
});

test("what is too much for a drawing is left out and counted", () => {
  const graph = graphOf([a, b, c], facts, { ids: 2, facts: 3 });
  expect(graph.rows.map(({ id }) => id.idValue)).toEqual(["c", "b"]);
  expect(graph.columns.map(({ rows }) => rows)).toEqual([[0, 1], [1], [0]]);
  expect(graph.left).toEqual({ ids: 2, facts: 1 });
});

test("an id that no fact names has a row, and no line", () => {
  expect(graphOf([a], []).rows).toEqual([{ id: a, inside: true, first: null, last: null }]);
});
