// The dashboard's page of the tally job: how many events there are of each action, and on which days.

import { useAsked, type Asked } from "@dashboard/ask";
import { dayOf, daysText, shares, whole } from "@dashboard/format";
import { newsStream, type LiveNews } from "@dashboard/live";
import { array, number, object, string } from "@dashboard/messages";
import { page, type PageProps } from "@dashboard/page";
import { Name } from "@dashboard/parts/name";
import { DemoNotice } from "@dashboard/parts/notice";
import { Problem } from "@dashboard/parts/problem";
import { Status } from "@dashboard/parts/status";
import "./page.css";

/** How many days are asked for, today among them. */
const shownDays = 30;
const secondsADay = 86_400;

interface Day {
  day: string;
  events: number;
}

interface Action {
  action: string;
  events: number;
  days: readonly Day[];
}

interface Tally {
  /** Those with the most events first. */
  actions: readonly Action[];
  /** Whether the latest events may be missing. */
  provisional: boolean;
}

export default page({
  path: "/tally", key: "t", title: "Tally", View: TallyPage,
  // The stream says when there are new events. All figures are then asked for together, so they agree.
  streams: { tally: { stream: newsStream("tally"), address: () => "/api/v1/live/tally" } },
});

function TallyPage({ live: { tally: live }, hello }: PageProps<{ tally: LiveNews }>) {
  const asked = useAsked(`/api/v1/tally?days=${shownDays}`, readTally, live.news, 1000);
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>Tally</h1>
        <Status live={live} />
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      <Actions asked={asked} />
    </main>
  );
}

export function readTally(value: unknown): Tally {
  const { actions, provisional } = object(value);
  return { actions: array(actions).map(readAction), provisional: provisional === true };
}

function readAction(value: unknown): Action {
  const { action, events, days } = object(value);
  return { action: string(action), events: number(events), days: array(days).map(readDay) };
}

function readDay(value: unknown): Day {
  const { day, events } = object(value);
  return { day: string(day), events: number(events) };
}

/** A day as the unix second with which it begins. */
function beginOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** The table, or what is to be said in its place. */
function Actions({ asked: { value, no } }: { asked: Asked<Tally> }) {
  const today = beginOf(dayOf(Date.now() / 1000, "UTC"));
  const first = today - (shownDays - 1) * secondsADay;
  return (
    <section class="panel tally" aria-labelledby="tally-title">
      <header class="panel-head">
        <h2 id="tally-title">Events by action and day</h2>
        <p class="faint">{daysText(first, today)}, days of UTC</p>
      </header>
      {no !== null && <Problem no={no} />}
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value?.actions.length === 0 && <p class="faint">No event came on these days.</p>}
      {value !== null && value.actions.length > 0 && <Table actions={value.actions} first={first} />}
      {value?.provisional && (
        <p class="faint foot">Provisional: a process that counts does not answer, so the latest events may be missing.</p>
      )}
    </section>
  );
}

function Table({ actions, first }: { actions: readonly Action[]; first: number }) {
  const names = actions.map(({ action }) => action);
  const share = shares(actions.map(({ events }) => events));
  return (
    <table class="ledger ledger-names" aria-labelledby="tally-title">
      <thead>
        <tr>
          <th scope="col" data-name>Action</th>
          <th scope="col" class="number">Events</th>
          <th scope="col" class="number">Share</th>
          <th scope="col" class="number">By day</th>
        </tr>
      </thead>
      <tbody>
        {actions.map(({ action, events, days }, i) => (
          <tr key={action}>
            <th scope="row"><Name name={action} beside={names} /></th>
            <td class="number">{whole(events)}</td>
            <td class="number">{share?.[i] ?? "–"}</td>
            <td class="number"><Bars days={days} first={first} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A bar for each day, the highest of them as high as the line. */
function Bars({ days, first }: { days: readonly Day[]; first: number }) {
  const most = Math.max(1, ...days.map(({ events }) => events));
  const busiest = days.find(({ events }) => events === most);
  const said = busiest === undefined ? "no events" : `at most ${whole(most)} a day, on ${busiest.day}`;
  return (
    <svg class="tally-bars" viewBox={`0 0 ${shownDays} 1`} preserveAspectRatio="none" role="img" aria-label={said}>
      <title>{said}</title>
      {days.map(({ day, events }) => (
        <rect key={day} x={(beginOf(day) - first) / secondsADay + 0.1} y={1 - events / most} width={0.8} height={events / most} />
      ))}
    </svg>
  );
}
