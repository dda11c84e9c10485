import { toChildArray, type ComponentChildren } from "preact";
import type { Account } from "../account";
import { clock, zone } from "../format";
import type { History, Total } from "../history";
import type { Range } from "../range";
import { Sum } from "./sum";

interface Props<P extends string> {
  account: Account<P>;
  /** Null while it is not known yet. */
  sum: Total<P> | null;
  /** What the sum is of: a stretch of time and a zone. */
  when?: ComponentChildren;
  /** Each a Figure. */
  children: ComponentChildren;
}

/** The line of headline figures, and under it the sum that ties them together. */
export function Figures<P extends string>({ account, sum, when, children }: Props<P>) {
  return (
    <FigureLine noun={account.noun} sum={sum && <Sum account={account} of={sum} />} when={when}>{children}</FigureLine>
  );
}

interface LineProps extends Omit<Props<string>, "account" | "sum"> {
  noun: string;
  /** Null while it is not known yet. */
  sum: ComponentChildren;
}

/** The same of what is no account of whole numbers. */
export function FigureLine({ noun, sum, when, children }: LineProps) {
  return (
    <section class="figures panel" aria-label={`Headline figures: ${noun}`} aria-busy={sum === null} data-account={noun}>
      <dl class={classOf(children)}>{children}</dl>
      {sum !== null && (
        <p class="sum" data-sum>
          <span class="sum-line">{sum}</span>
          <span class="sum-when">{when}</span>
        </p>
      )}
    </section>
  );
}

/** Six stand in one line where there is room, as five do. */
function classOf(children: ComponentChildren): string {
  return `${sizeOf(children)}${toChildArray(children).length === 6 ? " six" : ""}`;
}

/** Ten digits and more take smaller type rather than a second line, and with them all figures of their line. */
function sizeOf(figures: ComponentChildren): string {
  const longest = Math.max(0, ...toChildArray(figures).map((one) => (
    typeof one === "object" && "value" in one.props && typeof one.props.value === "string" ? one.props.value.length : 0)));
  return longest > 14 ? "longer" : longest > 11 ? "long" : "";
}

interface FigureProps {
  name: string;
  label: string;
  mark?: ComponentChildren;
  /** Null: not known yet. */
  value: string | null;
  /** All of the value where it is rounded. */
  exact?: string | undefined;
  children?: ComponentChildren;
}

export function Figure({ name, label, mark, value, exact, children }: FigureProps) {
  if (value === null) {
    return (
      <div class="figure">
        <dt><span>{label}</span></dt>
        <dd class="value faint">–</dd>
        <dd class="note">{children ?? "waiting for the server"}</dd>
      </div>
    );
  }
  return (
    <div class="figure" data-figure={name}>
      <dt><span>{label}</span> {mark}</dt>
      <dd class="value" title={exact}>{value}</dd>
      <dd class="note">{children}</dd>
    </div>
  );
}

/** The first second of a range that the server was there for. */
export function knownFrom(history: History, range: Range, started: number | null): number {
  const end = history.end ?? 0;
  const begin = end - range.seconds + 1;
  return started !== null && started > begin && history.seconds.every((second) => second.time >= started)
    ? Math.min(started, end) : begin;
}

export function When({ history, range, known }: { history: History; range: Range; known: number }) {
  const end = history.end ?? 0;
  return (
    <>
      {known === end - range.seconds + 1 ? range.spoken : "since the server started"},
      {" "}{clock(known)} to {clock(end)}, {zone()}
    </>
  );
}
