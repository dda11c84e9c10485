import { useEffect, useState } from "preact/hooks";
import type { Check, Month, Months } from "../../ads/answers";
import { monthText } from "../../ads/rows";
import type { Asked } from "../../ask";
import { dayOf } from "../../format";
import { Problem } from "../problem";
import { LedgerAgrees, moment } from "./ledger_check";
import { SealForm } from "./seal_form";

interface Props {
  months: Asked<Months>;
  check: Check | null;
  /** Something was sealed, or is being: ask again. */
  renew: () => void;
}

/** How often a month that is being sealed is looked at, in milliseconds. */
const looking = 2000;

/** The ledger's months: what is sealed stands for ever, what is open follows the latest rates. */
export function LedgerMonths({ months: { value, no }, check, renew }: Props) {
  const [sealing, setSealing] = useState<string | null>(null);
  const isSealing = value?.months.some(({ state }) => state === "sealing") === true;
  useEffect(() => {
    if (!isSealing) return;
    const timer = setTimeout(renew, looking);
    return () => clearTimeout(timer);
  }, [isSealing, value]);
  const now = value === null ? "" : dayOf(Date.now() / 1000, value.zone).slice(0, 7);
  return (
    <section class="panel months" aria-labelledby="months-title">
      <header class="panel-head">
        <h2 id="months-title">Ledger months</h2>
        {value !== null && <p class="faint">days of {value.zone}</p>}
      </header>
      {no !== null && <Problem no={no} />}
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value?.months.length === 0 && <p class="faint">The ledger begins with the first click that has a price.</p>}
      {value !== null && value.months.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="The list of ledger months" data-scrolls>
          <table class="ledger ledger-cards acts" aria-labelledby="months-title">
            <thead>
              <tr><th scope="col">Month</th><th scope="col">State</th><th scope="col">Sealed</th><th scope="col"><span class="unseen">Seal it</span></th></tr>
            </thead>
            <tbody>
              {value.months.map((month) => <Row key={month.month} month={month} over={month.month < now} seal={() => setSealing(month.month)} />)}
            </tbody>
          </table>
        </div>
      )}
      {sealing !== null && (
        <SealForm key={sealing} month={sealing} others={others(value, sealing)} stop={() => setSealing(null)} renew={renew} />
      )}
      <LedgerAgrees check={check} />
    </section>
  );
}

/** Open months before this one: they are sealed with it. */
function others(months: Months | null, month: string): readonly string[] {
  return (months?.months ?? []).filter((one) => one.state === "open" && one.month < month).map((one) => one.month);
}

const meanings = {
  open: "late clicks and changed rates move its days at once",
  sealing: "not every lane has passed the seal yet",
  sealed: "it stands for ever; what comes later is posted to the first open month",
};

function Row({ month: { month, state, sealed, author, reason }, over, seal }: { month: Month; over: boolean; seal: () => void }) {
  return (
    <tr data-month={month}>
      <th scope="row">{monthText(month)}</th>
      <td data-label="State">
        <span class={`mark ${state === "sealed" ? "mark-sealed" : state === "sealing" ? "mark-provisional" : "mark-off"}`} title={meanings[state]}>{state}</span>
      </td>
      <td data-label={state === "open" ? undefined : "Sealed"}>
        {sealed !== null && moment(sealed)}
        {author !== null && state !== "open" && <span class="faint who">by {author}{reason && <>, <q>{reason}</q></>}</span>}
        {state === "open" && <span class="faint">{over ? "over, not sealed" : "not over yet"}</span>}
      </td>
      <td class="number act">
        {state === "open" && over && (
          <button type="button" class="why" aria-label={`seal ${monthText(month)}`} onClick={seal}>seal</button>
        )}
      </td>
    </tr>
  );
}
