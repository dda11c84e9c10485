import { dayStart } from "../../days";
import { clock, dayOf, dayText, zone } from "../../format";

/** A day and the time of it, for places where years may lie between two. */
export function Moment({ at }: { at: number }) {
  return <time dateTime={new Date(at * 1000).toISOString()}><span class="nowrap">{dayText(dayStart(dayOf(at, zone())))},</span> {clock(at)}</time>;
}
