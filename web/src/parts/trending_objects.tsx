import { useAsked } from "../ask";
import { whole } from "../format";
import { readTrends, type Trends } from "../reports";
import { Name } from "./name";
import { Problem } from "./problem";

interface Props {
  news: unknown;
  pick: (object: string) => void;
}

/** The objects that more new people come to than one would expect of them. */
export function TrendingObjects({ news, pick }: Props) {
  const { value, no } = useAsked("/api/v1/trending?limit=5", readTrends, news, 2000);
  return (
    <section class="panel trending" aria-labelledby="trending-title">
      <header class="panel-head">
        <h2 id="trending-title">Trending</h2>
        <p class="faint">more new people than expected</p>
      </header>
      {no !== null && <Problem no={no} />}
      {value === null && no === null && <p class="faint">Waiting for the server.</p>}
      {value !== null && value.objects.length === 0 && <p class="faint">No object has more new people than usual just now.</p>}
      {value !== null && value.objects.length > 0 && <Rows trends={value} pick={pick} />}
      {value !== null && value.objects.length > 0 && (
        <details class="foot">
          <summary class="faint">How the score is made</summary>
          <p class="faint">{value.formula}</p>
        </details>
      )}
      {value?.provisional && <p class="faint foot">Provisional: a process that counts does not answer; its objects are as they were stored.</p>}
    </section>
  );
}

function Rows({ trends: { objects }, pick }: { trends: Trends; pick: (object: string) => void }) {
  const names = objects.map(({ object }) => object);
  return (
    <table class="ledger ledger-names" aria-labelledby="trending-title">
      <thead>
        <tr>
          <th scope="col" data-name>Object</th>
          <th scope="col" class="number">People</th>
          <th scope="col" class="number">Score</th>
        </tr>
      </thead>
      <tbody>
        {objects.map(({ object, readers, score, fast, expected }) => (
          <tr key={object}>
            <th scope="row"><Name name={object} beside={names} onPick={pick} /></th>
            <td class="number">{whole(readers)}</td>
            <td class="number"><span class="term" title={`${fast.toFixed(1)} lately, ${expected.toFixed(1)} expected`}>{score.toFixed(1)}</span></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
