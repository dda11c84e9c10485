import { useMemo, useRef, useState } from "preact/hooks";
import { useAsked, type Asked } from "../ask";
import { isByHour } from "../day_range";
import { page, type PageProps } from "../page";
import { ByProfileSwitch } from "../parts/by_profile";
import { DayRanges } from "../parts/day_ranges";
import { FindObject } from "../parts/find_object";
import { MostPeople, useMost } from "../parts/most";
import { Name } from "../parts/name";
import { DemoNotice, FirstEvent } from "../parts/notice";
import { Problem } from "../parts/problem";
import { RecentEvents } from "../parts/recent_events";
import { ReportFigures } from "../parts/report_figures";
import { ReportSeries } from "../parts/report_series";
import { RuleList } from "../parts/rule_list";
import { useTables } from "../parts/series";
import { Status } from "../parts/status";
import { Why } from "../parts/why";
import { readEvents, readProfiles, readReport, readRules, type JudgedEvent, type ProfileReport, type Report } from "../reports";
import { newestFirst, viewStream, type LiveViews } from "../view_stream";
import {
  eventsAddress, isByProfile, newsOf, objectOf, profilesAddress, rangeNow, reportAddress, streamAddress,
} from "../views_address";

export default page({
  path: "/views", key: "v", title: "Views & rules", titleOf: objectOf, start: { object: null, by: null }, View: Views,
  streams: { views: { stream: viewStream, address: streamAddress } },
});

/** What happened to one object, or to all: views, people, refusals by day or hour, the events and the rules that judged them. */
function Views({ live: { views: live }, hello, search, change, go, theme }: PageProps<{ views: LiveViews }>) {
  const object = objectOf(search);
  const range = rangeNow(search);
  const asked = useReport(object, search, live);
  const report = asked.value;
  const profiles = useProfiles(object, search, report);
  const rules = useAsked("/api/v1/rules", readRules, live.hello);
  const most = useMost(newsOf(live));
  const tables = useTables();
  const pick = (name: string | null) => go("/views", { object: name });
  const spoken = `${object === null ? "all objects" : "this object"}, ${range.spoken}`;
  const none = report !== null && report.events === 0 && range.from === null;

  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>{object === null ? "Views & rules" : <Name name={object} />}</h1>
        <Status live={live} />
        <FindObject object={object} known={most.value?.objects.map((one) => one.object) ?? []} find={pick} />
        <DayRanges search={search} change={change}>
          {object !== null && <ByProfileSwitch on={isByProfile(search)} change={change} />}
        </DayRanges>
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      {asked.no !== null && (
        <section class="panel" aria-label="No report">
          <Problem no={asked.no}>
            {asked.no.kind === "refused" && (range.from !== null || range.tz !== "UTC") && (
              <button type="button" class="button" onClick={() => change({ days: null, from: null, to: null, tz: null })}>
                Show all days, of UTC
              </button>
            )}
          </Problem>
        </section>
      )}
      {none && (
        <FirstEvent {...(object !== null && { object })} taken={hello?.takesEvents ?? true} provisional={report.provisional} />
      )}
      {!none && (
        <>
          {(report !== null || asked.no === null) && (
            <>
              <ReportFigures report={report} rules={rules.value} profiles={profiles} />
              <ReportSeries report={report} byHour={isByHour(range)} spoken={range.spoken} theme={theme} tables={tables} />
            </>
          )}
          {object === null && <MostPeople most={most} pick={pick} wide />}
          <Events key={object} object={object} live={live} tz={report?.tz ?? "UTC"} pick={pick} />
        </>
      )}
      <RuleList rules={rules} counts={report} spoken={spoken} />
    </main>
  );
}

/** The report of the range: what the stream told or what was asked for, whichever came last. */
function useReport(object: string | null, search: string, live: LiveViews): Asked<Report> {
  const range = rangeNow(search);
  const address = reportAddress(object, range);
  // The stream tells of the whole life in UTC; of all else it says when there is something new.
  const told = live.report?.object === object && range.from === null && range.tz === live.report.tz ? live.report : null;
  const news = object === null ? newsOf(live) : told === null ? live.report ?? live.hello : live.hello;
  const asked = useAsked(typeof address === "string" ? address : null, readReport, news, object === null ? 3000 : 500);
  const newest = useNewest(asked.value, told);
  if (typeof address !== "string") return { address: null, value: null, no: address };
  return { ...asked, value: newest?.object === object ? newest : null };
}

/** People by profile of the same range, where they are wanted; again when the report is another one. */
function useProfiles(object: string | null, search: string, report: Report | null): Asked<ProfileReport> | null {
  const wanted = object !== null && isByProfile(search);
  const address = wanted ? profilesAddress(object, rangeNow(search)) : null;
  const asked = useAsked(address, readProfiles, report);
  if (!wanted) return null;
  return asked.address === address ? asked : { address, value: null, no: null };
}

/** Of two values that change on their own, the one that changed last; a second that goes says nothing new. */
function useNewest<T>(first: T | null, second: T | null): T | null {
  const seen = useRef({ first, second, newest: second ?? first });
  const { current } = seen;
  if (first !== current.first) current.newest = first;
  if (second !== current.second && second !== null) current.newest = second;
  seen.current = { first, second, newest: current.newest ?? first ?? second };
  return seen.current.newest;
}

interface EventsProps {
  object: string | null;
  live: LiveViews;
  tz: string;
  pick: (object: string) => void;
}

/** The events of an object, and the one that is explained: what the reader chose, else the first refusal there was to show. */
function Events({ object, live, tz, pick }: EventsProps) {
  const asked = useAsked(eventsAddress(object), readEvents, object === null ? newsOf(live) : live.hello);
  const [chosen, setChosen] = useState<JudgedEvent | null>(null);
  const events = useMemo(
    () => (asked.value === null ? null : newestFirst(object === null ? [] : live.events, asked.value)),
    [asked.value, live.events]);
  const offered = useRef<JudgedEvent | null>(null);
  offered.current ??= events?.find(({ verdict }) => verdict.refusal !== null) ?? null;
  const explained = chosen ?? offered.current;
  return (
    <div class="pair">
      <RecentEvents events={events} no={asked.no} tz={tz} pickObject={object === null ? pick : null}
        explained={explained} explain={setChosen} leftOut={object === null ? 0 : live.leftOut} />
      <Why event={explained} asked={chosen !== null} tz={tz} />
    </div>
  );
}
