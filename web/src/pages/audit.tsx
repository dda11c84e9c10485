import { isForbidden, useAsked, type No } from "../ask";
import { beforeOf, entryAddress, entryOf, headAddress, pageAddress } from "../audit/address";
import { readEntries, readHead } from "../audit/answers";
import { page, type PageProps } from "../page";
import { BrokenLog, Checking, FirstEntry, NoAudit } from "../parts/audit/checking";
import { OneEntry } from "../parts/audit/entry";
import { EntryList } from "../parts/audit/entry_list";
import { FindEntry } from "../parts/audit/find_entry";
import { HeadFigures } from "../parts/audit/head_figures";
import { DemoNotice } from "../parts/notice";
import { Status } from "../parts/status";
import { Trouble } from "../parts/trouble";
import { viewStream, type LiveViews } from "../view_stream";

/** Seconds between two askings for the head, as long as the server is there. */
const pause = 3;

export default page({
  path: "/audit", key: "a", title: "Audit", start: { entry: null, before: null }, View: Audit,
  titleOf: (search) => (entryOf(search) === null ? null : `Entry ${entryOf(search)}`),
  // It tells whether the server is there.
  streams: { views: { stream: viewStream, address: () => "/api/v1/live/views" } },
});

/** What operators did, in a log that outsiders can check. */
function Audit({ live: { views: live }, hello, search, change }: PageProps<{ views: LiveViews }>) {
  const head = useAsked(headAddress, readHead, `${live.link} ${Math.floor((live.history.end ?? 0) / pause)}`, 1000 * pause);
  const size = head.value?.size ?? null;
  const end = Math.min(beforeOf(search) ?? Infinity, size ?? 0);
  const list = useAsked(pageAddress(end), readEntries, size);
  const chosen = entryOf(search);
  // What was said of persons may be forgotten at any time, and that is an entry.
  const one = useAsked(chosen === null ? null : entryAddress(chosen), readEntries, size);
  const refused = [head, list, one].map(({ no }) => no);
  const broken = refused.find(isBroken);
  const newest = list.value !== null && end === size ? list.value.at(-1) ?? null : null;
  const shown = isForbidden(head.no) ? <NoAudit /> : (
    <>
      {broken?.kind === "refused" && <BrokenLog detail={broken.detail} />}
      {broken === undefined && head.no !== null && <section class="panel" aria-label="No answer"><Trouble of={head} /></section>}
      {(head.value !== null || head.no === null) && <HeadFigures head={head.value} newest={newest} />}
      {size === 0 && <FirstEntry />}
      {chosen !== null && one.address === entryAddress(chosen) && !isBroken(one.no) && (
        <OneEntry number={chosen} asked={one} head={head.value} leave={() => change({ entry: null })} />
      )}
      {size !== null && size > 0 && !isBroken(list.no) && (
        <EntryList asked={list} size={size} end={end} chosen={chosen} choose={(entry) => change({ entry: String(entry) })}
          turn={(before) => change({ before: before === null ? null : String(before) })} />
      )}
      <Checking />
    </>
  );
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>Audit</h1>
        <Status live={live} />
        {!isForbidden(head.no) && <FindEntry entry={chosen} find={(entry) => change({ entry: entry === null ? null : String(entry) })} />}
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      {shown}
    </main>
  );
}

/** Whether the log itself is damaged, which is told once. */
function isBroken(no: No | null): boolean {
  return no?.kind === "refused" && no.status === 500;
}
