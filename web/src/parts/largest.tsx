import { whole } from "../format";
import type { Largest } from "../messages";
import { Mark, markOf } from "./mark";
import { Name } from "./name";

interface Props {
  largest: Largest | null;
  pick: (object: string) => void;
}

export function LargestCounters({ largest, pick }: Props) {
  return (
    <section class="panel largest" aria-labelledby="largest-title">
      <header class="panel-head">
        <h2 id="largest-title">Largest counters</h2>
        {largest !== null && <p class="faint">counter <b>{largest.counter}</b></p>}
      </header>
      {largest === null || largest.counters.length === 0
        ? <p class="faint">{largest === null ? "Waiting for the server." : "No object has a token yet."}</p>
        : <Rows largest={largest} pick={pick} />}
      {largest !== null && !largest.complete && (
        <p class="faint foot">The server is still going through its objects; a larger one may be missing.</p>
      )}
    </section>
  );
}

function Rows({ largest, pick }: { largest: Largest; pick: (object: string) => void }) {
  const names = largest.counters.map(({ object }) => object);
  return (
    <table class="ledger ledger-names" aria-labelledby="largest-title">
      <thead>
        <tr><th scope="col" data-name>Object</th><th scope="col" class="number">Count</th></tr>
      </thead>
      <tbody>
        {largest.counters.map((counter) => (
          <tr key={counter.object}>
            <th scope="row"><Name name={counter.object} beside={names} onPick={pick} /></th>
            <td class="number">
              {whole(counter.count)} <span class="mark-place"><Mark kind={markOf(counter)} /></span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
