import { clock, milliseconds, whole } from "../format";
import { total, type Bucket } from "../history";
import { AboveLimit } from "./sum";

/** The chart as a table, newest first; its last line is the headline. */
export function SeriesTable({ rows, step }: { rows: readonly Bucket[]; step: string }) {
  const sum = total(rows);
  const slowest = rows.reduce<number | null>(
    (worst, row) => (row.slowest === null ? worst : Math.max(row.slowest, worst ?? 0)), null);
  return (
    // The area scrolls, so it takes focus: arrow keys must reach its rows.
    <div class="series-table" tabIndex={0} role="region" aria-label={`Tokens per ${step}, as a table`} data-scrolls>
      <table class="ledger ledger-numbers">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="number">Put</th>
            <th scope="col" class="number">New</th>
            <th scope="col" class="number">Already counted</th>
            {sum.unsure > 0 && <th scope="col" class="number"><AboveLimit>Above a limit</AboveLimit></th>}
            <th scope="col" class="number">Slowest commit, ms</th>
          </tr>
        </thead>
        <tbody>
          {[...rows].reverse().map((row) => (
            <tr key={row.from} class={row.put === 0 ? "idle" : ""}>
              <th scope="row">{clock(row.from)}</th>
              <td class="number">{whole(row.put)}</td>
              <td class="number">{whole(row.fresh)}</td>
              <td class="number">{whole(row.already)}</td>
              {sum.unsure > 0 && <td class="number">{whole(row.unsure)}</td>}
              <td class="number">{row.slowest === null ? "–" : milliseconds(row.slowest)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td class="number">{whole(sum.put)}</td>
            <td class="number">{whole(sum.fresh)}</td>
            <td class="number">{whole(sum.already)}</td>
            {sum.unsure > 0 && <td class="number">{whole(sum.unsure)}</td>}
            <td class="number">{slowest === null ? "–" : milliseconds(slowest)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
