import { plusMinus } from "../format";
import type { Counter } from "../messages";

/** How far a number can be trusted. `slowest` marks a figure that is the worst of several, not a sum of them. */
export type MarkKind = "exact" | "at least" | "slowest" | "provisional" | "sealed" | "estimate";

const meaning: Record<MarkKind, string> = {
  exact: "counted one by one, nothing estimated",
  "at least": "a counter's limit was reached: it is this many or more",
  slowest: "the slowest one of the second",
  provisional: "the latest events may be missing: it may change",
  estimate: "estimated, as people do not fit in the server's memory: each number says between which it is in 95 of 100 cases",
  sealed: "its months are sealed: it stands for ever",
};

export function Mark({ kind }: { kind: MarkKind }) {
  return <span class={`mark mark-${kind.replace(" ", "-")}`} title={meaning[kind]}>{kind}</span>;
}

export function markOf(counter: Counter): MarkKind {
  return counter.atLeast || !counter.exact ? "at least" : "exact";
}

interface People {
  people: number | null;
  exact: boolean;
  error: number;
  provisional?: boolean;
}

/** Of people: exact while they are kept one by one, else an estimate; in any case provisional if all is. */
export function PeopleMark({ people, exact, error, provisional = false }: People) {
  if (people === null) return null;
  if (provisional) return <Mark kind="provisional" />;
  if (exact) return <Mark kind="exact" />;
  return (
    <span class="mark mark-estimate" title="estimated: two of three such figures are nearer to the truth than this">
      {plusMinus(error)}
    </span>
  );
}
