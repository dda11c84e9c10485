// Numbers, times and names as the page writes them.

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const precise = new Map([0, 1, 2].map((digits) => [digits, new Intl.NumberFormat("en-US", {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
})] as const));

/** 1234567 -> 1,234,567 */
export function whole(value: number): string {
  return grouped.format(value);
}

/** The same of what may not be known. */
export function wholeOrNone(value: number | null): string {
  return value === null ? "–" : whole(value);
}

/** Three figures are enough to judge a delay: 0.31, 4.20, 12.5, 1,204. */
export function milliseconds(value: number): string {
  return decimals(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** The rate of a chart bucket: whole where it is, one or two decimals where it is small. */
export function rate(value: number): string {
  return decimals(value, Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

/**
 * The share of each part in their sum. Together they are 100.0 %: what is rounded is where a part ends, and each share
 * is what lies between two ends. Null when there is nothing to take a share of.
 */
export function shares(parts: readonly number[]): string[] | null {
  const all = parts.reduce((sum, part) => sum + part, 0);
  if (all <= 0) return null;
  let upTo = 0;
  let before = 0;
  return parts.map((part) => {
    upTo += part;
    const end = Math.round((1000 * upTo) / all);
    const tenths = end - before;
    before = end;
    return `${decimals(tenths / 10, 1)} %`;
  });
}

/** A relative standard error: 0.0076 -> ±0.76 % */
export function plusMinus(error: number): string {
  return `±${Number((error * 100).toPrecision(2))} %`;
}

/** A rule's reason as people read it: repeat_fast -> repeat fast. */
export function reasonText(reason: string): string {
  return reason.replaceAll("_", " ");
}

/** A figure on the chart's axis, short enough to stand beside it: 0.002, 0.5, 250, 1.5k, 20M. */
export function axisFigure(value: number): string {
  for (const [unit, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]] as const) {
    if (Math.abs(value) >= unit) return `${trimmed(value / unit)}${letter}`;
  }
  return trimmed(value);
}

/** The figure an axis ends at above `max`: round, with a little air, and the same while `max` only wavers. */
export function roof(max: number): number {
  if (max <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(max * 1.04));
  const step = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((one) => one * unit >= max * 1.04) ?? 10;
  return step * unit;
}

const hours = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const forms = {
  second: { ...hours, second: "2-digit" },
  minute: hours,
  day: { day: "numeric", month: "short", year: "numeric" },
  short: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
  iso: { year: "numeric", month: "2-digit", day: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Kept, for to make one takes longer than to use it a hundred times. Undefined: the reader's own zone. */
function format(form: keyof typeof forms, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${form} ${timeZone ?? ""}`;
  let known = formats.get(key);
  if (known === undefined) {
    known = new Intl.DateTimeFormat(form === "iso" ? "en-CA" : "en-GB", { ...forms[form], ...(timeZone && { timeZone }) });
    formats.set(key, known);
  }
  return known;
}

/** A unix second as a wall clock shows it, the reader's own or that of a zone: 10:42:07. */
export function clock(time: number, precision: "second" | "minute" = "second", timeZone?: string): string {
  return format(precision, known(timeZone)).format(time * 1000);
}

/** The zone that `clock` speaks of if none is named. */
export function zone(): string {
  return format("second", undefined).resolvedOptions().timeZone;
}

/** The day of a UTC midnight, as a chart's row begins with one: 21 Nov 2026, or 21 Nov, or Nov 2026. */
export function dayText(start: number, length: "day" | "short" | "month" = "day"): string {
  return format(length, "UTC").format(start * 1000);
}

/** The days from one UTC midnight to another, both included: 1 Nov to 21 Nov 2026. */
export function daysText(first: number, last: number): string {
  if (first === last) return dayText(first);
  const sameYear = new Date(first * 1000).getUTCFullYear() === new Date(last * 1000).getUTCFullYear();
  return `${dayText(first, sameYear ? "short" : "day")} to ${dayText(last)}`;
}

/** The day in a zone on which a unix second lies: 2026-11-21. */
export function dayOf(time: number, timeZone: string): string {
  return format("iso", known(timeZone)).format(time * 1000);
}

/** A zone the browser does not know is told by the server; until then days are those of UTC. */
function known(timeZone: string | undefined): string | undefined {
  if (timeZone === undefined) return undefined;
  try {
    format("minute", timeZone);
    return timeZone;
  } catch {
    return "UTC";
  }
}

/** A unix second in RFC 3339, for files. */
export function timestamp(time: number): string {
  return new Date(time * 1000).toISOString().replace(".000Z", "Z");
}

/** A name in parts, in the order they stand: they are the whole name, and never split a character in two. */
export interface NameParts {
  start: string;
  /** Left out where the name may take some lines, but not as many as it would need. */
  middle: string;
  end: string;
  /** Stands also where the name has to be on one line; what goes before it gives way. */
  tail: string;
}

const tailLength = 10;
/** Of a name on several lines: what stays of its start and of its end. Four lines of a narrow page hold both. */
const shownLength = 60;

/**
 * Splits a long name so that its middle can be left out and both its beginning and its end stay readable: names in one
 * system usually begin alike and differ at the end. Where it differs from those `beside` it earlier, the middle ends
 * before that. Short names stay whole.
 */
export function cutName(name: string, beside: readonly string[] = []): NameParts {
  const characters = graphemes(name);
  const { length } = characters;
  if (length <= 2 * tailLength) return { start: name, middle: "", end: "", tail: "" };
  const part = (from: number, to: number) => characters.slice(from, to).join("");
  const from = Math.min(shownLength, length - tailLength);
  const differs = graphemes(name.slice(0, sharedStart(name, beside))).length;
  const shownAgain = length <= 2 * shownLength ? from : length - shownLength;
  const to = differs < from ? shownAgain : Math.max(from, Math.min(shownAgain, differs - tailLength));
  return { start: part(0, from), middle: part(from, to), end: part(to, length - tailLength), tail: part(length - tailLength, length) };
}

/** Of names on one line each: what is shown of a long one. */
const lineLength = 30;

/**
 * A name short enough for a line of its own, whatever room there is: its beginning and its end, and where it begins as another
 * one `beside` it does, also what tells the two apart.
 */
export function shortName(name: string, beside: readonly string[] = []): string {
  const characters = graphemes(name);
  const { length } = characters;
  if (length <= lineLength) return name;
  const part = (from: number, to: number) => characters.slice(from, to).join("");
  const differs = graphemes(name.slice(0, sharedStart(name, beside))).length;
  const start = lineLength - tailLength - 1;
  if (differs < start || differs >= length - tailLength) return `${part(0, start)}…${part(length - tailLength, length)}`;
  const from = differs - 4;
  return from + 20 >= length ? `${part(0, 9)}…${part(from, length)}` : `${part(0, 8)}…${part(from, from + 13)}…${part(length - 7, length)}`;
}

/** How much of a name another one has, too: of all others the most. */
function sharedStart(name: string, beside: readonly string[]): number {
  let most = 0;
  for (const other of beside) {
    if (other === name) continue;
    let same = 0;
    while (same < name.length && name[same] === other[same]) same++;
    most = Math.max(most, same);
  }
  return most;
}

function graphemes(text: string): string[] {
  // Firefox has the segmenter since version 125 only; code points are the next best.
  if (typeof Intl.Segmenter !== "function") return Array.from(text);
  return Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), (part) => part.segment);
}

function decimals(value: number, digits: 0 | 1 | 2): string {
  return (precise.get(digits) ?? grouped).format(value);
}

function trimmed(value: number): string {
  return String(Math.abs(value) >= 1 ? Math.round(value * 100) / 100 : Number(value.toPrecision(2)));
}
