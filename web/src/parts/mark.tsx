import type { Counter } from "../messages";

/** How far a number can be trusted. `slowest` marks a figure that is the worst of several, not a sum of them. */
export type MarkKind = "exact" | "at least" | "slowest";

const meaning: Record<MarkKind, string> = {
  exact: "counted one by one, nothing estimated",
  "at least": "a counter's limit was reached: it is this many or more",
  slowest: "the slowest one of the second",
};

export function Mark({ kind }: { kind: MarkKind }) {
  return <span class={`mark mark-${kind.replace(" ", "-")}`} title={meaning[kind]}>{kind}</span>;
}

export function markOf(counter: Counter): MarkKind {
  return counter.atLeast || !counter.exact ? "at least" : "exact";
}
