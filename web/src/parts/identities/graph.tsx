import { useMemo, useState } from "preact/hooks";
import { csvName, csvOf, download } from "../../csv";
import { timestamp, whole } from "../../format";
import { idText, type Id } from "../../identities/address";
import type { Fact, Profile } from "../../identities/answers";
import { factColumns } from "../../identities/file";
import { graphOf, type Graph } from "../../identities/graph";
import { GraphDrawing, GraphLegend } from "./graph_drawing";
import { GraphTable } from "./graph_table";

interface Props {
  profile: Profile;
  facts: readonly Fact[];
  tables: { asTable: boolean; toggle: () => void };
  find: (text: string) => void;
}

/** Which facts name which ids: as a drawing, or as its table. */
export function WhyGraph({ profile, facts, tables: { asTable, toggle }, find }: Props) {
  const graph = useMemo(() => graphOf(profile.ids, facts), [profile, facts]);
  const [pointed, setPointed] = useState<number | null>(null);
  const column = pointed === null ? undefined : graph.columns[pointed];
  const none = graph.columns.length === 0;
  const outside = graph.rows.filter((row) => !row.inside).length;
  const save = () => download(csvName("identities", profile.sid, timestamp(Math.floor(Date.now() / 1000))), csvOf(factColumns, facts));
  return (
    <section class="panel series graph-panel" aria-labelledby="graph-title" data-series="facts">
      <header class="panel-head">
        <h2 id="graph-title">{asTable ? "Facts by id" : "What holds these ids together"}</h2>
        {!asTable && <GraphLegend graph={graph} />}
        <div class="tools">
          <button type="button" class="button" aria-pressed={asTable} onClick={toggle}>Table <kbd>t</kbd></button>
          <button type="button" class="button" onClick={save} disabled={facts.length === 0}>CSV</button>
        </div>
      </header>
      {none && <p class="faint">{facts.length === 0 ? "No fact names these ids." : "No fact links these ids: there are data of them alone."}</p>}
      {!none && (asTable ? <GraphTable graph={graph} find={find} /> : (
        <>
          <p class="graph-readout">{column === undefined
            ? "Each id is a line across, each fact a line down through the ids it names; its number is that of the chain below."
            : <><b>{column.number}</b> {column.fact.says}</>}</p>
          <GraphDrawing graph={graph} spoken={spoken(graph, profile.ids)} pointed={pointed} point={setPointed} pick={toChain} />
        </>
      ))}
      {outside > 0 && <p class="faint foot">Ids in italics are not in this profile: facts that name them unite nobody, keep them apart, or hold no more.</p>}
      {(graph.left.facts > 0 || graph.left.ids > 0) && (
        <p class="faint foot">
          Of many, {whole(graph.columns.length)} facts and {whole(graph.rows.length)} ids are drawn. The chain and the file have all facts, the list has all ids.
        </p>
      )}
    </section>
  );
}

function spoken(graph: Graph, ids: readonly Id[]): string {
  const first = ids[0] === undefined ? "" : `, among them ${idText(ids[0]).slice(0, 100)}`;
  return `Graph of ${graph.columns.length + graph.left.facts} facts through ${graph.rows.length} ids${first}. The table holds its rows.`;
}

/** A pointer's way to the sentence; whoever has none finds it under the same number. */
function toChain(number: number): void {
  const item = document.getElementById(`fact-${number}`);
  item?.scrollIntoView({ block: "center" });
  item?.animate?.([{ background: "var(--hover)" }, {}], { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1500 });
}
