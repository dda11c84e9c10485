import { useMemo, useState } from "preact/hooks";
import { Chart } from "../chart";
import { csvName, csvOf, download } from "../csv";
import { buckets } from "../history";
import { useKeys } from "../keys";
import type { Live } from "../live";
import type { PageProps } from "../pages";
import { DemoNotice, FirstToken } from "../parts/notice";
import { Figures } from "../parts/figures";
import { LargestCounters } from "../parts/largest";
import { Mark } from "../parts/mark";
import { LookUp, type Picked } from "../parts/look_up";
import { Ranges } from "../parts/ranges";
import { SeriesTable } from "../parts/series_table";
import { Status } from "../parts/status";
import { AboveLimit, AboveLimitNote } from "../parts/sum";
import type { Range } from "../range";

/** The token counters at a glance: one line of figures, one chart, two tables. */
export function Overview({ live, range, chooseRange, theme }: PageProps) {
  const [picked, setPicked] = useState<Picked | null>(null);
  return (
    <main id="content" tabIndex={-1} class={live.link === "lost" ? "page old" : "page"}>
      <header class="page-head">
        <h1>Overview</h1>
        <Status live={live} />
        <Ranges range={range} choose={chooseRange} />
      </header>
      {live.hello?.mode === "demo" && <DemoNotice command={live.hello.serveCommand} />}
      <Figures history={live.history} range={range} started={live.hello?.started ?? null} />
      {nothingYet(live) ? <FirstToken /> : <ChartPanel live={live} range={range} theme={theme} />}
      <div class="pair">
        <LargestCounters largest={live.largest} pick={(object) => setPicked({ object })} />
        <LookUp picked={picked} />
      </div>
    </main>
  );
}

/**
 * Known, not merely not heard of: an idle server with counters from yesterday is not an empty one. A server that has
 * just made its data directory has committed something, but no token.
 */
function nothingYet(live: Live): boolean {
  const { end, seconds } = live.history;
  return end !== null && seconds.every((second) => second.put === 0) && live.largest?.counters.length === 0;
}

function ChartPanel({ live, range, theme }: { live: Live; range: Range; theme: string }) {
  const [asTable, setAsTable] = useState(false);
  const rows = useMemo(() => buckets(live.history, range.seconds, range.width), [live.history, range]);
  const unsure = rows.some((row) => row.unsure > 0);
  const toggle = () => setAsTable(!asTable);
  const save = () => download(csvName(range.key, live.history.end ?? 0), csvOf(rows));
  useKeys([{ keys: "t", does: "Chart or its table", run: toggle }]);

  return (
    <section class="panel series" aria-labelledby="series-title">
      <header class="panel-head">
        <h2 id="series-title">{asTable ? `Tokens per ${range.step}` : "Tokens per second"}</h2>
        <Mark kind="exact" />
        {!asTable && (
          <p class="legend">
            {unsure && <span><i class="swatch swatch-unsure" aria-hidden="true" /><AboveLimit /></span>}
            <span><i class="swatch swatch-already" aria-hidden="true" />already counted</span>
            <span><i class="swatch swatch-new" aria-hidden="true" />new</span>
          </p>
        )}
        <div class="tools">
          <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          <button type="button" class="button" onClick={save} disabled={rows.length === 0}>CSV</button>
        </div>
      </header>
      {rows.length === 0 && <p class="faint waiting">Waiting for the first second.</p>}
      {rows.length > 0 && (asTable
        ? <SeriesTable rows={rows} step={range.step} />
        : <Chart rows={rows} theme={theme} range={range} />)}
      {unsure && <AboveLimitNote />}
    </section>
  );
}
