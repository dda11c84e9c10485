import { useEffect, useRef, useState } from "preact/hooks";
import { sealMonth } from "../../ads/changing";
import { monthText } from "../../ads/rows";
import type { No } from "../../ask";
import { Problem } from "../problem";

interface Props {
  month: string;
  /** Months before it that are sealed with it. */
  others: readonly string[];
  stop: () => void;
  renew: () => void;
}

/** Seals a month, after the reader has said that it is for ever. */
export function SealForm({ month, others, stop, renew }: Props) {
  const [reason, setReason] = useState("");
  const [sure, setSure] = useState(false);
  const [asking, setAsking] = useState(false);
  const [no, setNo] = useState<No | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const name = monthText(month);
  useEffect(() => input.current?.focus(), []);

  const seal = async () => {
    if (!sure) return;
    setAsking(true);
    const answer = await sealMonth(month, reason);
    setAsking(false);
    setNo(answer.kind === "found" ? null : answer);
    if (answer.kind !== "found") return;
    renew();
    stop();
  };

  return (
    <form class="seal" aria-labelledby="seal-title" onSubmit={(event) => { event.preventDefault(); void seal(); }}
      onKeyDown={(event) => { if (event.key === "Escape") stop(); }}>
      <h3 id="seal-title">Seal {name}</h3>
      <p>
        Its incomes then stand for ever, for every reseller and publisher
        {others.length > 0 && <>, and those of {others.length === 1 ? others.map(monthText) : `the ${others.length} open months`} before it</>}.
        {" "}Late clicks and changed rates are posted to the first month that is open then. Nobody can open it again.
      </p>
      <label>Reason <input ref={input} name="reason" value={reason} autocomplete="off" placeholder="paid out"
        onInput={(event) => setReason(event.currentTarget.value)} /></label>
      <label class="check">
        <input type="checkbox" name="sure" checked={sure} onChange={(event) => setSure(event.currentTarget.checked)} />
        I know that this is for ever
      </label>
      <div role="alert">{no !== null && <Problem no={no} />}</div>
      <p class="trial-buttons">
        <button type="submit" class="button button-main" disabled={!sure || asking}>{asking ? "Asking" : `Seal ${name} for ever`}</button>
        <button type="button" class="button" onClick={stop}>Leave it open</button>
      </p>
    </form>
  );
}
