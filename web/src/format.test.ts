import { describe, expect, test } from "vitest";
import {
  axisFigure, clock, cutName, dayOf, daysText, dayText, milliseconds, plusMinus, rate, reasonText, roof, shares, shortName, timestamp, whole,
} from "./format";

test("whole numbers are grouped", () => {
  expect(whole(0)).toBe("0");
  expect(whole(1234567)).toBe("1,234,567");
});

test("delays carry three figures", () => {
  expect([0.314, 4.2, 12.54, 1204.4].map(milliseconds)).toEqual(["0.31", "4.20", "12.5", "1,204"]);
});

test("rates are whole where they can be", () => {
  expect([3, 0.0667, 14.25, 1234.5].map(rate)).toEqual(["3", "0.07", "14.3", "1,235"]);
});

test("shares add up to a hundred, and nothing has no share", () => {
  expect(shares([37, 63])).toEqual(["37.0 %", "63.0 %"]);
  expect(shares([1, 2])).toEqual(["33.3 %", "66.7 %"]);
  expect(shares([739, 1261])).toEqual(["37.0 %", "63.0 %"]);
  expect(shares([1, 1, 1])).toEqual(["33.3 %", "33.4 %", "33.3 %"]);
  expect(shares([5, 5, 0])).toEqual(["50.0 %", "50.0 %", "0.0 %"]);
  expect(shares([0, 0])).toBeNull();
});

test("axis figures stay short", () => {
  expect([0, 0.5, 250, 1500, 20_000_000, 3e9].map(axisFigure)).toEqual(["0", "0.5", "250", "1.5k", "20M", "3G"]);
  expect([0.002, 0.30000000000000004, -0.5, -1500].map(axisFigure)).toEqual(["0.002", "0.3", "-0.5", "-1.5k"]);
});

test("an axis ends at a round figure above everything drawn", () => {
  expect([0, 1, 0.45, 97, 230, 9_700].map(roof)).toEqual([1, 1.2, 0.5, 120, 250, 12_000]);
});

test("files get whole seconds in RFC 3339", () => {
  expect(timestamp(1763719200)).toBe("2025-11-21T10:00:00Z");
});

test("a moment is read in the zone that is asked for", () => {
  const evening = Date.parse("2026-11-21T23:30:05Z") / 1000;
  expect([clock(evening, "second", "UTC"), clock(evening, "minute", "Asia/Tokyo")]).toEqual(["23:30:05", "08:30"]);
  expect([dayOf(evening, "UTC"), dayOf(evening, "Asia/Tokyo"), dayOf(evening, "Mars/Olympus")])
    .toEqual(["2026-11-21", "2026-11-22", "2026-11-21"]);
});

test("days and stretches of days", () => {
  const day = (name: string) => Date.parse(name) / 1000;
  expect([dayText(day("2026-11-21")), dayText(day("2026-11-21"), "short")]).toEqual(["21 Nov 2026", "21 Nov"]);
  expect(daysText(day("2026-11-01"), day("2026-11-21"))).toBe("1 Nov to 21 Nov 2026");
  expect(daysText(day("2025-12-31"), day("2026-01-02"))).toBe("31 Dec 2025 to 2 Jan 2026");
  expect(daysText(day("2026-11-01"), day("2026-11-01"))).toBe("1 Nov 2026");
});

test("an error has two figures, a reason its words", () => {
  expect([0.00759609, 0.008, 0.0123].map(plusMinus)).toEqual(["±0.76 %", "±0.8 %", "±1.2 %"]);
  expect(reasonText("repeat_fast")).toBe("repeat fast");
});

describe("names", () => {
  test("short ones stay whole", () => {
    expect(cutName("/a")).toEqual({ start: "/a", middle: "", end: "", tail: "" });
  });

  test("long ones keep both ends and lose nothing", () => {
    const name = "/articles/2026/11/" + "x".repeat(170) + "/page-000042";
    const { start, middle, end, tail } = cutName(name);
    expect([start.length, tail]).toEqual([60, "age-000042"]);
    expect(end.length + tail.length).toBe(60);
    expect(start + middle + end + tail).toBe(name);
  });

  test("what a few lines hold is not left out of them", () => {
    const name = "/articles/" + "x".repeat(110);
    const { start, middle, end, tail } = cutName(name);
    expect([middle, start + end + tail]).toEqual(["", name]);
    expect(cutName(`${name}y`).middle).toHaveLength(1);
  });

  test("what tells a name from those beside it is not left out", () => {
    const named = (title: string) => `https://example.org/articles/2026/11/${"a-common-start-".repeat(6)}${title}${"?utm=all-the-same".repeat(6)}`;
    const names = [named("apples"), named("pears"), "https://example.org/"];
    for (const name of names) {
      const { start, middle, end, tail } = cutName(name, names);
      expect(start + middle + end + tail).toBe(name);
      expect(middle).not.toMatch(/apples|pears/);
    }
    expect(cutName(named("apples"), names).middle).not.toBe("");
    expect(cutName(named("apples")).middle).toMatch("apples");
  });

  test("a name that differs early keeps its end", () => {
    const names = ["a", "b"].map((first) => `${first}${"-the-same".repeat(20)}`);
    const { end, tail } = cutName(names[0] ?? "", names);
    expect(end.length + tail.length).toBe(60);
  });

  test("a character of several code points is not split", () => {
    const { start, end, tail } = cutName("a".repeat(30) + "👩‍👩‍👧".repeat(10));
    expect(tail).toBe("👩‍👩‍👧".repeat(10));
    expect(start + end).toBe("a".repeat(30));
  });
});

test("a short name keeps its ends, and what tells it from others", () => {
  expect(shortName("www")).toBe("www");
  expect(shortName("maren.holm@the-evening-courier.example")).toBe("maren.holm@the-even…er.example");
  const start = "https://example.org/articles/2026/11/why-the-seas-of-the-world-are-";
  const [one, other] = [`${start}salty?utm_medium=email`, `${start}not-salty?utm_medium=email`] as const;
  expect(shortName(one, [one, other])).toBe("https://…are-salty?utm…m=email");
  expect(shortName(other, [one, other])).toBe("https://…are-not-salty…m=email");
  expect(shortName(`${start}a`, [`${start}a`, `${start}b`]), "its end tells it already").toBe("https://example.org…orld-are-a");
  expect(shortName("x".repeat(5000)).length).toBe(30);
});
