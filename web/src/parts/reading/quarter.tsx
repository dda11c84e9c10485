import { clock, dayOf, dayText, zone } from "../../format";
import { dayStart } from "../../days";

/** A quarter-hour by its beginning; of another day than today, the day above it. */
export function Quarter({ at }: { at: number }) {
  const day = dayOf(at, zone());
  return (
    <>
      {day !== dayOf(Date.now() / 1000, zone()) && <span class="faint day">{dayText(dayStart(day), "short")}</span>}
      <span class="nowrap">{clock(at, "minute")}</span>
    </>
  );
}
