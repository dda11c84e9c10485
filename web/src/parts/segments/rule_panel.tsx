import { useEffect, useRef, useState } from "preact/hooks";
import type { No } from "../../ask";
import { clock, dayOf, whole, zone } from "../../format";
import { readRuled, ruleAddress, wordsOf, writeRule, type Ruled } from "../../segments/rule";
import { useWatched } from "../../use_watched";
import { PeopleMark } from "../mark";
import { Problem } from "../problem";
import { RuleForm } from "./rule_form";
import { RuleWords } from "./rule_words";

interface Props {
  /** The segment whose rule is shown; "": none yet. */
  name: string;
  choose: (name: string) => void;
}

/** By what a segment fills itself: shown, written, changed, taken away. One that is not there is made by its rule. */
export function RulePanel({ name, choose }: Props) {
  const [typed, setTyped] = useState(name);
  const title = useRef<HTMLHeadingElement>(null);
  const chosen = useRef(name);
  useEffect(() => {
    setTyped(name);
    // Whoever picked it in the list is brought here.
    if (chosen.current !== name && name !== "") title.current?.focus();
    chosen.current = name;
  }, [name]);
  return (
    <section class="panel rule" aria-labelledby="rule-title">
      <header class="panel-head"><h2 id="rule-title" ref={title} tabIndex={-1}>{name === "" ? "Rule of a segment" : "Rule"}</h2></header>
      <form class="rule-of" onSubmit={(event) => { event.preventDefault(); if (typed !== "") choose(typed); }}>
        <label for="rule-of">Segment</label>
        <input id="rule-of" value={typed} placeholder="pick one in the list, or name a new one" autocomplete="off" autocapitalize="off" spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)} />
        <button type="submit" class="button">Show its rule</button>
      </form>
      {name !== "" && <OfSegment key={name} name={name} focus={() => title.current?.focus()} />}
    </section>
  );
}

/** What is being done about it. */
type Doing = "nothing" | "writing" | "removing";

function OfSegment({ name, focus }: { name: string; focus: () => void }) {
  const [written, setWritten] = useState(0);
  const [doing, setDoing] = useState<Doing>("nothing");
  const [said, setSaid] = useState("");
  const { value, no } = useWatched(ruleAddress(name), readRuled, written);
  const unknown = no?.kind === "refused" && no.status === 404;
  const rule = value?.rule ?? null;
  const stop = () => { setDoing("nothing"); focus(); };
  const done = (text: string) => {
    setSaid(text);
    setWritten((before) => before + 1);
    stop();
  };
  if (value === null && no === null) return <p class="faint" role="status">Waiting for the server.</p>;
  return (
    <>
      {no !== null && !unknown && (value === null || no.kind === "refused") && <Problem no={no} />}
      {unknown && <p>There is no segment “{name}”. Its rule would make it.</p>}
      {value !== null && <Shown ruled={value} />}
      <p role="status" class={said === "" ? "unseen" : "said"}>{said}</p>
      {doing === "nothing" && (value !== null || unknown) && (
        <p class="trial-buttons">
          <button type="button" class="button" onClick={() => { setSaid(""); setDoing("writing"); }}>{rule === null ? "Write a rule" : "Change it"}</button>
          {rule !== null && <button type="button" class="button" onClick={() => { setSaid(""); setDoing("removing"); }}>Take it away</button>}
        </p>
      )}
      {doing === "writing" && <RuleForm name={name} rule={rule?.json ?? null} stop={stop} done={() => done("Written.")} />}
      {doing === "removing" && <Removing name={name} stop={stop} done={() => done("Taken away.")} />}
    </>
  );
}

function Shown({ ruled: { people, exact, error, rule } }: { ruled: Ruled }) {
  const count = (
    <p class="rule-people">
      <b>{people === 1 ? "1 person" : `${whole(people)} people`}</b> <PeopleMark people={people} exact={exact} error={error} />
      {rule !== null && !rule.inForce && <> <span class="mark mark-provisional" title="what happened before the rule is looked through">filling</span></>}
    </p>
  );
  if (rule === null) return <>{count}<p>It has no rule: in it is who was put in.</p></>;
  return (
    <>
      <RuleWords words={wordsOf(rule.is)} />
      {count}
      <p class="faint">
        Written by {rule.author} {when(rule.since)}.{" "}
        <span role="status">{rule.inForce ? "It is in force; beside them is who was put in." : "What happened before is looked through: until then people are those of the rule before."}</span>
      </p>
    </>
  );
}

function Removing({ name, done, stop }: { name: string; done: () => void; stop: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const [no, setNo] = useState<No | null>(null);
  const [asking, setAsking] = useState(false);
  useEffect(() => place.current?.focus(), []);
  const go = async () => {
    setAsking(true);
    const answer = await writeRule(name, null);
    setAsking(false);
    if (answer.kind === "found") done();
    else setNo(answer);
  };
  return (
    <div class="trial would-be" ref={place} tabIndex={-1} role="group" aria-label="What would be" onKeyDown={(event) => { if (event.key === "Escape") stop(); }}>
      <p class="sentence">Who is in it by the rule alone leaves. Who was put in stays.</p>
      <div role="alert">{no !== null && <Problem no={no} />}</div>
      <p class="trial-buttons">
        <button type="button" class="button button-main" disabled={asking} onClick={() => void go()}>{asking ? "Asking" : "Take the rule away"}</button>
        <button type="button" class="button" onClick={stop}>Leave it</button>
      </p>
    </div>
  );
}

/** With the day, unless it is today. */
function when(time: number): string {
  const day = dayOf(time, zone());
  return day === dayOf(Date.now() / 1000, zone()) ? `at ${clock(time, "minute")}` : `on ${day}, ${clock(time, "minute")}`;
}
