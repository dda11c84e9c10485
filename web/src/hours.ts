// A report's hours as the rows of a chart: by the clock of its zone, up to now.

import { rowOf, type Account } from "./account";
import { dayStart, dayTotal } from "./days";
import { dayText } from "./format";
import type { Row } from "./history";
import type { HourReport } from "./reports";
import { hour, type Scale } from "./scale";

/**
 * The least that the hour which is not over is taken for. A height is a rate: of the first seconds of an hour it would be
 * no more than chance.
 */
const leastOfHour = 900;

/**
 * The hours that have begun, oldest first, and those in which something happened. Hours without events side by side are
 * one row, if they are of one day and the clock was not changed between them. The hour that is not over ends now.
 */
export function hourRows(account: Account, hours: readonly HourReport[], now: number): Row[] {
  const rows: Row[] = [];
  let before: HourReport | null = null;
  for (const one of hours.slice(0, begun(hours, now) + 1)) {
    const end = Math.min(endOf(hours, one), Math.max(now, one.begin + leastOfHour));
    const last = rows.at(-1);
    if (last?.all === 0 && one.events === 0 && before?.day === one.day && before.offset === one.offset) {
      rows[rows.length - 1] = { ...last, seconds: end - last.from };
    } else {
      rows.push(rowOf(one.begin, end - one.begin, dayTotal(account, one).parts));
    }
    before = one;
  }
  return rows;
}

/** The hours' place in time: their whole range, so that the frame stands still while the day goes on. */
export function hourScale(hours: readonly HourReport[], now: number): Scale {
  const known = new Map(hours.map((one) => [one.begin, one]));
  const open = hours.find((one) => one.begin <= now && now < endOf(hours, one));
  const days = new Set(hours.map((one) => one.day)).size;
  const changes = new Set(hours.map((one) => one.offset)).size > 1;
  const isOpen = ({ from, seconds }: Pick<Row, "from" | "seconds">) => (
    open !== undefined && from <= open.begin && from + seconds > open.begin);
  return {
    unit: hour,
    per: "an hour",
    column: "Hour",
    name: (row) => {
      const first = known.get(row.from);
      if (first === undefined) return "";
      // Where a narrow column breaks it, it does so between day, hours and offset.
      const from = `${first.clock}\u00a0to\u00a0${isOpen(row) ? "now" : later(first.clock, row.seconds - 60)}`;
      return [days > 1 && dayText(dayStart(first.day), "short").replace(" ", "\u00a0"), from, changes && first.offset]
        .filter((part) => part !== false).join(", ");
    },
    step: (row) => (isOpen(row) ? "drawn as a whole hour at this rate" : null),
    tick: (time) => {
      const at = known.get(time);
      if (at === undefined) return "";
      return days > 1 && at.clock === "00:00" ? dayText(dayStart(at.day), "short") : at.clock;
    },
    distances: [1, 2, 3, 6, 12, 24].map((hours) => hours * hour),
    space: 56,
    ticks: (distance) => ticksOf(hours, distance),
    extent: [hours[0]?.begin ?? now, endOf(hours, hours.at(-1))],
  };
}

/** Where the clock shows a multiple of the distance. Of two hours that it shows alike only the first may have room. */
function ticksOf(hours: readonly HourReport[], distance: number): number[] {
  const ticks: number[] = [];
  for (const { begin, clock } of hours) {
    const isMultiple = clock.endsWith(":00") && Number(clock.slice(0, 2)) % (distance / hour) === 0;
    if (isMultiple && begin - (ticks.at(-1) ?? -Infinity) > distance / 2) ticks.push(begin);
  }
  return ticks;
}

/** The place of the last hour to be shown. */
function begun(hours: readonly HourReport[], now: number): number {
  return hours.findLastIndex(({ begin, events }) => begin <= now || events > 0);
}

/** Where the next one begins. */
function endOf(hours: readonly HourReport[], one: HourReport | undefined): number {
  if (one === undefined) return 0;
  return hours[hours.indexOf(one) + 1]?.begin ?? one.begin + hour;
}

/** What a clock that shows this will show so many seconds later on the same day. */
function later(clock: string, seconds: number): string {
  const minutes = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)) + Math.floor(seconds / 60);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
