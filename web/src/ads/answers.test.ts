import { expect, test } from "vitest";
import { readCheck, readClickReport, readMonths, readParties, readSplit } from "./answers";

test("the split is read as text, also where the network pays", () => {
  const split = { amount: "10", resellers: "8", publishers: "3.5", network: "-1.5" };
  expect(readSplit(split)).toEqual({ currency: null, ...split });
  expect(readSplit({ ...split, currency: "EUR" }).currency).toBe("EUR");
  expect(() => readSplit({ ...split, network: -1.5 })).toThrow(TypeError);
});

test("parties have an amount for each currency, or none for who may not see money", () => {
  const read = readParties("reseller");
  expect(read({ resellers: [{ reseller: "r", amounts: { EUR: "1.5", USD: "2" }, clicks: 3 }], next: "c" })).toEqual({
    parties: [{ name: "r", amounts: [["EUR", "1.5"], ["USD", "2"]], clicks: 3 }], more: true,
  });
  expect(read({ resellers: [{ reseller: "r", clicks: 3 }], next: null })).toEqual({
    parties: [{ name: "r", amounts: [], clicks: 3 }], more: false,
  });
  expect(readParties("publisher")({ publishers: [], next: null }).parties).toEqual([]);
});

test("months come newest first, whatever their order was", () => {
  const { zone, months } = readMonths({ zone: "Europe/Berlin", currency: "EUR", months: [
    { month: "2026-09", state: "sealed", sealed_at: "2026-10-03T08:00:00Z", author: "m.ito", reason: "paid out" },
    { month: "2026-10", state: "sealing", sealed_at: null, author: "m.ito", reason: "paid out" },
    { month: "2026-11", state: "open", sealed_at: null, author: null, reason: null },
  ] });
  expect(zone).toBe("Europe/Berlin");
  expect(months.map(({ month, state }) => [month, state])).toEqual([["2026-11", "open"], ["2026-10", "sealing"], ["2026-09", "sealed"]]);
  expect(months[2]).toMatchObject({ sealed: Date.parse("2026-10-03T08:00:00Z") / 1000, author: "m.ito" });
});

test("a check may never have been", () => {
  expect(readCheck({ checked_at: null, differences: 0, first: [] })).toEqual({ at: null, differences: 0, first: [] });
  expect(readCheck({ checked_at: "1970-01-01T00:01:00Z", differences: 2, first: ["r, 2026-10-01: 1 is 2", { day: "2026-10-02" }] }))
    .toEqual({ at: 60, differences: 2, first: ["r, 2026-10-01: 1 is 2", '{"day":"2026-10-02"}'] });
});

test("clicks, sales and refunds are what was counted", () => {
  const counts = { events: 9, clicks: 4, sales: 1, refunds: 1, refused: { repeat: 3 } };
  const report = readClickReport({ ad: "a", ...counts, days: [{ day: "2026-11-20", ...counts }] });
  expect(report).toMatchObject({ events: 9, counted: 6, refused: { repeat: 3 } });
  expect(report.days[0]).toMatchObject({ day: "2026-11-20", counted: 6 });
});
