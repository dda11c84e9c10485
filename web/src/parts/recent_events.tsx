import type { No } from "../ask";
import { clock, dayOf, dayText, reasonText, whole } from "../format";
import { dayStart } from "../days";
import type { JudgedEvent } from "../reports";
import { Name } from "./name";
import { Problem } from "./problem";

interface Props {
  /** Null while they are not known. */
  events: readonly JudgedEvent[] | null;
  no: No | null;
  tz: string;
  /** Whether each says of which object it is, and what happens when that is chosen. */
  pickObject: ((object: string) => void) | null;
  explained: JudgedEvent | null;
  explain: (event: JudgedEvent) => void;
  /** Reports that the stream left out, and events with them. */
  leftOut: number;
}

/** The latest events in the order they came, each with its verdict; why is one click away. */
export function RecentEvents({ events, no, tz, pickObject, explained, explain, leftOut }: Props) {
  const names = (events ?? []).map(({ object, actor }) => (pickObject === null ? actor ?? "" : object));
  return (
    <section class="panel events" aria-labelledby="events-title">
      <header class="panel-head">
        <h2 id="events-title">Recent events</h2>
        <p class="faint">as they came, newest first</p>
        {leftOut > 0 && <p class="faint" data-left-out>{leftOutText(leftOut)}</p>}
      </header>
      {no !== null && <Problem no={no} />}
      {events === null && no === null && <p class="faint">Waiting for the server.</p>}
      {events !== null && events.length === 0 && <p class="faint">None is kept.</p>}
      {events !== null && events.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of recent events" data-scrolls>
          <table class="ledger ledger-names" aria-labelledby="events-title">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col" data-name>{pickObject === null ? "Person" : "Object"}</th>
                <th scope="col">Verdict</th>
                <th scope="col"><span class="unseen">Explanation</span></th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <tr key={event.position} data-event={event.id} class={event.position === explained?.position ? "chosen" : ""}>
                  <td><Time at={event.time} tz={tz} /></td>
                  <th scope="row">
                    {pickObject !== null && <Name name={event.object} beside={names} onPick={pickObject} />}
                    {pickObject === null && (event.actor === null ? <Source event={event} /> : <Name name={event.actor} beside={names} />)}
                  </th>
                  <td><VerdictMark event={event} /></td>
                  <td class="number">
                    <button type="button" class="why" aria-label={`why: ${verdictText(event)}, ${event.object}`}
                      aria-pressed={event.position === explained?.position} onClick={() => explain(event)}>why</button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function leftOutText(reports: number): string {
  const told = reports === 1 ? "one update was" : `${whole(reports)} updates were`;
  return `some may be missing: ${told} left out, as this page or the server was too slow; the counts above are whole`;
}

export function VerdictMark({ event }: { event: JudgedEvent }) {
  const { refusal } = event.verdict;
  return <span class={`mark mark-${refusal === null ? "exact" : "refused"}`}>{verdictText(event)}</span>;
}

function verdictText({ verdict: { refusal } }: JudgedEvent): string {
  return refusal === null ? "counted" : reasonText(refusal.reason);
}

/** The hour; of another day than today, the day above it. */
export function Time({ at, tz }: { at: number; tz: string }) {
  const day = dayOf(at, tz);
  return (
    <>
      {day !== dayOf(Date.now() / 1000, tz) && <span class="faint day">{dayText(dayStart(day))}</span>}
      <span class="nowrap">{clock(at, "second", tz)}</span>
    </>
  );
}

function Source({ event }: { event: JudgedEvent }) {
  if (event.address !== null) return <Name name={event.address} />;
  return <span class="faint">nobody</span>;
}
