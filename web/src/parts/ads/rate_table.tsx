import { percentText } from "../../ads/percent";
import { standingOf, type RateChange, type Standing } from "../../ads/rates";
import { monthStart } from "../../ads/rows";
import { dayStart } from "../../days";
import { dayText } from "../../format";
import { moment } from "./ledger_check";

interface Props {
  changes: readonly RateChange[];
  today: string;
  withdraw: (day: string) => void;
}

const meanings: Record<Exclude<Standing, "holds">, string> = {
  replaced: "another rate of the same day was recorded later",
  withdrawn: "it was taken back: as if never given",
  withdrawal: "takes back what was recorded for this day",
};

/** Every change there was, with the day it takes effect and the moment it was recorded. */
export function RateTable({ changes, today, withdraw }: Props) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The list of rate changes" data-scrolls>
      <table class="ledger ledger-cards acts rates" aria-labelledby="rates-title">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col" class="number">Share</th>
            <th scope="col">Why</th>
            <th scope="col">Recorded</th>
            <th scope="col"><span class="unseen">Change it</span></th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change, i) => (
            <Row key={`${change.day} ${change.recorded} ${i}`} change={change} standing={standingOf(changes, change)} today={today} withdraw={withdraw} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Omit<Props, "changes"> {
  change: RateChange;
  standing: Standing;
}

function Row({ change: { day, fraction, recorded, author, reason, booked }, standing, today, withdraw }: RowProps) {
  const from = dayText(dayStart(day));
  return (
    <tr class={standing === "holds" ? "" : "idle"} data-standing={standing}>
      <th scope="row">
        {from}
        {standing === "holds" && day > today && <span class="faint who">to come</span>}
      </th>
      <td class="number" data-label="Share">
        {fraction === null ? <span>none</span> : standing === "holds" ? percentText(fraction) : <s>{percentText(fraction)}</s>}
      </td>
      <td data-label="Why">
        {standing !== "holds" && <><span class="mark mark-off" title={meanings[standing]}>{standing}</span> </>}
        {reason === "" ? <span class="faint">no reason given</span> : <q>{reason}</q>}
      </td>
      <td data-label="Recorded">
        {moment(recorded)}
        <span class="faint who">by {author}{booked !== null && `, booked in ${dayText(monthStart(booked), "month")}`}</span>
      </td>
      <td class="number act">
        {standing === "holds" && (
          <button type="button" class="why" aria-label={`withdraw the rate of ${from}`} onClick={() => withdraw(day)}>withdraw</button>
        )}
      </td>
    </tr>
  );
}
