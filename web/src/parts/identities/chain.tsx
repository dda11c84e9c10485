import { useState } from "preact/hooks";
import { whole } from "../../format";
import type { Detached, Fact, Profile } from "../../identities/answers";
import { actsOf, effectOf, guardTexts, type Act } from "../../identities/facts";
import { DecisionForm } from "./decision_form";
import { DetachForm } from "./detach_form";
import { Moment } from "./moment";

interface Props {
  profile: Profile;
  /** The newest last. */
  facts: readonly Fact[];
  detached: (what: string, made: Detached) => void;
  decided: (act: Act) => void;
}

/** Of a long chain the newest facts stand; the others come when they are asked for. */
const listed = 50;

/** Why these ids are one profile: every fact as a sentence, and what can be done about it. */
export function Chain({ profile, facts, detached, decided }: Props) {
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<{ fact: string; act: Act } | null>(null);
  const from = all ? 0 : Math.max(0, facts.length - listed);
  const stop = () => {
    const before = open;
    setOpen(null);
    if (before !== null) setTimeout(() => document.querySelector<HTMLElement>(`[data-act="${before.act} ${before.fact}"]`)?.focus());
  };
  return (
    <section class="panel chain" aria-labelledby="chain-title">
      <header class="panel-head">
        <h2 id="chain-title">{profile.ids.length === 1 ? "What is said of this id" : "Why these ids are one profile"}</h2>
        <p class="faint">newest last</p>
      </header>
      {facts.length === 0 && <p class="faint">No fact names these ids.</p>}
      {from > 0 && (
        <p class="chain-more"><button type="button" class="button" onClick={() => setAll(true)}>Show the {whole(from)} earlier facts</button></p>
      )}
      <ol class="chain-list scroll" tabIndex={0} aria-label="The list of facts" start={from + 1}>
        {facts.slice(from).map((fact, i) => (
          <li key={fact.fact} id={`fact-${from + i + 1}`} data-fact={fact.fact} data-effect={effectOf(fact)} value={from + i + 1}>
            <span class="chain-number" aria-hidden="true">{whole(from + i + 1)}</span>
            <Told fact={fact} about={numberOf(facts, fact.about)} />
            <p class="chain-acts">
              {actsOf(fact).map((act) => (
                <button type="button" class="why" key={act} data-act={`${act} ${fact.fact}`} aria-label={`${act}: ${fact.says.slice(0, 200)}`}
                  aria-expanded={open?.fact === fact.fact && open.act === act} onClick={() => setOpen({ fact: fact.fact, act })}>{act}</button>
              ))}
            </p>
            {open?.fact === fact.fact && open.act === "undo" && (
              <DetachForm profile={profile} part={{ facts: [fact.fact] }} title="Undo the link" stop={stop}
                done={(made) => { setOpen(null); detached("Undone", made); }} />
            )}
            {open?.fact === fact.fact && open.act !== "undo" && (
              <DecisionForm key={open.act} fact={fact} verdict={open.act} stop={stop}
                done={(act) => { setOpen(null); decided(act); }} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Longer sentences are cut after some lines; who stands on one sees all of it. */
const long = 360;

/** `about`: the number of the fact that it is about, where the chain has that. */
function Told({ fact, about }: { fact: Fact; about: number | null }) {
  const { says, time, recorded, source, author, reason } = fact;
  const cut = says.length > long;
  return (
    <div class="told">
      <p class={`says${cut ? " says-cut" : ""}${fact.ended && !fact.revoked ? " says-ended" : ""}`} tabIndex={cut ? 0 : undefined} title={cut ? says : undefined}>{says}</p>
      <p class="faint told-by">
        <EffectMark fact={fact} />
        <span><Moment at={time} /></span>
        {about !== null && <span>about fact {whole(about)}</span>}
        {Math.abs(recorded - time) >= 60 && <span>recorded <Moment at={recorded} /></span>}
        {source !== "" && <span class="short" title={source}>source {source}</span>}
        {author !== "" && <span class="short" title={author}>by {author}</span>}
      </p>
      {reason !== "" && <p class="faint short-lines" title={reason}>Reason: {reason}</p>}
      {fact.contested !== null && !fact.revoked && <p class="refused told-guard">{fact.ids.length > 2 ? "Does not unite them all" : "Unites nobody"}: {guardTexts[fact.contested]}.</p>}
    </div>
  );
}

function numberOf(facts: readonly Fact[], name: string | null): number | null {
  const place = name === null ? -1 : facts.findIndex(({ fact }) => fact === name);
  return place < 0 ? null : place + 1;
}

const words = { holds: "link", contested: "contested", parting: "parting", datum: "datum", over: "undone" } as const;

/** What a fact does just now, in a word. */
function EffectMark({ fact }: { fact: Fact }) {
  const effect = effectOf(fact);
  return <span class={`mark mark-${effect}`}>{effect === "decision" ? fact.kind : fact.ended && !fact.revoked ? "ended" : words[effect]}</span>;
}
