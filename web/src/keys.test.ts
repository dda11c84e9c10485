import { expect, test } from "vitest";
import { match, type Binding } from "./keys";

const binding = (keys: string): Binding => ({ keys, does: keys, run: () => undefined });
const overview = binding("g o");
const table = binding("t");
const list = [overview, table, binding("/")];

test("a single key", () => {
  expect(match(list, null, "t")).toBe(table);
  expect(match(list, null, "x")).toBeNull();
});

test("a pair needs both halves in order", () => {
  expect(match(list, null, "g")).toBe("begun");
  expect(match(list, "g", "o")).toBe(overview);
  expect(match(list, null, "o")).toBeNull();
});

test("a pair broken off is an ordinary key again", () => {
  expect(match(list, "g", "t")).toBe(table);
  expect(match(list, "g", "g")).toBe("begun");
});
