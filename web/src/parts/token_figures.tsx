import { tokenAccount, type TokenPart } from "../account";
import { clock, milliseconds, rate, shares, whole } from "../format";
import { lastCommit, lastSeconds, newestSecond, sumOf, total, type History } from "../history";
import type { Range } from "../range";
import { Figure, Figures, knownFrom, When } from "./figures";
import { Mark, type MarkKind } from "./mark";

interface Props {
  history: History<TokenPart>;
  range: Range;
  /** When the server began to count its seconds; a range that reaches further back says so. */
  started: number | null;
}

export function TokenFigures({ history, range, started }: Props) {
  const { end } = history;
  const sum = end === null ? null : total(history.zero, lastSeconds(history, range.seconds));
  const now = newestSecond(history);
  const parts = sum && shares([sum.parts.fresh, sum.parts.already, sum.parts.unsure]);
  // Each token above a limit is one or the other: of both there are these or more.
  const mark: MarkKind = sum !== null && sum.parts.unsure > 0 ? "at least" : "exact";
  const known = knownFrom(history, range, started);
  const value = (figure: number | undefined) => (figure === undefined ? null : whole(figure));

  return (
    <Figures account={tokenAccount} sum={sum} when={<When history={history} range={range} known={known} />}>
      <Figure name="put" label="Tokens put" mark={<Mark kind="exact" />} value={value(sum?.all)}>
        {sum && `${rate(sum.all / (now.time - known + 1))} a second on average`}
      </Figure>
      <Figure name="new" label="New" mark={<Mark kind={mark} />} value={value(sum?.parts.fresh)}>
        {sum && (parts === null ? "nothing put" : `${parts[0]} of put`)}
      </Figure>
      <Figure name="already" label="Already counted" mark={<Mark kind={mark} />} value={value(sum?.parts.already)}>
        {sum && (parts === null ? "nothing put" : `${parts[1]} of put`)}
      </Figure>
      <Figure name="now" label="Per second now" mark={<Mark kind="exact" />} value={sum && whole(sumOf(now.parts))}>
        {sum && `in the second of ${clock(now.time)}`}
      </Figure>
      <Figure name="durable" label="Durable in, ms" mark={<Mark kind="slowest" />}
        value={sum && (now.slowest === null ? "–" : milliseconds(now.slowest))}>
        {sum && (now.slowest === null ? <Before history={history} /> : "commit in that second")}
      </Figure>
    </Figures>
  );
}

function Before({ history }: { history: History }) {
  const commit = lastCommit(history);
  if (commit === null || commit.slowest === null) return <>nothing written yet</>;
  return <>last {milliseconds(commit.slowest)} at {clock(commit.time)}</>;
}
