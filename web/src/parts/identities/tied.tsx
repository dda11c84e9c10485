import { useEffect, useId, useRef, useState } from "preact/hooks";
import { idText, tieAddress, wantedOf, type Ends, type Id } from "../../identities/address";
import { readTie } from "../../identities/answers";
import { isForbidden } from "../../ask";
import { useWatched } from "../../use_watched";
import { Trouble } from "../trouble";
import { TiedResult } from "./tied_result";

interface Props {
  /** What is asked. Null: nothing yet. */
  ends: Ends | null;
  /** Where a question would begin. */
  start: Id | null;
  /** Ids that may be meant. */
  near: readonly Id[];
  ask: (ends: Ends | null) => void;
  find: (text: string) => void;
}

/** How two ids are tied, or what keeps them apart. */
export function Tied({ ends, start, near, ask, find }: Props) {
  const begins = ends?.from ?? (start === null ? "" : idText(start));
  const [from, setFrom] = useState(begins);
  const [to, setTo] = useState(ends?.to ?? "");
  const [unclear, setUnclear] = useState<"from" | "to" | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const list = useId();
  const hint = useId();
  useEffect(() => {
    setFrom(begins);
    setTo(ends?.to ?? "");
    setUnclear(null);
  }, [begins, ends?.to]);
  const send = () => {
    const wrong = wantedOf(from).kind !== "id" ? "from" : wantedOf(to).kind !== "id" ? "to" : null;
    setUnclear(wrong);
    if (wrong === null) ask({ from, to });
    else form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus();
  };
  const field = (name: "from" | "to", label: string, value: string, set: (text: string) => void) => (
    <label>{label}
      <input name={name} value={value} list={list} placeholder="network/id name/value" autocomplete="off" autocapitalize="off" spellcheck={false}
        title={value === "" ? undefined : value} aria-invalid={unclear === name} aria-describedby={unclear === name ? hint : undefined}
        onInput={(event) => { set(event.currentTarget.value); setUnclear(null); }} />
    </label>
  );
  return (
    <section class="panel tied" aria-labelledby="tied-title">
      <header class="panel-head">
        <h2 id="tied-title">How are two ids tied?</h2>
        <p class="faint">the shortest way from one to the other, or what keeps them apart</p>
      </header>
      <form class="tied-form" ref={form} onSubmit={(event) => { event.preventDefault(); send(); }}>
        {field("from", "One id", from, setFrom)}
        {field("to", "The other id", to, setTo)}
        <datalist id={list}>{near.slice(0, 50).map((id) => <option key={idText(id)} value={idText(id)} />)}</datalist>
        <p class="tied-buttons">
          <button type="submit" class="button">Show the way</button>
          {ends !== null && <button type="button" class="button" onClick={() => { ask(null); form.current?.querySelector("input")?.focus(); }}>Clear</button>}
        </p>
      </form>
      <p id={hint} class="refused" role="status">
        {unclear !== null && "An id has three parts with a slash between: its network, what the network calls it, and its value."}
      </p>
      {ends !== null && <Answered key={`${ends.from} ${ends.to}`} ends={ends} find={find} />}
    </section>
  );
}

function Answered({ ends, find }: { ends: Ends; find: (text: string) => void }) {
  const [from, to] = [wantedOf(ends.from), wantedOf(ends.to)];
  const asked = useWatched(from.kind === "id" && to.kind === "id" ? tieAddress(from.id, to.id) : null, readTie);
  if (from.kind !== "id" || to.kind !== "id") return <p class="faint">One of the two is no id: write network/id name/value.</p>;
  if (isForbidden(asked.no)) return <p class="faint">This key has not the scope <code>people</code>, so nobody's ids are shown.</p>;
  return (
    <>
      {asked.no !== null && <div class="tied-no" role="alert"><Trouble of={asked} /></div>}
      {asked.value === null && asked.no === null && <p class="faint" role="status">Asking</p>}
      {asked.value !== null && <TiedResult tie={asked.value} find={find} />}
    </>
  );
}
