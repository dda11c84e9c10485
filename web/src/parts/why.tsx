import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { clock, dayOf, dayText, reasonText } from "../format";
import { dayStart } from "../days";
import type { JudgedEvent, Objection } from "../reports";
import { VerdictMark } from "./recent_events";

interface Props {
  event: JudgedEvent | null;
  /** Whether the reader asked for it, rather than the page having chosen. */
  asked: boolean;
  tz: string;
}

/** Why an event counts or does not: a sentence first, then what it rests on. */
export function Why({ event, asked, tz }: Props) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (asked) panel.current?.scrollIntoView({ block: "nearest" });
  }, [asked, event?.position]);

  const refused = event !== null && event.verdict.refusal !== null;
  return (
    <section class={refused ? "panel why-panel why-refused" : "panel why-panel"} aria-labelledby="why-title" ref={panel}>
      <header class="panel-head">
        <h2 id="why-title">{event === null ? "Why" : refused ? "Why was this not counted?" : "Why was this counted?"}</h2>
      </header>
      <div role="status">
        <p class={event === null ? "faint" : "sentence"}>
          {event === null ? "Choose “why” beside an event: here it is explained." : event.verdict.why}
        </p>
      </div>
      {event !== null && <Facts event={event} tz={tz} />}
    </section>
  );
}

function Facts({ event, tz }: { event: JudgedEvent; tz: string }) {
  const { refusal, shadow, rulesVersion } = event.verdict;
  return (
    <dl class="facts">
      <Fact name="Verdict"><VerdictMark event={event} /></Fact>
      {refusal !== null && <Fact name="Rule">{reasonText(refusal.rule)}, version {rulesVersion}</Fact>}
      {refusal === null && <Fact name="Rules">version {rulesVersion}</Fact>}
      {refusal !== null && <Fact name="Evidence"><Evidence of={refusal} /></Fact>}
      {shadow.map((one) => (
        <Fact name="On trial" key={one.rule}>{reasonText(one.rule)} would have refused it: <Evidence of={one} /></Fact>
      ))}
      <Fact name="Event"><code>{event.id}</code></Fact>
      <Fact name="Object">{event.object}</Fact>
      {event.action !== "view" && <Fact name="Action">{event.action}</Fact>}
      <Fact name="Person">{event.actor ?? "not known: it adds no person"}</Fact>
      {event.address !== null && <Fact name="Address">{event.address}</Fact>}
      {event.agent !== null && <Fact name="Agent">{event.agent}</Fact>}
      {event.referrer !== null && <Fact name="Came from">{event.referrer}</Fact>}
      <Fact name="Happened">{moment(event.time, tz)}</Fact>
      <Fact name="Arrived">{moment(event.arrival, tz)}, by the {event.door} door</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}

function Evidence({ of: { evidence } }: { of: Objection }) {
  if (evidence.length === 0) return <>none</>;
  return <>{evidence.map(([name, value]) => <span class="evidence" key={name}>{reasonText(name)} <b>{value}</b></span>)}</>;
}

function moment(at: number, tz: string): string {
  return `${dayText(dayStart(dayOf(at, tz)))}, ${clock(at, "second", tz)}, ${tz}`;
}
