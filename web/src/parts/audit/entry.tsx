import { useEffect, useRef, useState } from "preact/hooks";
import type { Asked, No } from "../../ask";
import type { Entry, Head } from "../../audit/answers";
import { proveCommand } from "../../audit/commands";
import { canCount, prove, type Proof } from "../../audit/proof";
import { actOf, spread } from "../../audit/says";
import { useTarget } from "../../door";
import { whole } from "../../format";
import { Command } from "../command";
import { Moment } from "../identities/moment";
import { Problem } from "../problem";
import { Trouble } from "../trouble";

interface Props {
  number: number;
  asked: Asked<readonly Entry[]>;
  head: Head | null;
  leave: () => void;
}

/** One entry with all it says, and the proof that it is in the log. */
export function OneEntry({ number, asked, head, leave }: Props) {
  const place = useRef<HTMLElement>(null);
  const entry = asked.value?.find((one) => one.number === number) ?? null;
  useEffect(() => place.current?.focus(), [number]);
  return (
    <section class="panel one-entry" aria-labelledby="entry-title" ref={place} tabIndex={-1}>
      <header class="panel-head">
        <h2 id="entry-title">Entry {whole(number)}</h2>
        <div class="tools"><button type="button" class="button" onClick={leave}>Close</button></div>
      </header>
      <Trouble of={asked} />
      {entry === null && asked.no === null && (
        <p class="faint" role="status">{asked.value === null ? "Waiting for the server." : `There is no entry ${whole(number)} yet.`}</p>
      )}
      {entry !== null && (
        <>
          <p class="sentence"><b>{actOf(entry.kind)}</b> by {entry.author}, <Moment at={entry.time} />.</p>
          <pre class="detail-whole" tabIndex={0} role="region" aria-label="Its detail" data-scrolls>{JSON.stringify(entry.detail, null, 2)}</pre>
          <Said said={entry.said} />
          {head !== null && number < head.size && <Proven key={`${number} ${head.size}`} number={number} head={head} />}
        </>
      )}
    </section>
  );
}

function Said({ said }: { said: readonly (string | null)[] }) {
  if (said.length === 0) return null;
  return (
    <div class="said-of">
      <h3>What it says of persons</h3>
      {said.map((each, at) => (each === null
        ? <p key={at}><span class="mark">forgotten</span> One of these persons was erased, and with them what was said. The entry holds a salted hash of it, so the log and all proofs stand.</p>
        : <pre key={at} class="detail-whole" tabIndex={0} role="region" aria-label={`What it says of persons, ${at + 1}`} data-scrolls>{spread(each)}</pre>))}
    </div>
  );
}

/** Asked for by a click: each proof is some reads. */
function Proven({ number, head }: { number: number; head: Head }) {
  const target = useTarget();
  const [asking, setAsking] = useState(false);
  const [no, setNo] = useState<No | null>(null);
  const [proof, setProof] = useState<Proof | null>(null);
  const go = async () => {
    setAsking(true);
    const answer = await prove(number, head);
    setAsking(false);
    setNo(answer.kind === "found" ? null : answer);
    setProof(answer.kind === "found" ? answer.value : null);
  };
  return (
    <div class="proof">
      <h3>Proof</h3>
      {proof === null && (
        <p><button type="button" class="button" disabled={asking} onClick={() => void go()}>{asking ? "Asking" : "Prove that it is in the log"}</button></p>
      )}
      <div role="alert">{no !== null && <Problem no={no} />}</div>
      <div role="status">{proof !== null && <Verdict proof={proof} number={number} />}</div>
      {proof !== null && (
        <details>
          <summary>{proof.hashes.length === 1 ? "The hash" : `The ${proof.hashes.length} hashes`} between them</summary>
          <ol class="hashes">
            {proof.leaf !== "" && <li><span class="faint">leaf</span> <span class="hash">{proof.leaf}</span></li>}
            {proof.hashes.map((each, at) => <li key={at}><span class="faint">{at + 1}</span> <span class="hash">{each}</span></li>)}
            <li><span class="faint">root</span> <span class="hash">{proof.root}</span></li>
          </ol>
        </details>
      )}
      {proof !== null && <Command text={proveCommand(target, number)} label="the command that shows the same proof" />}
    </div>
  );
}

function Verdict({ proof, number }: { proof: Proof; number: number }) {
  const many = proof.hashes.length === 1 ? "1 hash" : `${proof.hashes.length} hashes`;
  if (proof.counted === null) {
    return <p>The proof has {many}. {!canCount() && "A browser counts hashes over https or on localhost only: check it by the command."}</p>;
  }
  if (proof.counted === proof.root) {
    return (
      <p class="verdict"><span class="mark mark-exact">proven</span> Counted again by this page: the bytes of entry {whole(number)} and {many} give
        the root of the head of {whole(proof.size)} entries.</p>
    );
  }
  return (
    <div class="problem problem-refused">
      <p><b>Not proven</b></p>
      <p>The bytes of the entry and {many} do not give the root of the head of {whole(proof.size)} entries: the entry or the log was changed. Keep what you have, and run <code>footfall audit verify</code>.</p>
    </div>
  );
}
