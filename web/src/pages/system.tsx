import { useState } from "preact/hooks";
import { isForbidden, useAsked } from "../ask";
import { page, type PageProps } from "../page";
import { DemoNotice } from "../parts/notice";
import { Problem } from "../parts/problem";
import { Ranges } from "../parts/ranges";
import { useTables } from "../parts/series";
import { Status } from "../parts/status";
import { MeasureCard } from "../parts/system/measure_card";
import { MemoryByJob } from "../parts/system/memory_by_job";
import { ServerChoice } from "../parts/system/server_choice";
import { FiguresOff, FirstFigures, NoFigures, SilentServer } from "../parts/system/states";
import { every, namesAddress, nowAddress, serverOf, spanOf, spans, tellingAddress } from "../system/address";
import { firstOf, readLines, readNames, stateOf } from "../system/answers";
import { budget, jobs, measures } from "../system/measures";
import { viewStream, type LiveViews } from "../view_stream";

/** Seconds after a moment of figures at which they can be asked for: they are durable first. */
const after = 2;

export default page({
  path: "/system", key: "h", title: "System", start: { server: null }, View: System,
  // It tells whether the server is there.
  streams: { views: { stream: viewStream, address: () => "/api/v1/live/views" } },
});

/** How the program itself is: what its own metrics say, out of the metrics store. */
function System({ live: { views: live }, hello, search, change, theme }: PageProps<{ views: LiveViews }>) {
  const { asTable, toggle } = useTables();
  const [tries, setTries] = useState(0);
  const span = spanOf(search);
  const end = live.history.end;
  const turn = (seconds: number) => `${tries} ${live.link} ${end === null ? "" : Math.floor((end - after) / seconds)}`;
  const names = useAsked(namesAddress, readNames, turn(every), 1000);
  const telling = useAsked(tellingAddress, readLines, turn(every), 1000);
  const known = names.value ?? [];
  const told = Object.keys(telling.value ?? {});
  const server = serverOf(search) ?? (telling.value === null && telling.no === null ? null : firstOf(known, told));
  const state = stateOf(known, hello?.started ?? null, end);
  const shown = isForbidden(names.no) ? <NoFigures />
    : names.value === null && names.no !== null ? (
      <section class="panel" aria-label="No answer">
        <Problem no={names.no}><button type="button" class="button" onClick={() => setTries(tries + 1)}>Try again</button></Problem>
      </section>
    ) : names.value === null ? <p class="faint" role="status">Waiting for the server.</p>
    : state === "soon" ? <FirstFigures />
    : state === "off" ? <FiguresOff />
    : server !== null && (
      <>
        {telling.value !== null && !told.includes(server) && <SilentServer server={server} />}
        <OneServer key={server} server={server} span={span} news={turn} asTable={asTable} theme={theme} />
      </>
    );
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>System</h1>
        <Status live={live} />
        {server !== null && <ServerChoice names={known} telling={told} server={server} choose={(name) => change({ server: name })} />}
        {state === "there" && (
          <Ranges list={spans} at={span.key} choose={({ key }) => change({ range: key })}>
            <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          </Ranges>
        )}
      </header>
      {hello?.mode === "demo" && <DemoNotice command={hello.serveCommand} />}
      {shown}
    </main>
  );
}

interface ServerProps {
  server: string;
  span: ReturnType<typeof spanOf>;
  /** Another one every so many seconds. */
  news: (seconds: number) => string;
  asTable: boolean;
  theme: string;
}

function OneServer({ server, span, news, asTable, theme }: ServerProps) {
  const now = useAsked(nowAddress(server, [...measures, budget, ...jobs]), readLines, news(every), 1000);
  return (
    <>
      {now.value === null && now.no !== null && <section class="panel" aria-label="No answer"><Problem no={now.no} /></section>}
      <div class="measures">
        {measures.map((measure) => (
          <MeasureCard key={measure.key} measure={measure} server={server} span={span} now={now.value} news={news(span.again)} asTable={asTable} theme={theme} />
        ))}
      </div>
      <MemoryByJob server={server} span={span} now={now.value} news={news(span.again)} />
    </>
  );
}
