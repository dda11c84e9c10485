import { isForbidden, type Asked } from "../../ask";
import { useTarget } from "../../door";
import type { Receipts } from "../../erasures/answers";
import { eraseCommand } from "../../erasures/commands";
import { kindName, partName } from "../../erasures/says";
import { whole } from "../../format";
import { Command } from "../command";
import { Moment } from "../identities/moment";
import { Trouble } from "../trouble";
import { State } from "./receipt";

interface Props {
  asked: Asked<Receipts>;
  /** Whether it is a later page. */
  later: boolean;
  chosen: string | null;
  choose: (receipt: string) => void;
  /** Null: the newest. */
  turn: (cursor: string | null) => void;
}

/** Receipts, the newest first. */
export function ReceiptList({ asked, later, chosen, choose, turn }: Props) {
  const { value } = asked;
  const receipts = value?.receipts ?? [];
  const next = value?.next ?? null;
  return (
    <section class="panel receipts" aria-labelledby="receipts-title">
      <header class="panel-head">
        <h2 id="receipts-title">{later ? "Earlier erasures" : "Erasures"}</h2>
        {(later || next !== null) && (
          <div class="tools">
            <button type="button" class="button" disabled={!later} onClick={() => turn(null)}>Newest</button>
            <button type="button" class="button" disabled={next === null} onClick={() => turn(next)}>Older</button>
          </div>
        )}
      </header>
      {isForbidden(asked.no)
        ? <p class="faint">Which erasures there were is shown to keys with the scope <code>admin</code>. A receipt of your own is shown by its number.</p>
        : <Trouble of={asked} />}
      {value === null && asked.no === null && <p class="faint" role="status">Waiting for the server.</p>}
      {value !== null && receipts.length === 0 && (later ? <p class="faint">There are no earlier ones.</p> : <FirstErasure />)}
      {receipts.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of erasures" data-scrolls>
          <table class="ledger ledger-receipts" aria-labelledby="receipts-title">
            <thead>
              <tr>
                <th scope="col">Receipt</th>
                <th scope="col">Of</th>
                <th scope="col" class="number">Ids</th>
                <th scope="col">When</th>
                <th scope="col">Waits for</th>
              </tr>
            </thead>
            <tbody>
              {receipts.map(({ receipt, kind, ids, at, open }) => (
                <tr key={receipt} data-receipt={receipt} class={receipt === chosen ? "chosen" : undefined}>
                  <th scope="row">
                    <button type="button" class="why hash" title={receipt} onClick={() => choose(receipt)}><span class="unseen">Show receipt </span>{receipt.slice(0, 8)}…{receipt.slice(-8)}</button>
                  </th>
                  <td data-label="of">{kindName(kind)}</td>
                  <td class="number" data-label="ids">{whole(ids)}</td>
                  <td data-label="when"><Moment at={at} /></td>
                  <td><State open={open} /> <span class="faint">{open.map(partName).join(", ")}</span></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function FirstErasure() {
  const target = useTarget();
  return (
    <>
      <p>Nobody was erased yet. Here, or from a shell, which waits until the receipt is closed:</p>
      <Command text={eraseCommand(target)} label="the command that erases a profile" />
    </>
  );
}

/** Said once, where a key may not erase anybody. */
export function NoErasures() {
  return (
    <section class="notice" aria-label="No erasures">
      <p><b>No erasures.</b> This key has neither the scope <code>people</code>, which erases, nor <code>admin</code>, which sees what was erased.</p>
    </section>
  );
}
