import { useMemo, useState } from "preact/hooks";
import type { Income } from "../../ads/income";
import { amountText, heightOf } from "../../ads/money";
import { percentText } from "../../ads/percent";
import { moneyRows, moneyScale, nameOf, type MoneyRow } from "../../ads/rows";
import { axisFigure, whole } from "../../format";
import { Plot } from "../../plot";
import { some } from "./income_figures";
import { Money } from "./money";

const layers = ["counted"] as const;

/** Income over time. A step is as high as its income; where it is below zero it hangs down. */
export function IncomeChart({ income, spoken, theme }: { income: Income; spoken: string; theme: string }) {
  const { group, currency, earned, tz } = income;
  const [pointed, setPointed] = useState<number | null>(null);
  const rows = useMemo(() => moneyRows(income, Date.now() / 1000), [income]);
  const scale = useMemo(() => moneyScale(group, tz, rows.map(({ from }) => from)), [group, tz, rows]);
  const data = useMemo(() => dataOf(rows), [rows]);
  const shown = (pointed === null ? undefined : rows[pointed]) ?? rows.findLast(({ row }) => row !== null);
  const highest = Math.max(0, ...rows.map(height));
  return (
    <>
      {shown !== undefined && <Readout shown={shown} income={income} name={shown.row === null ? scale.name(shown) : nameOf(group, shown.row.name)} />}
      <Plot layers={layers} data={data} scale={scale} theme={theme} point={setPointed}
        label={`Area chart of income, ${spoken}: ${amountText(earned)} ${currency} earned; at most ${axisFigure(highest)} ${scale.per}. `
          + "The table holds its rows."} />
    </>
  );
}

function height({ row }: MoneyRow): number {
  return row === null ? 0 : heightOf(row.income);
}

function dataOf(rows: readonly MoneyRow[]): [number[], number[]] {
  const last = rows.at(-1);
  if (last === undefined) return [[], []];
  return [[...rows.map(({ from }) => from), last.from + last.seconds], [...rows, last].map(height)];
}

function Readout({ shown: { row }, income: { currency }, name }: { shown: MoneyRow; income: Income; name: string }) {
  return (
    <p class="readout">
      <span>{[name, row?.fraction && `rate ${percentText(row.fraction)}`].filter(Boolean).join(" · ")}</span>
      {row === null
        ? <span>no clicks</span>
        : (
          <span>
            <b>{whole(row.clicks)}</b> {row.clicks === 1 ? "click" : "clicks"}
            {row.sales > 0 && `, ${some(row.sales, "sale")}`}{row.refunds > 0 && `, ${some(row.refunds, "refund")}`}
            {" · "}<b><Money amount={row.amount} /></b> {currency} amount · <b class="counted"><Money amount={row.income} /></b> {currency} income
          </span>
        )}
    </p>
  );
}
