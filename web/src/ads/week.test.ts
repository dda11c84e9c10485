import { expect, test } from "vitest";
import { busiest, weekOf } from "./week";

test("hours of several weeks are put together by weekday and clock", () => {
  const week = weekOf([
    { name: "2026-11-20T18:00:00+01:00", clicks: 3 },
    { name: "2026-11-13T18:00:00+01:00", clicks: 4 },
    { name: "2026-11-22T00:30:00+05:30", clicks: 1 },
    { name: "2026-11-23T23:00:00Z", clicks: 2 },
  ]);
  expect(week.hours[4]?.[18]).toBe(7);
  expect(week.hours[6]?.[0]).toBe(1);
  expect(week.hours[0]?.[23]).toBe(2);
  expect(week).toMatchObject({ most: 7, all: 10 });
  expect(busiest(week)).toBe("Friday, 18:00");
});

test("without a click there is no busiest hour", () => {
  expect(busiest(weekOf([]))).toBeNull();
});
