import { expect, test } from "vitest";
import { rateOn, readRates, readTrial, standingOf, stepsOf } from "./rates";

const told = (effective_since: string, reward_percent: string | null, recorded_at: string, reason = "contract") => ({
  effective_since, reward_percent, recorded_at, reason, author: "m.ito", booked: "2026-10",
});
const { changes, etag } = readRates({
  reseller: "supernova-media",
  rates: [
    told("2026-10-15", "0.3", "2026-11-10T09:00:00Z", "volume bonus"),
    told("2026-10-15", "0.28", "2026-10-14T09:00:00Z"),
    told("2026-06-01", null, "2026-06-02T09:00:00Z", "by mistake"),
    told("2026-06-01", "0.9", "2026-06-01T09:00:00Z"),
    told("2026-02-01", "0.25", "2026-01-28T09:00:00Z"),
    told("2024-02-13", "0.2", "2024-02-13T09:00:00Z"),
  ],
}, new Response(null, { headers: { ETag: '"6"' } }));

test("every change is read with both its times, and the list with what it is called", () => {
  expect(etag).toBe('"6"');
  expect(changes[0]).toEqual({
    day: "2026-10-15", fraction: "0.3", recorded: Date.parse("2026-11-10T09:00:00Z") / 1000,
    author: "m.ito", reason: "volume bonus", booked: "2026-10",
  });
  expect(() => readRates({ rates: [told("2026-10-15", 0.3 as never, "2026-11-10T09:00:00Z")] }, new Response())).toThrow(TypeError);
});

test("the steps are the rates that hold: the last recorded of a day, without the days taken back", () => {
  expect(stepsOf(changes)).toEqual([
    { day: "2024-02-13", fraction: "0.2" }, { day: "2026-02-01", fraction: "0.25" }, { day: "2026-10-15", fraction: "0.3" },
  ]);
  expect(stepsOf([])).toEqual([]);
});

test("a day has the rate of the last step before it, and none before the first", () => {
  const steps = stepsOf(changes);
  expect(rateOn(steps, "2024-02-12")).toBe("0");
  expect(rateOn(steps, "2024-02-13")).toBe("0.2");
  expect(rateOn(steps, "2026-07-01")).toBe("0.25");
  expect(rateOn(steps, "2026-11-21")).toBe("0.3");
});

test("each change says what became of it", () => {
  expect(changes.map((change) => standingOf(changes, change)))
    .toEqual(["holds", "replaced", "withdrawal", "withdrawn", "holds", "holds"]);
});

test("what a change would move is told by currency", () => {
  const trial = readTrial({
    reseller: "r", effective_since: "2026-10-15", reward_percent: "0.3", would_record: true,
    movements: [{
      currency: "EUR", days: 24, first_day: "2026-10-15", last_day: "2026-11-10", before: "20", after: "24.2", difference: "4.2",
    }],
  });
  expect(trial).toEqual({
    day: "2026-10-15", fraction: "0.3", wouldRecord: true,
    movements: [{
      currency: "EUR", days: 24, first: "2026-10-15", last: "2026-11-10", before: "20", after: "24.2", difference: "4.2",
    }],
  });
});
