import type { Income, IncomeRow } from "../../ads/income";
import { percentText } from "../../ads/percent";
import { isInTime, nameOf } from "../../ads/rows";
import { whole } from "../../format";
import { Mark } from "../mark";
import { Name } from "../name";
import { Money } from "./money";

/** More rows than anybody reads would only make the page slow. */
const mostRows = 500;

/** The rows of income, the newest first where they follow each other in time. Its last line is what was earned. */
export function IncomeTable({ income, title }: { income: Income; title: string }) {
  const { group, currency } = income;
  const byDay = group === "day";
  const rows = (isInTime(group) ? [...income.rows].reverse() : income.rows).slice(0, mostRows);
  const names = rows.map(({ name }) => name);
  return (
    <>
      <div class="series-table" tabIndex={0} role="region" aria-label={`${title}, as a table`} data-scrolls>
        <table class="ledger ledger-numbers">
          <thead>
            <tr>
              <th scope="col">{title.split(" ").at(-1)?.replace(/^./, (letter) => letter.toUpperCase())}</th>
              <th scope="col" class="number">Clicks</th>
              <th scope="col" class="number">Sales</th>
              <th scope="col" class="number">Refunds</th>
              <th scope="col" class="number">Amount, {currency}</th>
              {byDay && <th scope="col" class="number">Rate</th>}
              <th scope="col" class="number">Income, {currency}</th>
              {byDay && <th scope="col" class="number">Ledger</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{isInTime(group) ? nameOf(group, row.name) : <Name name={row.name} beside={names} />}</th>
                <Counts of={row} />
                <td class="number"><Money amount={row.amount} /></td>
                {byDay && <td class="number">{row.fraction === null ? "two" : percentText(row.fraction)}</td>}
                <td class="number"><Money amount={row.income} /></td>
                {byDay && <td class="number">{row.sealed ? <Mark kind="sealed" /> : <span class="faint">open</span>}</td>}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Earned</th>
              <Counts of={income} />
              <td class="number"><Money amount={income.amount} /></td>
              {byDay && <td />}
              <td class="number"><Money amount={income.earned} /></td>
              {byDay && <td />}
            </tr>
          </tfoot>
        </table>
      </div>
      {rows.length < income.rows.length && (
        <p class="faint foot">{whole(rows.length)} of {whole(income.rows.length)} rows are shown; the last line and the file have all.</p>
      )}
    </>
  );
}

function Counts({ of: { clicks, sales, refunds } }: { of: Pick<IncomeRow, "clicks" | "sales" | "refunds"> }) {
  return <>{[clicks, sales, refunds].map((count, i) => <td class="number" key={i}>{whole(count)}</td>)}</>;
}
