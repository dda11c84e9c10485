import { allText, eventAccount } from "../account";
import { reasonText, shares, whole } from "../format";
import type { Report, Rules } from "../reports";

interface Props {
  /** Of all objects, today. */
  today: Report | null;
  rules: Rules | null;
}

/** Why events were refused today, by reason. */
export function Refusals({ today, rules }: Props) {
  return (
    <section class="panel refusals" aria-labelledby="refusals-title">
      <header class="panel-head">
        <h2 id="refusals-title">Why events were refused</h2>
        <p class="faint">today, {today?.tz ?? "UTC"}</p>
      </header>
      {today === null && <p class="faint">Waiting for the server.</p>}
      {today !== null && <Rows today={today} rules={rules} />}
      {today !== null && (
        <p class="faint foot">
          <b>{whole(today.events)}</b> {allText(eventAccount, today.events)} = <b>{whole(today.counted)}</b> counted
          {" "}+ <b>{whole(today.events - today.counted)}</b> refused. <a href="/how-we-count">How we count</a>
        </p>
      )}
    </section>
  );
}

function Rows({ today, rules }: { today: Report; rules: Rules | null }) {
  const reasons = Object.entries(today.refused).sort(([, a], [, b]) => b - a);
  const parts = shares(reasons.map(([, events]) => events));
  if (reasons.length === 0) return <p class="faint">Nothing was refused today.</p>;
  return (
    <ul class="rule-list" aria-labelledby="refusals-title">
      {reasons.map(([reason, events], i) => (
        <li key={reason} data-reason={reason}>
          <span class="rule-name">{reasonText(reason)}</span>
          <span class="describes">{rules?.rules.find((rule) => rule.reason === reason)?.describes}</span>
          <span class="rule-refused">
            <span><b class="refused">{whole(events)}</b> refused</span>
            <span class="faint">{parts?.[i]} of refused</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
