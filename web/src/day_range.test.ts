import { expect, test } from "vitest";
import { dayQuery, dayRangeOf, isByHour, isDay, zones } from "./day_range";

const evening = Date.parse("2026-11-21T23:30:00Z") / 1000;

test("without a word everything is shown, in UTC", () => {
  const range = dayRangeOf("", evening);
  expect(range).toMatchObject({ key: "all", from: null, to: null, tz: "UTC" });
  expect(dayQuery(range).toString()).toBe("");
});

test("a preset ends today, in the zone that is chosen", () => {
  expect(dayRangeOf("?days=7d", evening)).toMatchObject({ from: "2026-11-15", to: "2026-11-21" });
  const berlin = dayRangeOf("?days=today&tz=Europe%2FBerlin", evening);
  expect(berlin).toMatchObject({ from: "2026-11-22", to: "2026-11-22" });
  expect(dayQuery(berlin).toString()).toBe("from=2026-11-22&to=2026-11-22&group_by=hour&tz=Europe%2FBerlin");
});

test("days of one's own go before a preset, both included", () => {
  expect(dayRangeOf("?from=2026-11-01&to=2026-11-03&days=7d", evening))
    .toMatchObject({ key: "custom", from: "2026-11-01", to: "2026-11-03", spoken: "1 Nov to 3 Nov 2026" });
});

test("one day or two are asked for by the hour, more by the day", () => {
  const byHour = (search: string) => isByHour(dayRangeOf(search, evening));
  expect(["?days=today", "?from=2026-11-20&to=2026-11-21", "?from=2026-11-19&to=2026-11-21", "?days=all"].map(byHour))
    .toEqual([true, true, false, false]);
});

test("what is no range is not guessed at", () => {
  for (const search of ["?from=2026-11-31&to=2026-12-01", "?from=2026-11-03&to=2026-11-01", "?from=2026-11-03", "?days=5y"]) {
    expect(dayRangeOf(search, evening).key).toBe("all");
  }
  expect([isDay("2024-02-29"), isDay("2026-02-29"), isDay("2026-2-1"), isDay(null)]).toEqual([true, false, false, false]);
});

test("a zone the browser does not know is left to the server", () => {
  expect(dayRangeOf("?days=today&tz=Mars%2FOlympus", evening)).toMatchObject({ tz: "Mars/Olympus", from: "2026-11-21" });
});

test("UTC and the reader's own zone are offered first, each once", () => {
  const all = zones("Europe/Berlin");
  expect(all.slice(0, 2)).toEqual(["UTC", "Europe/Berlin"]);
  expect(new Set(all).size).toBe(all.length);
});
