import { isForbidden } from "../ask";
import { page, type PageProps } from "../page";
import { DemoNotice } from "../parts/notice";
import { AudienceSegments } from "../parts/segments/audience";
import { FirstSegment, NoSegments } from "../parts/segments/first_segment";
import { OverlapMap } from "../parts/segments/overlap_map";
import { RulePanel } from "../parts/segments/rule_panel";
import { FindSegment, SegmentList } from "../parts/segments/segment_list";
import { SizesOverTime } from "../parts/segments/sizes_over_time";
import { UpSet } from "../parts/segments/upset";
import { Webhooks } from "../parts/segments/webhooks";
import { useTables } from "../parts/series";
import { Status } from "../parts/status";
import { useScopes } from "../scopes";
import { comparedFirst, comparedOf, comparedText, listAddress, prefixOf, ruledOf } from "../segments/address";
import { readSegments } from "../segments/answers";
import { spanOf } from "../segments/sizes";
import { useOverlap } from "../segments/use_overlap";
import { useWatched } from "../use_watched";
import { viewStream, type LiveViews } from "../view_stream";

export default page({
  path: "/segments", key: "s", title: "Segments", start: { prefix: null, compare: null, over: null, rule: null }, View: Segments,
  // It tells whether the server is there.
  streams: { views: { stream: viewStream, address: () => "/api/v1/live/views" } },
});

/** Named sets of people: how many they are, and what each two share. */
function Segments({ live: { views: live }, hello, search, change }: PageProps<{ views: LiveViews }>) {
  const tables = useTables();
  const prefix = prefixOf(search);
  const asked = useWatched(listAddress(prefix), readSegments);
  const chosen = comparedOf(search);
  const compared = chosen ?? (asked.value?.segments ?? []).slice(0, comparedFirst).map(({ name }) => name);
  const sizes = (asked.value?.segments ?? []).filter(({ name }) => compared.includes(name)).map(({ people }) => people);
  const overlap = useOverlap(compared, sizes.join(" "));
  const scopes = useScopes();
  const audience = scopes?.includes("audience") === true;
  const compare = (names: readonly string[]) => change({ compare: comparedText(names) });
  const rule = (name: string) => change({ rule: name });
  const none = prefix === "" && asked.value?.segments.length === 0;
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>Segments</h1>
        <Status live={live} />
        {!isForbidden(asked.no) && <FindSegment prefix={prefix} find={(next) => change({ prefix: next === "" ? null : next })} />}
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      {isForbidden(asked.no) ? audience ? <AudienceSegments names={chosen ?? []} change={compare} /> : <NoSegments /> : none ? <FirstSegment /> : (
        <>
          <div class="pair segments-pair">
            <SegmentList asked={asked} prefix={prefix} compared={compared} compare={compare} pick={rule} />
            <div class="segments-maps">
              <OverlapMap names={compared} asked={overlap} tables={tables} />
              <UpSet names={compared} asked={overlap} tables={tables} />
            </div>
          </div>
          <SizesOverTime names={compared} segments={asked.value?.segments ?? []} span={spanOf(search)} tables={tables}
            choose={({ key }) => change({ over: key })} />
        </>
      )}
      {!isForbidden(asked.no) && <RulePanel name={ruledOf(search)} choose={rule} />}
      {!isForbidden(asked.no) && !none && <Webhooks />}
    </main>
  );
}
