import type { ComponentChildren } from "preact";
import { clock, milliseconds, rate, shares, whole, zone } from "../format";
import { lastCommit, lastSeconds, newestSecond, total, type History } from "../history";
import type { Range } from "../range";
import { Mark, type MarkKind } from "./mark";
import { Sum } from "./sum";

interface Props {
  history: History;
  range: Range;
  /** When the server began to count its seconds; a range that reaches further back says so. */
  started: number | null;
}

/** The line of headline figures, and under it the sum that ties them together. */
export function Figures({ history, range, started }: Props) {
  const { end } = history;
  if (end === null) return <Waiting />;

  const sum = total(lastSeconds(history, range.seconds));
  const now = newestSecond(history);
  const parts = shares([sum.fresh, sum.already, sum.unsure]);
  // Each token above a limit is one or the other: of both there are these or more.
  const mark: MarkKind = sum.unsure > 0 ? "at least" : "exact";
  const begin = end - range.seconds + 1;
  const known = started !== null && started > begin && history.seconds.every((second) => second.time >= started)
    ? Math.min(started, end) : begin;

  return (
    <section class="figures panel" aria-label="Headline figures">
      <dl>
        <Figure name="put" label="Tokens put" mark="exact" value={whole(sum.put)}>
          {rate(sum.put / (end - known + 1))} a second on average
        </Figure>
        <Figure name="new" label="New" mark={mark} value={whole(sum.fresh)}>
          {parts === null ? "nothing put" : `${parts[0]} of put`}
        </Figure>
        <Figure name="already" label="Already counted" mark={mark} value={whole(sum.already)}>
          {parts === null ? "nothing put" : `${parts[1]} of put`}
        </Figure>
        <Figure name="now" label="Per second now" mark="exact" value={whole(now.put)}>
          in the second of {clock(end)}
        </Figure>
        <Figure name="durable" label="Durable in, ms" mark="slowest"
          value={now.slowest === null ? "–" : milliseconds(now.slowest)}>
          {now.slowest === null ? <Before history={history} /> : "commit in that second"}
        </Figure>
      </dl>
      <p class="sum" data-sum>
        <span class="sum-line"><Sum of={sum} /></span>
        <span class="sum-when">
          {known === begin ? range.spoken : "since the server started"}, {clock(known)} to {clock(end)}, {zone()}
        </span>
      </p>
    </section>
  );
}

interface FigureProps {
  name: string;
  label: string;
  mark: MarkKind;
  value: string;
  children: ComponentChildren;
}

function Figure({ name, label, mark, value, children }: FigureProps) {
  return (
    <div class="figure" data-figure={name}>
      <dt><span>{label}</span> <Mark kind={mark} /></dt>
      {/* Ten digits and more take smaller type rather than a second line. */}
      <dd class={value.length > 11 ? "value value-long" : "value"}>{value}</dd>
      <dd class="note">{children}</dd>
    </div>
  );
}

function Before({ history }: { history: History }) {
  const commit = lastCommit(history);
  if (commit === null || commit.slowest === null) return <>nothing written yet</>;
  return <>last {milliseconds(commit.slowest)} at {clock(commit.time)}</>;
}

function Waiting() {
  return (
    <section class="figures panel" aria-label="Headline figures" aria-busy="true">
      <dl>
        {["Tokens put", "New", "Already counted", "Per second now", "Durable in, ms"].map((label) => (
          <div class="figure" key={label}>
            <dt><span>{label}</span></dt>
            <dd class="value faint">–</dd>
            <dd class="note">waiting for the first second</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
