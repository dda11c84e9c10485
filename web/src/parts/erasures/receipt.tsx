import { useEffect, useRef } from "preact/hooks";
import type { Asked } from "../../ask";
import { parts, type Receipt } from "../../erasures/answers";
import { kindName, many, partName, waitsFor } from "../../erasures/says";
import { Moment } from "../identities/moment";
import { Trouble } from "../trouble";

interface Props {
  receipt: string;
  asked: Asked<Receipt>;
  leave: () => void;
}

/** One receipt, and what it still waits for. */
export function OneReceipt({ receipt, asked, leave }: Props) {
  const place = useRef<HTMLElement>(null);
  const { value } = asked;
  useEffect(() => place.current?.focus(), [receipt]);
  return (
    <section class="panel one-receipt" aria-labelledby="receipt-title" ref={place} tabIndex={-1}>
      <header class="panel-head">
        <h2 id="receipt-title">Receipt</h2>
        {value !== null && <State open={value.open} />}
        <div class="tools"><button type="button" class="button" onClick={leave}>Close</button></div>
      </header>
      <p class="hash" data-receipt={receipt}>{receipt}</p>
      <Trouble of={asked} />
      {value === null && asked.no === null && <p class="faint" role="status">Waiting for the server.</p>}
      {value !== null && (
        <>
          <p class="sentence">Erased <Moment at={value.at} />: {kindName(value.kind)}, {many(value.ids, "id")}. Answers tell nothing of it any more; behind them:</p>
          <ul class="parts" aria-live="polite">
            {parts.map((part) => {
              const open = value.open.includes(part);
              return (
                <li key={part} data-part={part} data-open={open}>
                  <span class={open ? "mark" : "mark mark-exact"}>{open ? "open" : "done"}</span> <b>{partName(part)}</b>
                  {open && <span class="faint">{waitsFor(part)}</span>}
                </li>
              );
            })}
          </ul>
          <p class="faint">The receipt does not say of whom it is. Give its number to whoever asked: by it they see when it is closed.</p>
        </>
      )}
    </section>
  );
}

export function State({ open }: { open: readonly string[] }) {
  return open.length === 0 ? <span class="mark mark-exact">closed</span> : <span class="mark">open</span>;
}
