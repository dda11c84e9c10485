import type { ComponentChildren } from "preact";
import { partsShown, zeroOf, type Account } from "../account";
import { whole } from "../format";
import { total, type Row, type Total } from "../history";
import type { Scale } from "../scale";
import { Term } from "./sum";

/** A column of figures that stand beside the account: they are no part of its sum. */
export interface Beside<R> {
  label: string;
  of: (row: R) => string;
  total: ComponentChildren;
}

export interface TableProps<P extends string, R extends Row<P>> {
  account: Account<P>;
  rows: readonly R[];
  scale: Scale;
  title: string;
  beside?: Beside<R> | undefined;
  /** Of before the first row: in the total, but not among the rows. */
  before?: Total<P> | null | undefined;
}

/** The chart as a table, newest first; its last line is the headline. */
export function SeriesTable<P extends string, R extends Row<P>>(props: TableProps<P, R>) {
  const { account, rows, scale, title, beside, before } = props;
  const sum = total(zeroOf(account), before ? [...rows, before] : rows);
  const parts = partsShown(account, sum);
  const figures = (of: Total<P>) => [of.all, ...parts.map(({ key }) => of.parts[key])].map((figure, i) => (
    <td class="number" key={i}>{whole(figure)}</td>
  ));
  return (
    // The area scrolls, so it takes focus: arrow keys must reach its rows.
    <div class="series-table" tabIndex={0} role="region" aria-label={`${title}, as a table`} data-scrolls>
      <table class="ledger ledger-numbers">
        <thead>
          <tr>
            <th scope="col">{scale.column}</th>
            {[{ label: account.all, meaning: undefined }, ...parts].map(({ label, meaning }) => (
              <th scope="col" class="number" key={label}><Term meaning={meaning}>{capital(label)}</Term></th>
            ))}
            {beside && <th scope="col" class="number">{beside.label}</th>}
          </tr>
        </thead>
        <tbody>
          {[...rows].reverse().map((row) => (
            <tr key={row.from} class={row.all === 0 ? "idle" : ""}>
              <th scope="row">{scale.name(row)}</th>
              {figures(row)}
              {beside && <td class="number">{beside.of(row)}</td>}
            </tr>
          ))}
          {before && (
            <tr>
              <th scope="row">Days before</th>
              {figures(before)}
              {beside && <td class="number">–</td>}
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {figures(sum)}
            {beside && <td class="number">{beside.total}</td>}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function capital(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
