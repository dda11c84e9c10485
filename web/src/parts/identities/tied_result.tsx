import { useMemo, useState } from "preact/hooks";
import { whole } from "../../format";
import { idText, type Id } from "../../identities/address";
import type { Fact, Tie } from "../../identities/answers";
import { effectOf, guardTexts } from "../../identities/facts";
import { graphOf } from "../../identities/graph";
import { GraphDrawing, GraphLegend } from "./graph_drawing";
import { IdName } from "./id_name";
import { ProvisionalNotice } from "./profile_figures";
import { Moment } from "./moment";

/** The answer in a sentence, as a drawing, and fact by fact. */
export function TiedResult({ tie, find }: { tie: Tie; find: (text: string) => void }) {
  const facts = useMemo(() => (tie.together ? tie.path.map(({ fact }) => fact) : tie.apart), [tie]);
  const ends = [tie.from.id, tie.to.id];
  return (
    <div class="tied-result" data-together={tie.together} data-facts={facts.length}>
      <p class="sentence" role="status">{sentence(tie)}</p>
      {[tie.from, tie.to].filter(({ shared }) => shared).map(({ id }) => (
        <p class="refused" key={idText(id)}><button type="button" class="why" onClick={() => find(idText(id))}>{cut(idText(id))}</button> is shared: it unites nobody.</p>
      ))}
      {tie.provisional && <ProvisionalNotice of="answer" />}
      {facts.length > 0 && <TiedGraph ids={tie.together ? tie.path.flatMap(({ from, to }) => [from, to]) : ends} facts={facts} />}
      {facts.length > 0 && (
        <ol class="chain-list tied-list" aria-label={tie.together ? "The links of the way" : "What keeps them apart"}>
          {tie.together
            ? tie.path.map(({ from, to, fact, last }, place) => (
              <Item key={fact.fact} fact={fact} place={place} last={last}>
                <div class="tied-step">
                  <IdName id={from} find={find} /><span class="faint" aria-label="is also">→</span><IdName id={to} find={find} />
                </div>
              </Item>
            ))
            : tie.apart.map((fact, place) => <Item key={fact.fact} fact={fact} place={place} last={null} />)}
        </ol>
      )}
    </div>
  );
}

function sentence({ together, path, apart, from, to }: Tie): string {
  if (idText(from.id) === idText(to.id)) return "Both are the same id.";
  if (together) return path.length === 1 ? "They are one person: one link names both." : `They are one person: ${whole(path.length)} links lead from one to the other.`;
  if (apart.length === 0) return "They are two profiles: nobody has said that they are one person.";
  return `They are two profiles: ${apart.length === 1 ? "one fact names both, and does not unite them." : `${whole(apart.length)} facts name both, and none unites them.`}`;
}

interface ItemProps {
  fact: Fact;
  place: number;
  /** Until when it was said. Null: that is no matter. */
  last: number | null;
  children?: preact.ComponentChildren;
}

/** Longer sentences are cut after some lines; who stands on one sees all of it. */
const long = 360;

function Item({ fact, place, last, children }: ItemProps) {
  const { says, source, author, reason, time, contested, revoked, ended } = fact;
  const isCut = says.length > long;
  return (
    <li id={`tied-${place + 1}`} data-effect={effectOf(fact)}>
      <span class="chain-number" aria-hidden="true">{whole(place + 1)}</span>
      <div class="told">
        {children}
        <p class={isCut ? "says says-cut" : "says"} tabIndex={isCut ? 0 : undefined} title={isCut ? says : undefined}>{says}</p>
        <p class="faint told-by">
          <span><Moment at={time} /></span>
          {last !== null && last - time >= 60 && <span>said again until <Moment at={last} /></span>}
          {source !== "" && <span class="short" title={source}>source {source}</span>}
          {author !== "" && <span class="short" title={author}>by {author}</span>}
        </p>
        {reason !== "" && <p class="faint short-lines" title={reason}>Reason: {reason}</p>}
        {revoked && <p class="refused told-guard">It does not hold: somebody rejected it.</p>}
        {ended && !revoked && <p class="refused told-guard">It does not hold any more: nobody has said it again.</p>}
        {contested !== null && !revoked && <p class="refused told-guard">Kept apart: {guardTexts[contested]}.</p>}
      </div>
    </li>
  );
}

function TiedGraph({ ids, facts }: { ids: readonly Id[]; facts: readonly Fact[] }) {
  const graph = useMemo(() => graphOf(ids, facts), [ids, facts]);
  const [pointed, setPointed] = useState<number | null>(null);
  const column = pointed === null ? undefined : graph.columns[pointed];
  const pick = (number: number) => document.getElementById(`tied-${number}`)?.scrollIntoView({ block: "center" });
  return (
    <>
      <GraphLegend graph={graph} />
      <p class="graph-readout">{column === undefined
        ? "Each id is a line across, each fact a line down through the ids it names; its number is that of the list below."
        : <><b>{column.number}</b> {column.fact.says}</>}</p>
      <GraphDrawing graph={graph} name="The drawing of the way" spoken={`Graph of ${graph.columns.length} facts through ${graph.rows.length} ids. The list below has them.`}
        pointed={pointed} point={setPointed} pick={pick} />
    </>
  );
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
