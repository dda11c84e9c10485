import { useEffect, useRef } from "preact/hooks";
import type { Draft } from "../../ads/changing";
import { differenceText } from "../../ads/money";
import { percentText } from "../../ads/percent";
import type { Movement, Trial } from "../../ads/rates";
import { dayStart } from "../../days";
import { dayText, daysText } from "../../format";
import { some } from "./income_figures";
import { Money } from "./money";

interface Props {
  trial: Trial;
  /** Of what it was a trial. */
  draft: Draft;
  asking: boolean;
  make: () => void;
  leave: () => void;
}

/** What a change would move, before it is made. */
export function RateTrial({ trial, draft: { day, fraction }, asking, make, leave }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [trial]);
  const from = dayText(dayStart(day));
  const what = fraction === null ? `Without the rate of ${from}` : `With ${percentText(fraction)} from ${from}`;
  return (
    <div class="trial" ref={place} tabIndex={-1} role="group" aria-label="What would move">
      {trial.wouldRecord
        ? <p class="sentence">{what} {trial.movements.length === 0 ? "no income moves." : "this moves:"}</p>
        : <p class="sentence">Nothing would be recorded: this rate holds from that day already, for the same reason.</p>}
      {trial.wouldRecord && trial.movements.length > 0 && <Movements movements={trial.movements} />}
      <p class="trial-buttons">
        {trial.wouldRecord && (
          <button type="button" class="button button-main" disabled={asking} onClick={make}>{asking ? "Asking" : "Record it"}</button>
        )}
        <button type="button" class="button" onClick={leave}>Leave it</button>
      </p>
    </div>
  );
}

function Movements({ movements }: { movements: readonly Movement[] }) {
  return (
    <table class="ledger ledger-cards" aria-label="Income that would move">
      <thead>
        <tr>
          <th scope="col">Days</th>
          <th scope="col" class="number">Income before</th>
          <th scope="col" class="number">After</th>
          <th scope="col" class="number">Difference</th>
        </tr>
      </thead>
      <tbody>
        {movements.map(({ currency, days, first, last, before, after, difference }) => (
          <tr key={currency}>
            <th scope="row">
              {some(days, "day")}, {currency}
              {first !== null && last !== null && <span class="faint who">{daysText(dayStart(first), dayStart(last))}</span>}
            </th>
            <td class="number" data-label="Income before"><Money amount={before} /></td>
            <td class="number" data-label="After"><Money amount={after} /></td>
            <td class="number" data-label="Difference"><b><Money amount={difference} text={differenceText} /></b></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
