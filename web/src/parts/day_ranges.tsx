import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { dayRangeOf, isDay, presets, zones } from "../day_range";
import { dayOf, zone } from "../format";
import type { Changes } from "../page";
import { Ranges } from "./ranges";

interface Props {
  search: string;
  change: (changes: Changes) => void;
  /** What else is chosen of the days. */
  children?: ComponentChildren;
}

/** Which days, and whose: presets, a range of one's own, and the zone in which a day begins and ends. */
export function DayRanges({ search, change, children }: Props) {
  const range = dayRangeOf(search, Date.now() / 1000);
  const [open, setOpen] = useState(range.key === "custom");
  const all = zones(zone());
  return (
    <div class="day-ranges">
      <Ranges list={presets} at={open ? "custom" : range.key} choose={(preset) => {
        setOpen(false);
        change({ days: preset.key, from: null, to: null });
      }}>
        <button type="button" class="range" aria-pressed={open} aria-expanded={open} onClick={() => setOpen(!open)}>
          Custom…
        </button>
      </Ranges>
      {children}
      <label class="zone">
        <span class="unseen">Time zone of the days</span>
        <select value={range.tz} onChange={(event) => change({ tz: event.currentTarget.value })}>
          {(all.includes(range.tz) ? all : [range.tz, ...all]).map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
      </label>
      {open && <Custom from={range.from} to={range.to} today={dayOf(Date.now() / 1000, range.tz)} change={change} />}
    </div>
  );
}

interface CustomProps {
  from: string | null;
  to: string | null;
  today: string;
  change: (changes: Changes) => void;
}

function Custom({ from, to, today, change }: CustomProps) {
  const [first, setFirst] = useState(from ?? today);
  const [last, setLast] = useState(to ?? today);
  const wrong = !isDay(first) || !isDay(last) ? "Both days are needed." : first > last ? "It ends before it begins." : "";
  const day = (label: string, value: string, set: (day: string) => void) => (
    <label>
      {label} <input type="date" value={value} max={today} aria-invalid={wrong !== ""} aria-describedby="custom-wrong"
        onInput={(event) => set(event.currentTarget.value)} />
    </label>
  );
  return (
    <form class="custom" onSubmit={(event) => {
      event.preventDefault();
      if (wrong === "") change({ from: first, to: last, days: null });
    }}>
      {day("From", first, setFirst)}
      {day("to", last, setLast)}
      <button type="submit" class="button">Show</button>
      <span id="custom-wrong" class="faint" role="status">{wrong}</span>
    </form>
  );
}
