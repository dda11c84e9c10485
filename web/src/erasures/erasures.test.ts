import { expect, test } from "vitest";
import { cursorOf, listAddress, receiptOf } from "./address";
import { readReceipts, readTrial } from "./answers";
import { kindName, partName, waitsFor } from "./says";

test("receipts are read, and one stands in the address", () => {
  const one = { receipt: "a".repeat(48), state: "open", open: ["log"], at: "2026-11-29T18:40:37Z", kind: "profile", ids: 2 };
  expect(readReceipts({ erasures: [one], next: null })).toEqual({ receipts: [{ receipt: one.receipt, open: ["log"], at: 1795977637, kind: "profile", ids: 2 }], next: null });
  expect([receiptOf(`?receipt=${one.receipt}`), receiptOf("?receipt=../x"), cursorOf("?after=")]).toEqual([one.receipt, null, null]);
  expect(listAddress("b")).toBe("/api/v1/erasures?limit=50&cursor=b");
  expect([partName("kafka"), kindName("actor"), waitsFor("new part")]).toEqual(["topics", "an actor", "new part"]);
});

test("what would go is read, of whichever rows the server counts", () => {
  expect(readTrial({ dry_run: true, ids: 2, facts: 1, facts_changed: 3 })).toEqual({ ids: 2, facts: 1, changed: 3, rows: [] });
  expect(readTrial({ dry_run: true, ids: 1 })).toEqual({ ids: 1, facts: null, changed: null, rows: [] });
  const rows = { segments: 3, reading: { read_fact: 2 } };
  expect(readTrial({ dry_run: true, ids: 1, rows }).rows).toEqual([{ of: "segments", rows: 3 }, { of: "read fact", rows: 2 }]);
  const jobs = [{ job: "segments", rows: 3 }, { table: "person", rows: 1 }];
  expect(readTrial({ dry_run: true, ids: 1, jobs }).rows).toEqual([{ of: "segments", rows: 3 }, { of: "person", rows: 1 }]);
});
