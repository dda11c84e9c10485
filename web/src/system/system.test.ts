import { expect, test } from "vitest";
import { lineAddress, namesAddress, nowAddress, serverOf, spanOf, spans } from "./address";
import { extentOf, firstOf, newest, readLines, readNames, stateOf } from "./answers";
import { budget, jobs, measures } from "./measures";
import { spanScale } from "./scale";
import { figureText, measuredIn, shareText } from "./units";

const [hour] = spans;
const week = spanOf("?range=7d");

test("the address names a range and a server, or neither", () => {
  expect(spanOf("")).toBe(hour);
  expect(spanOf("?range=1m")).toBe(hour);
  expect(week.label).toBe("7 days");
  expect(serverOf("?server=shop-1")).toBe("shop-1");
  expect(serverOf("?server=")).toBeNull();
  for (const { seconds, step } of spans) expect(seconds / step, "enough steps for a line, few enough for a table").toBeLessThanOrEqual(120);
});

test("what is asked for are Graphite's expressions of the server's own series", () => {
  const targets = (address: string) => new URL(address, "http://x").searchParams.getAll("target");
  const events = measures.filter(({ key }) => key === "events");
  const address = lineAddress("shop-1", events, hour);
  expect(targets(address)).toEqual(
    ['alias(summarize(sumSeries(perSecond(keepLastValue(footfall.shop-1.events_judged_total.*,10))),"30s","avg"),"events")']);
  expect(new URL(address, "http://x").search).toContain("&from=-3600s&format=json");
  expect(lineAddress("shop-1", events, hour, "csv")).toBe(address.replace("format=json", "format=csv"));
  const all = [...measures, budget, ...jobs];
  expect(targets(nowAddress("a", all))).toHaveLength(all.length);
  expect(new Set(all.map(({ key }) => key)).size, "an answer tells them apart by their keys").toBe(all.length);
  for (const target of targets(nowAddress("a", all))) expect(target).toMatch(/^alias\(\w+\(.*footfall\.a\..*\),"\w+"\)$/);
  expect(namesAddress).toBe("/metrics/find?query=footfall.*");
});

test("an answer is lines by their names", () => {
  const lines = readLines([{ target: "a", tags: {}, datapoints: [[null, 10], [1.5, 20]] }, { target: "b", datapoints: [] }]);
  expect(lines).toEqual({ a: [{ at: 10, value: null }, { at: 20, value: 1.5 }], b: [] });
  expect(extentOf(lines.a ?? [])).toEqual({ least: 1.5, most: 1.5 });
  expect(extentOf(lines.b ?? [])).toBeNull();
  expect(() => readLines([{ target: "a", datapoints: [["1", 10]] }])).toThrow(TypeError);
});

test("of a rate the mean of the minute counts, of all else the newest value", () => {
  const points = [{ at: 0, value: null }, { at: 10, value: 1 }, { at: 20, value: 4 }, { at: 30, value: null }];
  expect(newest("rate", points)).toBe(2.5);
  expect(newest("bytes", points)).toBe(4);
  expect(newest("rate", [])).toBeNull();
  expect(newest("count", undefined)).toBeNull();
});

test("servers are the branches under footfall that an expression can name", () => {
  const node = (text: string, leaf: number) => ({ text, leaf, id: `footfall.${text}` });
  expect(readNames([node("shop-1", 0), node("alone", 1), node("a(b", 0), node("söhne:2", 0)])).toEqual(["shop-1", "söhne:2"]);
  expect(firstOf(["a", "b"], ["b"])).toBe("b");
  expect(firstOf(["a", "b"], [])).toBe("a");
  expect(firstOf([], ["b"])).toBeNull();
});

test("a server that has just begun is not one that keeps nothing", () => {
  expect(stateOf(["a"], null, null)).toBe("there");
  expect(stateOf([], null, null)).toBe("soon");
  expect(stateOf([], 1000, 1019)).toBe("soon");
  expect(stateOf([], 1000, 1020)).toBe("off");
});

test("figures are written in the unit that reads best", () => {
  expect(figureText("bytes", 0)).toBe("0 bytes");
  expect(figureText("bytes", 1023)).toBe("1,023 bytes");
  expect(figureText("bytes", 124_000_000)).toBe("118 MiB");
  expect(figureText("bytes", 59e9)).toBe("54.9 GiB");
  expect(figureText("seconds", 0)).toBe("0 s");
  expect(figureText("seconds", 0.00042)).toBe("0.42 ms");
  expect(figureText("seconds", 4.2)).toBe("4.20 s");
  expect(figureText("seconds", 5400)).toBe("1.50 h");
  expect(figureText("rate", 0.125)).toBe("0.13 a second");
  expect(figureText("rate", 2_500_000)).toBe("2.5M a second");
  expect(figureText("count", 12_345)).toBe("12,345");
  expect(measuredIn("bytes", 3 << 20)).toEqual({ name: "MiB", by: 1 << 20 });
  expect(shareText(0, 300)).toBe("0 %");
  expect(shareText(1, 30_000)).toBe("< 0.1 %");
  expect(shareText(1, 300)).toBe("0.3 %");
  expect(shareText(100, 300)).toBe("33 %");
});

test("ticks stand at the reader's midnights and hours", () => {
  const midnight = Date.UTC(2026, 10, 29) / 1000;
  const scale = spanScale(week, midnight - 7 * 86_400 - 600, midnight + 4800, 3600);
  expect(scale.ticks?.(86_400)?.at(-1)).toBe(midnight - 3600);
  expect(scale.tick(midnight - 3600, 86_400)).toBe("29 Nov");
  expect(scale.ticks?.(86_400)).toHaveLength(7);
});
