import { useEffect, useRef, useState } from "preact/hooks";
import type { No } from "../../ask";
import { erase, tryErasing, type Kind, type Shown } from "../../erasures/erasing";
import { many } from "../../erasures/says";
import { whole } from "../../format";
import { useKeys } from "../../keys";
import { Problem } from "../problem";

/** Erases somebody: first it shows what would go, and only a second click erases it, of what was looked at. */
export function EraseForm({ done }: { done: (receipt: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState<Kind>("profile");
  const [text, setText] = useState("");
  const [shown, setShown] = useState<Shown | null>(null);
  const [asking, setAsking] = useState(false);
  const [missing, setMissing] = useState(false);
  const [no, setNo] = useState<No | null>(null);
  useKeys([{ keys: "/", does: "Whom to erase", run: () => input.current?.select() }]);
  const edit = (change: () => void) => {
    change();
    setShown(null);
    setNo(null);
    setMissing(false);
  };
  const look = async () => {
    setMissing(text.trim() === "");
    if (text.trim() === "" || asking) return;
    setAsking(true);
    const answer = await tryErasing(kind, text);
    setAsking(false);
    setNo(answer.kind === "found" ? null : answer);
    setShown(answer.kind === "found" ? answer.value : null);
  };
  const go = async (wanted: Shown) => {
    setAsking(true);
    const answer = await erase(wanted.target);
    setAsking(false);
    setNo(answer.kind === "found" ? null : answer);
    setShown(null);
    if (answer.kind !== "found") return;
    setText("");
    done(answer.value);
  };
  return (
    <section class="panel erase" aria-labelledby="erase-title">
      <h2 id="erase-title">Erase a person</h2>
      <p class="faint">A profile goes with all of its ids, in all jobs. Facts of others stay as if these ids had never been said. Nothing of it can be taken back.</p>
      <form class="erase-form" onSubmit={(event) => { event.preventDefault(); void look(); }}>
        <fieldset>
          <legend class="unseen">What is erased</legend>
          <label><input type="radio" name="kind" checked={kind === "profile"} onChange={() => edit(() => setKind("profile"))} /> a profile</label>
          <label><input type="radio" name="kind" checked={kind === "actor"} onChange={() => edit(() => setKind("actor"))} /> an actor</label>
        </fieldset>
        <label class="erase-whom" for="erase-whom">{kind === "profile" ? "One of its ids, or its sid" : "The actor, as events name it"}</label>
        <div class="erase-line">
          <input id="erase-whom" ref={input} value={text} placeholder={kind === "profile" ? "www/id/w111" : "u1"} autocomplete="off" autocapitalize="off"
            spellcheck={false} aria-invalid={missing} aria-describedby="erase-hint" onInput={(event) => { const { value } = event.currentTarget; edit(() => setText(value)); }} />
          <button type="submit" class="button" disabled={asking}>{asking && shown === null ? "Asking" : "Show what would go"}</button>
        </div>
        <p id="erase-hint" class={missing ? "refused" : "unseen"} role="status">{missing ? "Name whom." : ""}</p>
      </form>
      <div role="alert">{no !== null && <Refused no={no} />}</div>
      {shown !== null && <WouldGo shown={shown} asking={asking} go={() => void go(shown)} leave={() => { setShown(null); input.current?.focus(); }} />}
    </section>
  );
}

function Refused({ no }: { no: No }) {
  const changed = no.kind === "refused" && no.status === 412;
  return <Problem no={no}>{changed && <p>Nothing was erased. Look again.</p>}</Problem>;
}

interface WouldGoProps {
  shown: Shown;
  asking: boolean;
  go: () => void;
  leave: () => void;
}

function WouldGo({ shown: { target, trial }, asking, go, leave }: WouldGoProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const rows = [
    { of: "ids", rows: trial.ids },
    ...(trial.facts === null ? [] : [{ of: "facts that only these ids name", rows: trial.facts }]),
    ...(trial.changed === null ? [] : [{ of: "facts that would be said without them", rows: trial.changed }]),
    ...trial.rows,
  ];
  return (
    <div class="trial would-be would-go" ref={place} tabIndex={-1} role="group" aria-label="What would go">
      <p class="sentence">
        {target.kind === "profile"
          ? <>The profile <span class="sid">{target.sid}</span> would go, with {many(trial.ids, "id")}:</>
          : <>The actor would go, with what it said and read:</>}
      </p>
      <table class="ledger">
        <tbody>
          {rows.map((one) => <tr key={one.of}><th scope="row">{one.of}</th><td class="number">{whole(one.rows)}</td></tr>)}
        </tbody>
      </table>
      <p class="trial-buttons">
        <button type="button" class="button button-main" disabled={asking} onClick={go}>{asking ? "Erasing" : "Erase for good"}</button>
        <button type="button" class="button" onClick={leave}>Leave it</button>
      </p>
    </div>
  );
}
