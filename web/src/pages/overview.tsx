import { useMemo, useState } from "preact/hooks";
import { eventAccount, tokenAccount } from "../account";
import { useAsked, type Asked } from "../ask";
import { csvName, csvOf, download, secondColumns } from "../csv";
import { dayOf, milliseconds, timestamp } from "../format";
import { buckets, slowest, sumOf } from "../history";
import { readCounters, type Largest } from "../messages";
import { page, type Changes, type PageProps } from "../page";
import { EventFigures } from "../parts/event_figures";
import { HotObjects } from "../parts/hot_objects";
import { LargestCounters } from "../parts/largest";
import { LookUp, type Picked } from "../parts/look_up";
import { MostPeople, useMost } from "../parts/most";
import { DemoNotice, FirstEvent, FirstToken } from "../parts/notice";
import { Ranges } from "../parts/ranges";
import { Refusals } from "../parts/refusals";
import { Series, useTables } from "../parts/series";
import { Status, worst } from "../parts/status";
import { TokenFigures } from "../parts/token_figures";
import { TrendingObjects } from "../parts/trending_objects";
import { rangeOf, ranges, type Range } from "../range";
import { readReport, readRules, type Ranking } from "../reports";
import { clockScale } from "../scale";
import { tokenStream, type LiveTokens } from "../token_stream";
import { viewStream, type LiveViews } from "../view_stream";
import { newsOf } from "../views_address";

interface JobProps {
  range: Range;
  theme: string;
  tables: { asTable: boolean; toggle: () => void };
}

export default page({
  path: "/", key: "o", title: "Overview", View: Overview,
  streams: {
    tokens: { stream: tokenStream, address: () => "/api/v1/live/counters" },
    views: { stream: viewStream, address: () => "/api/v1/live/views" },
  },
});

/** All jobs at a glance: for each, one line of figures, one chart, two tables. */
function Overview({ live: { tokens, views }, hello, search, change, go, theme }: PageProps<{ tokens: LiveTokens; views: LiveViews }>) {
  const range = rangeOf(search);
  const tables = useTables();
  const state = worst([tokens, views]);
  const most = useMost(newsOf(views));
  const noEvent = most.value?.objects.length === 0 && views.history.seconds.length === 0;
  const job = { range, theme, tables };
  return (
    <main id="content" tabIndex={-1} class={state.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>Overview</h1>
        <Status live={state} />
        <Ranges list={ranges} at={range.key} choose={(one) => change({ range: one.key })} />
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      {!noEvent && <EventJob {...job} live={views} most={most} go={go} />}
      <TokenJob {...job} live={tokens} />
      {noEvent && <FirstEvent taken={hello?.takesEvents ?? true} provisional={most.value?.provisional === true} />}
    </main>
  );
}

function EventJob({ live, most, go, range, theme, tables }: JobProps & {
  live: LiveViews;
  most: Asked<Ranking>;
  go: (path: string, changes: Changes) => void;
}) {
  const news = newsOf(live);
  const today = dayOf(Date.now() / 1000, "UTC");
  const report = useAsked(`/api/v1/views?from=${today}&to=${today}`, readReport, news).value;
  const rules = useAsked("/api/v1/rules", readRules, live.hello).value;
  const rows = useMemo(() => buckets(live.history, range.seconds, range.width), [live.history, range]);
  const pick = (object: string) => go("/views", { object });
  return (
    <>
      <EventFigures history={live.history} range={range} started={live.hello?.started ?? null} today={report} />
      <Series id="events" account={eventAccount} rows={rows} scale={clockScale(range)} heading="Events per second"
        title={`Events per ${range.step}`} mark="exact" spoken={range.spoken} theme={theme} tables={tables}
        waiting="Waiting for the first second."
        save={() => download(csvName("events", range.key, timestamp(live.history.end ?? 0)),
          csvOf(secondColumns(eventAccount, false), rows))} />
      <div class="pair">
        <MostPeople most={most} pick={pick} />
        <Refusals today={report} rules={rules} />
      </div>
      <div class="pair">
        <HotObjects news={news} pick={pick} />
        <TrendingObjects news={news} pick={pick} />
      </div>
    </>
  );
}

function TokenJob({ live, range, theme, tables }: JobProps & { live: LiveTokens }) {
  const [picked, setPicked] = useState<Picked | null>(null);
  const rows = useMemo(() => buckets(live.history, range.seconds, range.width), [live.history, range]);
  const largest = useLargest(live);
  const worstCommit = slowest(rows);
  if (nothingYet(live, largest)) return <FirstToken />;
  return (
    <>
      <TokenFigures history={live.history} range={range} started={live.hello?.started ?? null} />
      <Series id="tokens" account={tokenAccount} rows={rows} scale={clockScale(range)} heading="Tokens per second"
        title={`Tokens per ${range.step}`} mark="exact" spoken={range.spoken} theme={theme} tables={tables}
        waiting="Waiting for the first second."
        beside={{
          label: "Slowest commit, ms",
          of: (row) => (row.slowest === null ? "–" : milliseconds(row.slowest)),
          total: worstCommit === null ? "–" : milliseconds(worstCommit),
        }}
        save={() => download(csvName("tokens", range.key, timestamp(live.history.end ?? 0)),
          csvOf(secondColumns(tokenAccount, true), rows))} />
      <div class="pair">
        <LargestCounters largest={largest} pick={(object) => setPicked({ object })} />
        <LookUp picked={picked} />
      </div>
    </>
  );
}

/** The stream tells of the largest counters when they change; until it does, they are asked for. */
function useLargest({ link, largest }: LiveTokens): Largest | null {
  const unknown = link === "live" && largest === null;
  const asked = useAsked(unknown ? "/api/v1/counters?sort=count&limit=10" : null, readCounters).value;
  return largest ?? (asked && { counter: "default", counters: asked, complete: true });
}

/**
 * Known, not merely not heard of: an idle server with counters from yesterday is not an empty one. A server that has
 * just made its data directory has committed something, but no token.
 */
function nothingYet({ history: { end, seconds } }: LiveTokens, largest: Largest | null): boolean {
  return end !== null && seconds.every((second) => sumOf(second.parts) === 0) && largest?.counters.length === 0;
}
