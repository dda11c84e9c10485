import { describe, expect, test } from "vitest";
import {
  addSecond, buckets, emptyHistory, keptSeconds, lastCommit, lastSeconds, newestSecond, replaceHistory, total,
  type History, type Second, type Total,
} from "./history";
import type { TokenPart } from "./account";

const zero = { fresh: 0, already: 0, unsure: 0 };
const nothing = emptyHistory<TokenPart>(zero);

const second = (
  time: number, put: number, fresh = 0, slowest: number | null = put > 0 ? 1 : null, unsure = 0,
): Second<TokenPart> => ({ time, parts: { fresh, already: put - fresh - unsure, unsure }, slowest });

const sum = (all: number, fresh: number, already: number, unsure: number): Total<TokenPart> =>
  ({ all, parts: { fresh, already, unsure } });

function told(...seconds: Second<TokenPart>[]): History<TokenPart> {
  return seconds.reduce((history, one) => addSecond(history, one), nothing);
}

function totalOf(history: History<TokenPart>, length: number): Total<TokenPart> {
  return total(zero, lastSeconds(history, length));
}

describe("a reconnect", () => {
  test("replaces what was known and does not double it", () => {
    const before = told(second(100, 5, 2), second(101, 7, 3));
    const after = replaceHistory(before, [second(100, 5, 2), second(101, 7, 3)]);
    expect(totalOf(after, 60)).toEqual(sum(12, 5, 7, 0));
  });

  test("a second told by the history and again by the stream stands once", () => {
    const history = addSecond(replaceHistory(nothing, [second(100, 5, 2)]), second(100, 5, 2));
    expect(totalOf(history, 60).all).toBe(5);
    expect(history.seconds).toHaveLength(1);
  });

  test("a server that forgot its history starts from zero, and the window does not jump back", () => {
    const after = replaceHistory(told(second(100, 5, 2)), []);
    expect(after).toEqual({ zero, seconds: [], end: 100 });
  });

  test("what a clock told that was ahead does not empty the window", () => {
    const after = replaceHistory(told(second(86_500, 5, 2)), [second(100, 5, 2), second(101, 7, 3)]);
    expect(after.end).toBe(101);
    expect(totalOf(after, 60)).toEqual(sum(12, 5, 7, 0));
    expect(totalOf(addSecond(after, second(102, 1)), 60).all).toBe(13);
  });

  test("seconds missed while away are filled in", () => {
    const after = replaceHistory(told(second(100, 5)), [second(100, 5), second(103, 4), second(105, 1)]);
    expect(totalOf(after, 60).all).toBe(10);
    expect(after.end).toBe(105);
  });

  test("a history out of order or with a second twice is put right", () => {
    const history = replaceHistory(nothing, [second(103, 4), second(100, 1), second(103, 4)]);
    expect(history.seconds.map((s) => s.time)).toEqual([100, 103]);
  });
});

describe("gaps", () => {
  test("are zero in sums and rows", () => {
    const history = told(second(100, 5, 2), second(104, 1, 1));
    expect(buckets(history, 6, 1).map((b) => b.all)).toEqual([0, 5, 0, 0, 0, 1]);
    expect(totalOf(history, 4).all).toBe(1);
  });

  test("an idle second moves the window on and is not kept", () => {
    const history = told(second(100, 5, 2), second(160, 0));
    expect(history.seconds).toHaveLength(1);
    expect(totalOf(history, 60).all).toBe(0);
    expect(newestSecond(history)).toEqual(second(160, 0));
  });

  test("nothing heard: nothing to show", () => {
    expect(buckets(nothing, 60, 1)).toEqual([]);
    expect(lastSeconds(nothing, 60)).toEqual([]);
  });
});

describe("the cap", () => {
  test("an hour is kept from a longer history", () => {
    const many = Array.from({ length: 5000 }, (_, i) => second(1000 + i, 1));
    const history = replaceHistory(nothing, many);
    expect(history.seconds).toHaveLength(keptSeconds);
    expect(history.seconds[0]?.time).toBe(6000 - keptSeconds);
  });

  test("an hour is kept of a stream that never ends", () => {
    let history = nothing;
    for (let i = 0; i < 4000; i++) history = addSecond(history, second(i, 1));
    expect(history.seconds).toHaveLength(keptSeconds);
    expect(totalOf(history, keptSeconds).all).toBe(keptSeconds);
  });
});

describe("buckets", () => {
  const busy = told(...Array.from({ length: 3600 }, (_, i) =>
    second(1_763_719_217 + i, (i * 7) % 11 + 2, i % 3 ? 0 : 1, 1, i % 2)));

  test.each([[60, 1], [300, 5], [900, 15], [3600, 60]])("%i s in rows of %i s add up to the headline", (length, width) => {
    const rows = buckets(busy, length, width);
    expect(total(zero, rows)).toEqual(totalOf(busy, length));
    expect(rows.reduce((sum, row) => sum + row.seconds, 0)).toBe(length);
    for (const row of rows) expect(row.all).toBe(row.parts.fresh + row.parts.already + row.parts.unsure);
  });

  test("start at multiples of their width, so that rows keep their time", () => {
    const starts = (history: History) => buckets(history, 300, 5).slice(1, -1).map((b) => b.from);
    const next = addSecond(busy, second(busy.end! + 1, 3));
    for (const start of starts(busy)) expect(start % 5).toBe(0);
    expect(starts(next).filter((t) => starts(busy).includes(t)).length).toBeGreaterThanOrEqual(starts(busy).length - 1);
  });

  test("name the slowest commit of each", () => {
    const history = told(second(100, 1, 1, 0.4), second(101, 1, 1, 9), second(102, 0, 0, null));
    expect(buckets(history, 10, 10).at(-1)?.slowest).toBe(9);
    expect(lastCommit(history)?.time).toBe(101);
  });
});

test("a token above a limit is neither new nor counted already", () => {
  const history = told(second(100, 9, 2, 1, 4), second(101, 3, 1));
  expect(totalOf(history, 60)).toEqual(sum(12, 3, 5, 4));
  expect(buckets(history, 10, 10).at(-1)).toMatchObject(sum(12, 3, 5, 4));
});

test("a clock set back is followed", () => {
  const history = told(second(200, 5), second(150, 2));
  expect(history.end).toBe(150);
  expect(totalOf(history, 60).all).toBe(2);
});
