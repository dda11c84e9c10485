import type { Asked } from "../ask";
import { dayOf, dayText, reasonText, shares, whole } from "../format";
import { dayStart } from "../days";
import type { Counts, Rule, Rules } from "../reports";
import { Problem } from "./problem";

interface Props {
  rules: Asked<Rules>;
  /** What was refused, and the words for where and when. */
  counts: Counts | null;
  spoken: string;
}

/** Every rule in the order they are asked, and how many events were refused for its reason. */
export function RuleList({ rules: { value, no }, counts, spoken }: Props) {
  return (
    <section class="panel rules" aria-labelledby="rules-title">
      <header class="panel-head">
        <h2 id="rules-title">Rules</h2>
        {value !== null && <p class="faint">version <b>{value.version}</b>{since(value.recorded)} · {spoken}</p>}
      </header>
      {no !== null && <Problem no={no} />}
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && <Rows rules={value.rules} counts={counts} />}
      <p class="faint foot">
        The first rule that objects gives the reason. <a href="/how-we-count">How we count</a>, for those who are counted.
      </p>
    </section>
  );
}

/** A list, not a table: on a narrow page a sentence needs the whole line. */
function Rows({ rules, counts }: { rules: readonly Rule[]; counts: Counts | null }) {
  const sharing = new Set(rules.map((rule) => rule.reason).filter((reason, i, all) => all.indexOf(reason) !== i));
  const listed = new Set(rules.map((rule) => rule.reason));
  const gone = Object.keys(counts?.refused ?? {}).filter((reason) => !listed.has(reason));
  return (
    <ul class="rule-list" aria-labelledby="rules-title">
      {rules.map((rule) => (
        <li key={rule.name} class={rule.mode === "off" ? "idle" : ""} data-rule={rule.name}>
          <span class="rule-name">{reasonText(rule.name)}</span>
          <Mode rule={rule} />
          <span class="describes">
            {rule.describes}{sharing.has(rule.reason) && ` Its reason is “${reasonText(rule.reason)}”.`}
          </span>
          <Refused counts={counts} reason={rule.reason} none={rule.mode !== "on"} shared={sharing.has(rule.reason)} />
        </li>
      ))}
      {gone.map((reason) => (
        <li key={reason} data-rule={reason}>
          <span class="rule-name">{reasonText(reason)}</span>
          <span class="mark mark-off">gone</span>
          <span class="describes">A reason that no rule gives any more.</span>
          <Refused counts={counts} reason={reason} none={false} shared={false} />
        </li>
      ))}
    </ul>
  );
}

const modes = {
  on: "it refuses",
  off: "it is not asked",
  shadow: "on trial: what it would have said is kept, and nothing is refused",
} as const;

function Mode({ rule }: { rule: Rule }) {
  return <span class={`mark mark-${rule.mode}`} title={modes[rule.mode]}>{rule.mode}</span>;
}

interface RefusedProps {
  counts: Counts | null;
  reason: string;
  none: boolean;
  shared: boolean;
}

function Refused({ counts, reason, none, shared }: RefusedProps) {
  const events = counts?.refused[reason] ?? 0;
  if (counts === null || (none && events === 0)) {
    return <span class="rule-refused faint">{counts === null ? "–" : "refuses nothing"}</span>;
  }
  const share = shares([events, counts.events - events]);
  return (
    <span class="rule-refused">
      <span><b class={events > 0 ? "refused" : undefined}>{whole(events)}</b> refused</span>
      {events > 0 && <span class="faint">{shared ? "for this reason" : `${share?.[0]} of events`}</span>}
    </span>
  );
}

function since(recorded: number | null): string {
  return recorded === null ? "" : ` since ${dayText(dayStart(dayOf(recorded, "UTC")))}`;
}
