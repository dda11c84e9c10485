// An account over time: its parts as stacked areas, from the ground up.
//
// Steps, not slopes: a row's area is what was counted in it, and the height is its rate, so that the shorter rows at both
// ends of a window do not look like a drop.

import { useMemo, useState } from "preact/hooks";
import type uPlot from "uplot";
import { partsShown, sumText, zeroOf, type Account, type Part } from "./account";
import { axisFigure } from "./format";
import { total, type Row } from "./history";
import { Sum } from "./parts/sum";
import { Plot } from "./plot";
import type { Scale } from "./scale";

interface Props<P extends string> {
  account: Account<P>;
  rows: readonly Row<P>[];
  scale: Scale;
  /** The stretch of time in words: "last hour". */
  spoken: string;
  theme: string;
}

export function Chart<P extends string>({ account, rows, scale, spoken, theme }: Props<P>) {
  const [pointed, setPointed] = useState<number | null>(null);
  const sum = total(zeroOf(account), rows);
  const parts = partsShown(account, sum);
  const data = useMemo(() => seriesOf(parts, rows, scale), [rows, parts.map(({ key }) => key).join()]);
  const row = (pointed === null ? undefined : rows[pointed]) ?? rows.at(-1);
  const highest = Math.max(0, ...rows.map((one) => height(one.all, one, scale)));
  return (
    <>
      {row !== undefined && (
        <p class="readout">
          <span>{[scale.name(row), scale.step(row)].filter((words) => words !== null).join(" · ")}</span>
          <span><Sum account={account} of={row} like={sum} /></span>
        </p>
      )}
      <Plot layers={parts.map(({ tone }) => tone).reverse()} data={data} scale={scale} theme={theme} point={setPointed}
        label={`Area chart, ${spoken}: ${sumText(account, sum)}; at most ${axisFigure(highest)} ${scale.per}. The table holds its rows.`} />
    </>
  );
}

function height(amount: number, row: Row, scale: Scale): number {
  return (amount * scale.unit) / row.seconds;
}

/** Times, then the sums of all parts, of all but the topmost, and so on: each is drawn over the one before. The last row stands twice: a step needs its end. */
function seriesOf<P extends string>(parts: readonly Part<P>[], rows: readonly Row<P>[], scale: Scale): uPlot.AlignedData {
  const last = rows.at(-1);
  const ends = last === undefined ? [] : [last.from + last.seconds];
  const steps = last === undefined ? rows : [...rows, last];
  const sums = parts.map((_, top) => steps.map((row) => (
    height(parts.slice(0, top + 1).reduce((sum, part) => sum + row.parts[part.key], 0), row, scale))));
  return [[...rows.map((row) => row.from), ...ends], ...sums.reverse()];
}
