import { expect, test } from "vitest";
import { zeroOf } from "./account";
import { csvOf, hourColumns } from "./csv";
import { dayTotal, reasonAccount } from "./days";
import { total } from "./history";
import { hourRows, hourScale } from "./hours";
import { readReport, type HourReport } from "./reports";

const second = (text: string) => Date.parse(text) / 1000;

/** Hours as the server tells them: from a time on, with an offset. */
function hoursFrom(first: string, count: number, offset: string, counted: Readonly<Record<number, number>> = {}): object[] {
  return Array.from({ length: count }, (_, i) => {
    const there = new Date(Date.parse(`${first}Z`) + i * 3_600_000).toISOString().slice(0, 19);
    const events = counted[i] ?? 0;
    return { hour: `${there}${offset}`, events: events + (events > 0 ? 1 : 0), counted: events, refused: events > 0 ? { repeat: 1 } : {} };
  });
}

function read(hours: readonly object[]): HourReport[] {
  const report = readReport({
    object: "post", action: "view", events: 0, counted: 0, refused: {}, people: 0, exact: true, error: 0, provisional: false,
    tz: "Europe/Berlin", people_tz: "UTC", days: [], hours,
  });
  return [...report.hours ?? []];
}

const account = reasonAccount({ events: 9, counted: 7, refused: { repeat: 2 } });
const today = read(hoursFrom("2026-11-21T00:00:00", 24, "+01:00", { 8: 3, 9: 4 }));
const names = (hours: readonly HourReport[], now: number) => hourRows(account, hours, now).map(hourScale(hours, now).name);

test("an hour is read with the clock of its zone", () => {
  expect(today[8]).toMatchObject({ begin: second("2026-11-21T07:00:00Z"), day: "2026-11-21", clock: "08:00", offset: "+01:00", counted: 3 });
});

test("hours up to now add up to the day; quiet ones side by side are one row", () => {
  const now = second("2026-11-21T11:30:00Z");
  const rows = hourRows(account, today, now);
  expect(names(today, now)).toEqual(["00:00 to 07:59", "08:00 to 08:59", "09:00 to 09:59", "10:00 to now"].map(unbroken));
  expect(rows.map(({ all }) => all)).toEqual([0, 4, 5, 0]);
  expect(rows.at(-1)).toMatchObject({ seconds: 2.5 * 3600 });
  expect(total(zeroOf(account), rows)).toEqual(dayTotal(account, { events: 9, counted: 7, refused: { repeat: 2 } }));
});

test("the hour that is not over ends now, so that its rate is no drop; its first minutes are no peak", () => {
  const at = (time: string) => hourRows(account, today, second(time)).at(-1);
  expect(at("2026-11-21T08:40:00Z")).toMatchObject({ all: 5, seconds: 2400 });
  expect(at("2026-11-21T08:00:03Z")).toMatchObject({ all: 5, seconds: 900 });
  const scale = hourScale(today, second("2026-11-21T08:40:00Z"));
  expect(scale.step({ from: second("2026-11-21T08:00:00Z"), seconds: 2400 })).not.toBeNull();
  expect(scale.step({ from: second("2026-11-21T07:00:00Z"), seconds: 3600 })).toBeNull();
});

test("an event that is a little ahead of the clock is not cut off", () => {
  const rows = hourRows(account, today, second("2026-11-21T07:59:00Z"));
  expect(rows.map(({ all }) => all)).toEqual([0, 4, 5]);
});

test("two days are told apart, and a quiet night is one row of each", () => {
  const hours = read(hoursFrom("2026-11-20T00:00:00", 48, "+01:00", { 20: 1, 30: 1 }));
  expect(names(hours, second("2026-11-22T12:00:00Z"))).toEqual([
    "20 Nov, 00:00 to 19:59", "20 Nov, 20:00 to 20:59", "20 Nov, 21:00 to 23:59",
    "21 Nov, 00:00 to 05:59", "21 Nov, 06:00 to 06:59", "21 Nov, 07:00 to 23:59",
  ].map(unbroken));
  expect(hourScale(hours, 0).ticks?.(12 * 3600).map((time) => hourScale(hours, 0).tick(time, 0)))
    .toEqual(["20 Nov", "12:00", "21 Nov", "12:00"]);
});

test("where the clock is put back, the offset tells two hours apart", () => {
  const hours = read([...hoursFrom("2026-10-25T00:00:00", 3, "+02:00", { 2: 1 }), ...hoursFrom("2026-10-25T02:00:00", 22, "+01:00", { 0: 2 })]);
  const rows = names(hours, second("2026-11-01T00:00:00Z"));
  expect(rows).toEqual([
    "00:00 to 01:59, +02:00", "02:00 to 02:59, +02:00", "02:00 to 02:59, +01:00", "03:00 to 23:59, +01:00",
  ].map(unbroken));
  const scale = hourScale(hours, 0);
  expect((scale.extent?.[1] ?? 0) - (scale.extent?.[0] ?? 0)).toBe(25 * 3600);
  expect(scale.ticks?.(6 * 3600).map((time) => scale.tick(time, 0))).toEqual(["00:00", "06:00", "12:00", "18:00"]);
  expect(scale.ticks?.(2 * 3600).map((time) => scale.tick(time, 0)).slice(0, 3)).toEqual(["00:00", "02:00", "04:00"]);
  expect(scale.ticks?.(3600)).toHaveLength(25);
});

test("hours of a zone with a half hour begin where its clock says so", () => {
  const hours = read(hoursFrom("2026-11-21T00:00:00", 24, "+05:30"));
  expect(hours[0]?.begin).toBe(second("2026-11-20T18:30:00Z"));
  expect(hourScale(hours, 0).ticks?.(12 * 3600)).toEqual([second("2026-11-20T18:30:00Z"), second("2026-11-21T06:30:00Z")]);
});

test("nothing has begun, nothing is shown", () => {
  expect(hourRows(account, read(hoursFrom("2026-11-21T00:00:00", 24, "+00:00")), second("2026-11-20T12:00:00Z"))).toEqual([]);
});

test("in a file an hour has its time in UTC, as all times have", () => {
  const rows = hourRows(account, today, second("2026-11-22T12:00:00Z")).filter(({ all }) => all > 0);
  expect(csvOf(hourColumns(account), rows).split("\r\n").slice(0, 2))
    .toEqual(["hour,events,counted,refused_repeat", "2026-11-21T07:00:00Z,4,3,1"]);
});

/** As a narrow column must not break it. */
function unbroken(name: string): string {
  return name.split(", ").map((part) => part.replaceAll(" ", "\u00a0")).join(", ");
}
